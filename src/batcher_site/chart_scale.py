"""
Axes: numbers to places between 0 and 100, and the round numbers that are written beside them.

Places are per cent of an axis' length, so that a drawing has no size of its own. Logarithms are
taken of floats; what is written stays decimal.
"""

import math
from collections.abc import Iterable
from decimal import Decimal

from msgspec import Struct

_STEPS = (Decimal(1), Decimal(2), Decimal(5), Decimal(10))
_MOST_TICKS = 5
_MOST_DECADES = 6


class Axis(Struct, frozen=True):
    """An axis from `low` to `high`; `ticks` are the numbers written on it."""

    low: Decimal
    high: Decimal
    ticks: tuple[Decimal, ...]
    is_log: bool

    def place(self, value: Decimal) -> float:
        """Give where a number stands, in per cent of the axis."""
        if self.is_log:
            low, high = math.log10(self.low), math.log10(self.high)
            return 100 * (math.log10(value) - low) / (high - low)
        return float(100 * (value - self.low) / (self.high - self.low))


def linear(values: Iterable[Decimal], *, from_zero: bool) -> Axis:
    """Give an axis that has all values, with at most six round numbers; 0 is on it if asked."""
    numbers = [*values, *([Decimal(0)] if from_zero else [])]
    low, high = min(numbers), max(numbers)
    if low == high:
        low, high = low - (0 if low == 0 else 1), high + 1
    step = _step((high - low) / _MOST_TICKS)
    first, last = math.floor(low / step), math.ceil(high / step)
    ticks = tuple(_plain(number * step) for number in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks, is_log=False)


def _step(least: Decimal) -> Decimal:
    """Give the smallest of 1, 2 and 5 times a power of ten that is no less than `least`."""
    unit = Decimal(1).scaleb(least.adjusted())
    return next(step * unit for step in _STEPS if step * unit >= least)


def logarithmic(values: Iterable[Decimal]) -> Axis:
    """Give an axis of whole decades that has all values, which are above 0."""
    numbers = list(values)
    first, last = min(numbers).adjusted(), _ceiling(max(numbers))
    last = max(last, first + 1)
    every = math.ceil((last - first) / _MOST_DECADES)
    ticks = tuple(_plain(Decimal(1).scaleb(power)) for power in range(first, last + 1, every))
    low, high = (_plain(Decimal(1).scaleb(power)) for power in (first, last))
    return Axis(low, high, ticks, is_log=True)


def _ceiling(value: Decimal) -> int:
    power = value.adjusted()
    return power if value == Decimal(1).scaleb(power) else power + 1


def _plain(value: Decimal) -> Decimal:
    """Take the zeros behind the point away, and the exponent."""
    whole = value.normalize()
    return whole.quantize(Decimal(1)) if whole == whole.to_integral() else whole
