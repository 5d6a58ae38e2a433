"""Numbers, dates and metrics as people read them."""

from decimal import Decimal

import pytest

from batcher_site.formatting import (
    date_view,
    fill_counts,
    metric_view,
    number_text,
    quantity_text,
    size_text,
    span_text,
)
from batcher_site.model import (
    Baseline,
    Better,
    Bound,
    Metric,
    Outcome,
    PartialDate,
    Present,
    Quantity,
    Reading,
    Station,
)
from batcher_site.views import Link
from tests.unit.values import metric


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("0", "0"),
        ("1030", "1,030"),
        ("1.10", "1.10"),
        ("-1234567.5", "-1,234,567.5"),
        ("0.0000001", "0.0000001"),
        ("100000000000000000000", "100,000,000,000,000,000,000"),
    ],
)
def test_a_number_keeps_its_decimals_and_parts_its_thousands(number: str, text: str) -> None:
    assert number_text(Decimal(number)) == text


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        (None, "3.5"),
        ("%", "3.5%"),
        ("x", "3.5x"),
        ("×", "3.5×"),
        ("°C", "3.5°C"),
        ("x slower", "3.5x slower"),
        ("% agree", "3.5% agree"),
        ("ms", "3.5 ms"),
        ("xyz", "3.5 xyz"),
        ("tok/s", "3.5 tok/s"),
    ],
)
def test_a_unit_that_is_a_sign_stands_close(unit: str | None, text: str) -> None:
    assert quantity_text(Decimal("3.5"), unit) == text


# --- metrics ------------------------------------------------------------------------------------


def test_a_unit_is_said_once_for_before_and_after() -> None:
    view = metric_view(
        metric("Speed", "1030", unit="tok/s", from_=Quantity(value=Decimal(82), unit="tok/s"))
    )
    assert (view.text, view.start) == ("82 → 1,030 tok/s", "82")


def test_a_value_before_takes_the_unit_of_the_reading() -> None:
    view = metric_view(metric("Speed", "1030", unit="tok/s", from_=Quantity(value=Decimal(82))))
    assert (view.text, view.start) == ("82 → 1,030 tok/s", "82")


@pytest.mark.parametrize(
    ("unit", "start", "text"),
    [
        ("%", Quantity(value=Decimal(2)), "2% → 5%"),
        ("s", Quantity(value=Decimal(900), unit="ms"), "900 ms → 5 s"),
        (None, Quantity(value=Decimal(2)), "2 → 5"),
    ],
)
def test_another_or_a_close_unit_is_said_for_both(
    unit: str | None, start: Quantity, text: str
) -> None:
    assert metric_view(metric("M", "5", unit=unit, from_=start)).text == text


def test_readings_of_one_metric_stand_side_by_side() -> None:
    values = [
        Reading(value=Decimal(260), unit="MB", name="FP16"),
        Reading(value=Decimal("2.5"), unit="ms", bound=Bound.WITHIN, approx=True),
        Reading(value=Decimal("99.5"), unit="% agree", signed=True),
        Reading(value=Decimal(-1), signed=True),
    ]
    view = metric_view(Metric(label="M", values=values))
    assert view.text == "FP16 260 MB · within ~2.5 ms · +99.5% agree · -1"
    assert [reading.prefix for reading in view.readings] == ["", "within ~", "+", ""]
    assert [reading.number for reading in view.readings] == ["260", "2.5", "99.5", "-1"]
    assert [reading.unit for reading in view.readings] == [" MB", " ms", "% agree", ""]
    assert view.bars == ()


def test_a_metric_may_be_a_text() -> None:
    view = metric_view(
        Metric(label="M", values="measuring", outcome=Outcome.PENDING, better=Better.LOWER)
    )
    assert (view.text, view.plain, view.readings, view.bars) == ("measuring", "measuring", (), ())
    assert (view.outcome, view.outcome_text, view.better) == ("pending", "pending", "lower")


def test_a_metric_without_more_says_nothing_more() -> None:
    view = metric_view(metric("M", "5"))
    assert (view.baseline_label, view.baseline_text, view.start) == ("", "", "")
    assert (view.outcome, view.outcome_text, view.better) == ("", "", "higher")
    assert (view.conditions, view.evidence, view.project) == ("", None, None)


def test_a_metric_carries_what_the_owner_says_of_it() -> None:
    link = Link(label="P", href="/p/")
    given = metric(
        "M", "5", outcome=Outcome.LOSS, conditions="batch 1", evidence="https://a.example/"
    )
    view = metric_view(given, project=link)
    assert (view.outcome, view.outcome_text) == ("loss", "behind")
    assert (view.conditions, view.evidence) == ("batch 1", "https://a.example/")
    assert view.project == link


@pytest.mark.parametrize(
    ("baseline", "text"),
    [
        (Baseline(label="B", value=Decimal(9)), "9 ms"),
        (Baseline(label="B", value=Decimal(9), unit="s"), "9 s"),
        (Baseline(label="B"), ""),
        (Baseline(label="B", value=Decimal(0)), "0 ms"),
    ],
)
def test_a_baseline_takes_the_unit_of_the_reading(baseline: Baseline, text: str) -> None:
    view = metric_view(metric("M", "5", unit="ms", baseline=baseline))
    assert (view.baseline_label, view.baseline_text) == ("B", text)


# --- bars ---------------------------------------------------------------------------------------


def test_bars_are_drawn_to_scale() -> None:
    view = metric_view(
        metric(
            "Now",
            "500",
            unit="ms",
            from_=Quantity(value=Decimal(1000)),
            baseline=Baseline(label="Other", value=Decimal(1), unit="ms"),
        )
    )
    assert [(bar.role, bar.label, bar.text, bar.length) for bar in view.bars] == [
        ("value", "mine", "500 ms", 500),
        ("start", "before", "1,000 ms", 1000),
        ("baseline", "Other", "1 ms", 1),
    ]


