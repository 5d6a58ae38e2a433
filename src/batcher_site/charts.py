"""
A fenced block of numbers to a figure: a drawing in SVG, and the same numbers as a table.

The drawing has no size, colour or font of its own: places across are per cent, classes are the
theme's, so its letters are as large on a phone as beside it. Hue means something else on this site
(prefill, decode, padding); series differ by fill, dash and mark.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from html import escape
from itertools import pairwise
from textwrap import wrap

from batcher_site import chart_table
from batcher_site.chart_scale import Axis, linear, logarithmic
from batcher_site.chart_table import Table
from batcher_site.formatting import number_text, quantity_text
from batcher_site.model import Chart, ChartBaseline, ChartType, LogAxes, Source

_LINE_HEIGHT, _BELOW_TEXT, _BAR_HEIGHT, _GAP = 18, 6, 10, 10
# How many letters stand in a line on a phone: nothing wraps by itself in a drawing.
_PHONE_LETTERS = 34
_PLOT_TOP, _PLOT_HEIGHT, _PLOT_BOTTOM = 12, 240, 44
_MARKS = ("M-4-4H4V4H-4Z", "M0-5.5 5.5 0 0 5.5-5.5 0Z", "M-5 4 0-5 5 4Z", "M-5-4H5L0 5Z")
_HUNDRED = Decimal(100)
_MILLION = Decimal(1_000_000)
_HEAD = '<th scope="col">{}</th>'
_NUMBER_HEAD = '<th scope="col" class="align-right">{}</th>'
_HALF = 50.0


def render(text: str, source: Source, place: tuple[int, int], address: Callable[[str], str]) -> str:
    """
    Give the figure for the block `text`, which begins at a line and column of its source.

    `address` gives the final address of a file that the block names. Raises SiteErrors with every
    fault of the block or of its file, each at its place.
    """
    chart, table = chart_table.read(text, source, *place)
    draw = {ChartType.LINE: _line, ChartType.ROOFLINE: _roofline}.get(chart.type, _bars)
    title, file = escape(chart.title), chart.file
    link = f'<p><a href="{escape(address(file))}">{escape(file)}</a></p>' if file else ""
    return (
        f'<figure class="chart" data-type="{chart.type}">'
        f"<figcaption>{title}</figcaption>{_key(chart, table)}"
        f"{draw(chart, table)}{_note(chart, table)}"
        f'<details class="chart__data"><summary>The numbers</summary>'
        f'<div class="table" role="region" tabindex="0" aria-label="{title}: the numbers">'
        f"{_table(chart, table)}</div>{link}</details></figure>"
    )


def _bars(chart: Chart, table: Table) -> str:
    """Draw a bar for each number, below its name and itself, and a tick where the baseline is."""
    baseline = chart.baseline
    numbers = [value for row in table.numbers for value in row]
    # The longest bar is as long as the drawing is wide, but for a part of a whole.
    longest = max([*numbers, *([baseline.value] if baseline else [])]) or Decimal(1)
    if chart.unit == "%":
        longest = max(longest, _HUNDRED)
    parts: list[str] = []
    top = 0
    for name, row in zip(table.names, table.numbers, strict=True):
        if len(row) > 1:
            for line in wrap(name, _PHONE_LETTERS):
                top += _LINE_HEIGHT
                parts.append(_text(0, top - _BELOW_TEXT, line, "chart__name"))
        for series, value in enumerate(row):
            label = table.columns[series + 1] if len(row) > 1 else name
            shown = _value_text(chart, value)
            lines = wrap(label, _PHONE_LETTERS) or [""]
            if len(lines[-1]) + len(shown) >= _PHONE_LETTERS:
                lines.append("")
            for line in lines:
                top += _LINE_HEIGHT
                parts.append(_text(0, top - _BELOW_TEXT, line))
            parts.append(_text(100, top - _BELOW_TEXT, shown, "chart__value", "end"))
            parts.append(_bar(value / longest, top, series))
            if baseline:
                parts.append(_tick(baseline.value / longest, top))
            top += _BAR_HEIGHT + _GAP
    if baseline:
        top += _LINE_HEIGHT
        place = float(_HUNDRED * baseline.value / longest)
        words = f"{baseline.label} {quantity_text(baseline.value, chart.unit)}"
        anchor = "end" if place > _HALF else "start"
        parts.append(_text(place, top - _BELOW_TEXT, words, "chart__base", anchor))
    return _svg(chart, top if baseline else top - _GAP + 1, parts)


def _bar(share: Decimal, top: int, series: int) -> str:
    width = _percent(float(_HUNDRED * share))
    return (
        f'<rect class="chart__bar" data-series="{series}" y="{top}" width="{width}"'
        f' height="{_BAR_HEIGHT}"/>'
    )


def _tick(share: Decimal, top: int) -> str:
    place = _percent(float(_HUNDRED * share))
    ends = f'y1="{top - 4}" y2="{top + _BAR_HEIGHT + 4}"'
    return f'<line class="chart__tick" x1="{place}" x2="{place}" {ends}/>'


def _value_text(chart: Chart, value: Decimal) -> str:
    shown = quantity_text(value, chart.unit)
    if chart.type is ChartType.LADDER and chart.baseline:
        return f"{shown} · {_share(value, chart.baseline)}"
    return shown


def _share(value: Decimal, baseline: ChartBaseline) -> str:
    """Give a number in per cent of the baseline, to three digits."""
    share = _HUNDRED * value / baseline.value
    digits = max(0, 2 - share.adjusted()) if share else 0
    return f"{number_text(round(share, digits))}%"


def _line(chart: Chart, table: Table) -> str:
    """Draw a line for each column over the first one, with a mark at each number."""
    x_values = [Decimal(name) for name in table.names]
    y_values = [value for row in table.numbers for value in row]
    x_log = chart.log in {LogAxes.X, LogAxes.BOTH}
    y_log = chart.log in {LogAxes.Y, LogAxes.BOTH}
    across = logarithmic(x_values) if x_log else linear(x_values, from_zero=False)
    up = logarithmic(y_values) if y_log else linear(y_values, from_zero=True)
    order = sorted(range(len(x_values)), key=lambda number: x_values[number])
    parts = [_grid(across, up)]
    for series in range(len(table.columns) - 1):
        points = [
            (across.place(x_values[number]), 100 - up.place(table.numbers[number][series]))
            for number in order
        ]
        parts += _path(points, series)
        parts += [_mark(point, series) for point in points]
    return _plot(chart, table.columns[0], parts)


def _roofline(chart: Chart, table: Table) -> str:
    """Draw the roof, and each thing below it at its intensity and its speed."""
    peak, bandwidth = chart.peak or Decimal(1), chart.bandwidth or Decimal(1)
    ridge = peak / bandwidth
    xs, ys = [row[0] for row in table.numbers], [row[1] for row in table.numbers]
    across = logarithmic([*xs, ridge / 4, ridge * 4])
    up = logarithmic([*ys, peak, max(bandwidth * across.low, peak / 1000)])
    start = max(across.low, up.low / bandwidth)
    corners = [(start, start * bandwidth), (ridge, peak), (across.high, peak)]
    roof = [(across.place(x), 100 - up.place(y)) for x, y in corners]
    parts = [_grid(across, up), *_path(roof, 0)]
    for name, x, y in zip(table.names, xs, ys, strict=True):
        place = (across.place(x), 100 - up.place(y))
        parts.append(_mark(place, 0))
        # Below the mark, since the roof is above it.
        side = ' text-anchor="end"' if place[0] > _HALF else ""
        left, down = map(_percent, place)
        parts.append(f'<text x="{left}" y="{down}" dy="20"{side}>{escape(name)}</text>')
    return _plot(chart, table.columns[1], parts)


def _grid(across: Axis, up: Axis) -> str:
    parts = []
    for tick in up.ticks:
        place = _percent(100 - up.place(tick))
        parts.append(f'<line class="chart__grid" x2="100%" y1="{place}" y2="{place}"/>')
        parts.append(f'<text y="{place}" dx="-6" dy="4" text-anchor="end">{_short(tick)}</text>')
    parts += [
        f'<text x="{_percent(across.place(tick))}" y="100%" dy="18" text-anchor="middle">'
        f"{_short(tick)}</text>"
        for tick in across.ticks
    ]
    return "".join(parts)


def _short(tick: Decimal) -> str:
    """Give a number for an axis: millions have no room to be written out."""
    if abs(tick) < _MILLION:
        return number_text(tick)
    return f"{number_text((tick / _MILLION).normalize())}M"


def _path(points: Sequence[tuple[float, float]], series: int) -> Iterator[str]:
    """Give the way through points as single lines: only they take per cent."""
    for (x1, y1), (x2, y2) in pairwise(points):
        yield (
            f'<line class="chart__line" data-series="{series}" x1="{_percent(x1)}"'
            f' y1="{_percent(y1)}" x2="{_percent(x2)}" y2="{_percent(y2)}"/>'
        )


def _mark(point: tuple[float, float], series: int) -> str:
    x, y = map(_percent, point)
    return (
        f'<svg x="{x}" y="{y}" overflow="visible"><path class="chart__mark"'
        f' data-series="{series}" d="{_MARKS[series]}"/></svg>'
    )


def _plot(chart: Chart, across: str, parts: Iterable[str]) -> str:
    """Put a drawing between its axes; the numbers of the upright one stand left of it."""
    height = _PLOT_TOP + _PLOT_HEIGHT + _PLOT_BOTTOM
    inner = (
        f'<svg x="19%" y="{_PLOT_TOP}" width="71%" height="{_PLOT_HEIGHT}" overflow="visible">'
        f"{''.join(parts)}</svg>"
    )
    return _svg(chart, height, [inner, _text(90, height - 6, across, "chart__name", "end")])


def _svg(chart: Chart, height: int, parts: Iterable[str]) -> str:
    label = escape(f"{chart.title}. Drawn as a {chart.type}; the numbers are in the table below.")
    return (
        f'<svg class="chart__drawing" role="img" aria-label="{label}" width="100%"'
        f' height="{height}">{"".join(parts)}</svg>'
    )


def _text(x: float, y: int, text: str, name: str = "", anchor: str = "") -> str:
    kind = f' class="{name}"' if name else ""
    side = f' text-anchor="{anchor}"' if anchor and anchor != "start" else ""
    return f'<text{kind} x="{_percent(x)}" y="{y}"{side}>{escape(text)}</text>'


def _percent(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"


def _key(chart: Chart, table: Table) -> str:
    """Say which line is which; bars say it themselves."""
    if chart.type is not ChartType.LINE:
        return ""
    names = [name if chart.unit is None else f"{name} ({chart.unit})" for name in table.columns[1:]]
    items = "".join(
        f'<li><svg width="28" height="12" aria-hidden="true"><line class="chart__line"'
        f' data-series="{series}" x2="28" y1="6" y2="6"/><svg x="14" y="6" overflow="visible">'
        f'<path class="chart__mark" data-series="{series}" d="{_MARKS[series]}"/></svg></svg>'
        f" {escape(name)}</li>"
        for series, name in enumerate(names)
    )
    return f'<ul class="chart__key">{items}</ul>'


def _note(chart: Chart, table: Table) -> str:
    """Say in words what the roof is; its numbers are in no row of the table."""
    if chart.peak is None or chart.bandwidth is None:
        return ""
    up = escape(chart.unit or table.columns[2])
    rise, peak = number_text(chart.bandwidth), quantity_text(chart.peak, chart.unit)
    ridge = chart.peak / chart.bandwidth
    turn = number_text(round(ridge, max(0, 2 - ridge.adjusted())))
    words = f"The roof is {rise} times the intensity, up to {escape(peak)} at {turn}."
    return f'<p class="chart__note">Upwards: {up}. {words}</p>'


def _table(chart: Chart, table: Table) -> str:
    """Give the numbers as they were written, and what they are held against."""
    unit = f" ({escape(chart.unit)})" if chart.unit else ""
    with_unit = range(2 if chart.type is ChartType.ROOFLINE else 1, len(table.columns))
    heads = [
        escape(name) + (unit if number in with_unit else "")
        for number, name in enumerate(table.columns)
    ]
    rows = list(zip(table.names, table.numbers, strict=True))
    base = chart.baseline
    if base:
        rows.append((base.label, (base.value,) * (len(table.columns) - 1)))
    ladder = base if chart.type is ChartType.LADDER else None
    if ladder:
        heads.append(f"of {escape(ladder.label)}")
    head = "".join(_HEAD if not number else _NUMBER_HEAD for number in range(len(heads)))
    body = "".join(_row(name, numbers, ladder) for name, numbers in rows)
    return f"<table><thead><tr>{head.format(*heads)}</tr></thead><tbody>{body}</tbody></table>"


def _row(name: str, numbers: Sequence[Decimal], ladder: ChartBaseline | None) -> str:
    cells = [number_text(value) for value in numbers]
    if ladder:
        cells.append(_share(numbers[0], ladder))
    shown = "".join(f'<td class="align-right">{cell}</td>' for cell in cells)
    return f'<tr><th scope="row">{escape(name)}</th>{shown}</tr>'
