"""
Numbers, dates, sizes and counts as people read them; metrics as text and as bars drawn to scale.

Nothing here asks for a locale: the same value is the same text on every machine.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from msgspec import structs

from batcher_site.model import (
    Better,
    Metric,
    Outcome,
    PartialDate,
    Present,
    Quantity,
    Reading,
    Station,
)
from batcher_site.views import Bar, DateView, Link, MetricView, ReadingView

BAR_LENGTH = 1000
"""The length of the longest bar of a metric."""

_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_NUMBER_WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()
_OUTCOMES = {
    Outcome.WIN: "ahead",
    Outcome.LOSS: "behind",
    Outcome.TIE: "level",
    Outcome.PENDING: "pending",
}
_ATTACHED_UNIT = re.compile(r"[%x×°](?![a-z])")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_KILO = 1000
_COMPARABLE = 2


def number_text(value: Decimal) -> str:
    """Give a number with its own count of decimals and commas between thousands."""
    return f"{value:,f}"


def quantity_text(value: Decimal, unit: str | None) -> str:
    """Give a number with its unit: `46.4%`, `3.5x`, `1,030 tok/s`."""
    if unit is None:
        return number_text(value)
    space = "" if _ATTACHED_UNIT.match(unit) else " "
    return f"{number_text(value)}{space}{unit}"


def metric_view(metric: Metric, *, project: Link | None = None) -> MetricView:
    """Give a metric as a line of text, and as bars where two of its numbers share a unit."""
    plain = metric.values if isinstance(metric.values, str) else ""
    readings = () if isinstance(metric.values, str) else _readings(metric.values)
    unit = None if isinstance(metric.values, str) else metric.values[0].unit
    start, text = "", plain or " · ".join(reading.text for reading in readings)
    if metric.from_ is not None:
        start = _start_text(metric.from_, unit)
        text = f"{start} → {text}"
    baseline = metric.baseline
    return MetricView(
        label=metric.label,
        text=text,
        start=start,
        readings=readings,
        plain=plain,
        baseline_label=baseline.label if baseline else "",
        baseline_text=quantity_text(baseline.value, baseline.unit or unit)
        if baseline and baseline.value is not None
        else "",
        outcome=str(metric.outcome or ""),
        outcome_text=_OUTCOMES[metric.outcome] if metric.outcome else "",
        better=str(metric.better or Better.HIGHER),
        conditions=metric.conditions or "",
        evidence=metric.evidence,
        bars=_bars(metric),
        project=project,
    )


def _start_text(start: Quantity, unit: str | None) -> str:
    """A unit with a space before it is said once for both numbers: `82 → 1,030 tok/s`."""
    own = start.unit or unit
    spoken_once = own == unit and own is not None and not _ATTACHED_UNIT.match(own)
    return quantity_text(start.value, None if spoken_once else own)


def _readings(readings: Sequence[Reading]) -> tuple[ReadingView, ...]:
    """Only where there are several do their names tell them apart; one alone names its bar."""
    if len(readings) == 1:
        readings = [structs.replace(readings[0], name=None)]
    return tuple(map(_reading, readings))


def _reading(reading: Reading) -> ReadingView:
    prefix = f"{reading.bound} " if reading.bound else ""
    prefix += "~" if reading.approx else ""
    prefix += "+" if reading.signed and reading.value > 0 else ""
    value = quantity_text(reading.value, reading.unit)
    number = number_text(reading.value)
    name = f"{reading.name} " if reading.name else ""
    return ReadingView(
        prefix=prefix,
        number=number,
        unit=value.removeprefix(number),
        name=reading.name or "",
        text=f"{name}{prefix}{value}",
    )


def _bars(metric: Metric) -> tuple[Bar, ...]:
    """Draw what can be compared: the owner's number first, what it was before, the other side's."""
    if isinstance(metric.values, str) or len(metric.values) != 1:
        return ()
    reading = metric.values[0]
    unit = reading.unit
    start, baseline = metric.from_, metric.baseline
    if start and start.unit not in {None, unit}:
        start = None
    if baseline and (baseline.value is None or baseline.unit not in {None, unit}):
        baseline = None
    name = reading.name or ("after" if start and not baseline else "mine")
    numbers = [("value", name, _readings([reading])[0].text, reading.value)]
    if start:
        numbers.append(("start", "before", quantity_text(start.value, unit), start.value))
    if baseline and baseline.value is not None:
        text = quantity_text(baseline.value, unit)
        numbers.append(("baseline", baseline.label, text, baseline.value))
        if _is_of_the_other_side(metric, reading.value, baseline.value):
            other = reading.name or "theirs"
            numbers = [("value", *numbers[-1][1:]), ("baseline", other, *numbers[0][2:])]
    return _to_scale(numbers)


def _is_of_the_other_side(metric: Metric, value: Decimal, baseline: Decimal) -> bool:
    """A loss whose reading is the better number is the other side's reading: ~23x against 1x."""
    if metric.outcome is not Outcome.LOSS or metric.from_ or metric.better is None:
        return False
    return value < baseline if metric.better is Better.LOWER else value > baseline


def _to_scale(numbers: Sequence[tuple[str, str, str, Decimal]]) -> tuple[Bar, ...]:
    longest = max(value for *_, value in numbers)
    if len(numbers) < _COMPARABLE or min(value for *_, value in numbers) < 0 or longest == 0:
        return ()
    return tuple(
        Bar(role=role, label=label, text=text, length=max(1, int(BAR_LENGTH * value / longest)))
        for role, label, text, value in numbers
    )


def date_view(value: PartialDate, language: str) -> DateView:
    """Give a date as exact as it is known: `Oct 2026`, `1 Dec 2026`; ISO outside English."""
    iso = str(value)
    if not language.startswith("en"):
        return DateView(iso=iso, text=iso)
    parts = [str(value.day)] if value.day else []
    parts += [_MONTHS[value.month - 1]] if value.month else []
    return DateView(iso=iso, text=" ".join([*parts, str(value.year)]))


def span_text(station: Station, language: str) -> str:
    """Give the time of a station: its own words, else `Jun 2025–Aug 2025` or `Sep 2026–present`."""
    if station.when:
        return station.when
    start = date_view(station.start, language).text
    if station.end is None or station.end == station.start:
        return start
    end = "present" if isinstance(station.end, Present) else date_view(station.end, language).text
    return f"{start}–{end}"


def size_text(size: int) -> str:
    """Give a count of bytes in kB or MB of 1,000: `84 kB`, `1.2 MB`."""
    kilobytes = round(size / _KILO)
    if kilobytes < _KILO:
        return f"{max(1, kilobytes)} kB"
    return f"{size / (_KILO * _KILO):.1f} MB"


def fill_counts(text: str, counts: Mapping[str, int]) -> str:
    """Put counts in place of `{name}`, as words up to twelve, capitalised where they open it."""

    def word(match: re.Match[str]) -> str:
        count = counts[match[1]]
        text = _NUMBER_WORDS[count] if count < len(_NUMBER_WORDS) else f"{count:,}"
        return text.capitalize() if match.start() == 0 else text

    return _PLACEHOLDER.sub(word, text)