@pytest.mark.parametrize(
    ("given", "bars"),
    [
        (
            metric("L", "5", baseline=Baseline(label="B", value=Decimal(9))),
            [("value", "mine", "5"), ("baseline", "B", "9")],
        ),
        (
            metric("L", "5", from_=Quantity(value=Decimal(9))),
            [("value", "after", "5"), ("start", "before", "9")],
        ),
        (
            Metric(
                label="L",
                values=[Reading(value=Decimal(5), name="at 32")],
                baseline=Baseline(label="at 1", value=Decimal(9)),
            ),
            [("value", "at 32", "5"), ("baseline", "at 1", "9")],
        ),
    ],
)
def test_every_bar_says_whose_it_is(given: Metric, bars: list[tuple[str, str, str]]) -> None:
    view = metric_view(given)
    assert [(bar.role, bar.label, bar.text) for bar in view.bars] == bars
    assert "at 32" not in view.text


@pytest.mark.parametrize(
    ("value", "better", "outcome", "is_theirs"),
    [
        ("23", Better.HIGHER, Outcome.LOSS, True),
        ("0.5", Better.LOWER, Outcome.LOSS, True),
        ("0.5", Better.HIGHER, Outcome.LOSS, False),
        ("23", None, Outcome.LOSS, False),
        ("23", Better.HIGHER, Outcome.WIN, False),
    ],
)
def test_a_loss_with_the_better_value_is_the_other_sides(
    value: str, better: Better | None, outcome: Outcome, *, is_theirs: bool
) -> None:
    """The owner's number then is the baseline, and its bar comes first."""
    view = metric_view(
        metric(
            "L",
            value,
            unit="x",
            baseline=Baseline(label="this engine", value=Decimal(1)),
            better=better,
            outcome=outcome,
        )
    )
    mine, other = view.bars
    assert (mine.role, other.role) == ("value", "baseline")
    assert (mine.label, other.label) == (
        ("this engine", "theirs") if is_theirs else ("mine", "this engine")
    )
    assert (mine.text, other.text) == (("1x", f"{value}x") if is_theirs else (f"{value}x", "1x"))


def test_the_shortest_bar_can_still_be_seen() -> None:
    view = metric_view(metric("M", "0", from_=Quantity(value=Decimal(1000))))
    assert [bar.length for bar in view.bars] == [1, 1000]


@pytest.mark.parametrize(
    "given",
    [
        metric("one number alone", "5"),
        metric("two readings", "5", "6", from_=Quantity(value=Decimal(1))),
        metric("another unit", "5", unit="s", from_=Quantity(value=Decimal(1), unit="ms")),
        metric(
            "a baseline of another unit",
            "5",
            baseline=Baseline(label="B", value=Decimal(1), unit="ms"),
        ),
        metric("no number", "5", baseline=Baseline(label="B")),
        metric("below zero", "5", from_=Quantity(value=Decimal(-1))),
        metric("all zero", "0", from_=Quantity(value=Decimal(0))),
        Metric(label="text", values="x", baseline=Baseline(label="B", value=Decimal(1))),
    ],
    ids=lambda given: given.label,
)
def test_what_cannot_be_compared_has_no_bars(given: Metric) -> None:
    assert metric_view(given).bars == ()


# --- dates, sizes, counts -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "english"),
    [("2026", "2026"), ("2026-10", "Oct 2026"), ("2026-12-01", "1 Dec 2026")],
)
def test_a_date_is_told_as_exactly_as_it_is_known(text: str, english: str) -> None:
    date = PartialDate.parse(text)
    assert (date_view(date, "en").iso, date_view(date, "en-GB").text) == (text, english)
    assert date_view(date, "de").text == text


@pytest.mark.parametrize(
    ("end", "text"),
    [
        (None, "Jun 2025"),
        (PartialDate(2025, 6), "Jun 2025"),
        (PartialDate(2025, 8), "Jun 2025–Aug 2025"),
        (Present(), "Jun 2025–present"),
    ],
)
def test_a_span_ends_where_it_ends(end: PartialDate | Present | None, text: str) -> None:
    assert span_text(Station(start=PartialDate(2025, 6), end=end, role="R"), "en") == text


def test_a_span_may_have_its_own_words() -> None:
    station = Station(start=PartialDate(2026), end=Present(), when="Summer 2026", role="R")
    assert span_text(station, "en") == "Summer 2026"


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "1 kB"),
        (84_400, "84 kB"),
        (999_499, "999 kB"),
        (1_000_000, "1.0 MB"),
        (1_250_000, "1.2 MB"),
    ],
)
def test_a_size_is_in_thousands(size: int, text: str) -> None:
    assert size_text(size) == text


def test_a_size_just_below_a_million_is_no_thousand_thousands() -> None:
    assert size_text(999_999) == "1.0 MB"


@pytest.mark.parametrize(
    ("text", "count", "filled"),
    [
        ("{n} projects", 6, "Six projects"),
        ("All {n} of them", 12, "All twelve of them"),
        ("{n} projects", 0, "No projects"),
        ("{n} projects", 13, "13 projects"),
        ("the {n}", 1300, "the 1,300"),
        ("{n} and {n}", 2, "Two and two"),
        ("no count", 2, "no count"),
        ("{N} {}", 2, "{N} {}"),
    ],
)
def test_a_count_is_put_into_a_sentence(text: str, count: int, filled: str) -> None:
    assert fill_counts(text, {"n": count}) == filled
