from decimal import Decimal
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from batcher_site.chart_scale import Axis, linear, logarithmic

NUMBERS = st.decimals(-1_000_000, 1_000_000, places=3)
POSITIVE = st.decimals("0.001", 1_000_000, places=3)


def ticks(axis: Axis) -> list[str]:
    return [f"{tick:f}" for tick in axis.ticks]


def numbers(*values: str) -> list[Decimal]:
    return [Decimal(value) for value in values]


def test_round_numbers_stand_on_an_axis() -> None:
    assert ticks(linear(numbers("82", "1030"), from_zero=True)) == ["0", "500", "1000", "1500"]
    assert ticks(linear(numbers("0.3", "0.9"), from_zero=False)) == [
        *("0.2", "0.4", "0.6", "0.8", "1")
    ]
    assert ticks(linear(numbers("-3", "4"), from_zero=False)) == ["-4", "-2", "0", "2", "4"]


def test_an_axis_of_decades_ends_where_its_last_number_begins_one() -> None:
    assert ticks(logarithmic(numbers("1", "1000"))) == ["1", "10", "100", "1000"]
    assert ticks(logarithmic(numbers("0.02", "1001"))) == [
        *("0.01", "0.1", "1", "10", "100", "1000", "10000")
    ]


def test_many_decades_are_not_all_written() -> None:
    axis = logarithmic(numbers("1", "1e12"))
    assert ticks(axis) == ["1", "100", "10000", "1000000", "100000000", "10000000000", f"{10**12}"]


def test_a_place_is_in_per_cent() -> None:
    assert linear(numbers("0", "10"), from_zero=True).place(Decimal("2.5")) == 25
    assert logarithmic(numbers("1", "100")).place(Decimal(10)) == 50


def test_equal_numbers_have_an_axis() -> None:
    assert ticks(linear(numbers("5", "5"), from_zero=False)) == ["4", "4.5", "5", "5.5", "6"]
    assert ticks(linear(numbers("0"), from_zero=True)) == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert ticks(logarithmic(numbers("7"))) == ["1", "10"]


@given(st.lists(NUMBERS, min_size=1, max_size=5), st.booleans())
def test_every_number_is_on_its_axis(values: list[Decimal], from_zero: bool) -> None:  # noqa: FBT001
    axis = linear(values, from_zero=from_zero)
    assert all(-1e-9 <= axis.place(value) <= 100 + 1e-9 for value in values)
    assert 2 <= len(axis.ticks) <= 8
    steps = {after - before for before, after in pairwise(axis.ticks)}
    assert len(steps) == 1
    assert not from_zero or axis.low <= 0 <= axis.high


@given(st.lists(POSITIVE, min_size=1, max_size=5))
def test_every_number_is_on_its_axis_of_decades(values: list[Decimal]) -> None:
    assume(all(values))
    axis = logarithmic(values)
    assert all(-1e-9 <= axis.place(value) <= 100 + 1e-9 for value in values)
    assert 2 <= len(axis.ticks) <= 8
