"""
What a chart is asked for, read and checked: a description and a table of numbers.

A fault is told where it stands: in the text's block, or in the CSV file.
"""

import csv
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from textwrap import indent

from msgspec import Struct

from batcher_site import frontmatter, validation
from batcher_site.errors import ContentError, SiteErrors
from batcher_site.model import Chart, ChartType, LogAxes, Source
from batcher_site.nodes import Entries, Node, kind_of, locate
from batcher_site.urls import CONTENT

MOST_ROWS = 200
MOST_SERIES = 4

_NUMBER = re.compile(r"[-+]?\d{1,18}(\.\d{1,18})?([eE][-+]?\d{1,2})?")
_ROOFLINE_COLUMNS = 3

Place = tuple[str, int, int]
"""A file, a line and a column."""


class Table(Struct, frozen=True):
    """The name of each column, and the rows: names of things, and numbers in the other columns."""

    columns: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[tuple[Decimal, ...], ...]


class _Raw(Struct, frozen=True):
    """A table as it is written: for each row its cells by the names of their columns."""

    rows: list[dict[str, str]]
    places: list[dict[str, Place]]
    row_places: list[Place]


def read(text: str, source: Source, line: int, column: int) -> tuple[Chart, Table]:
    """
    Read the block `text`, whose lines begin at a column of its source, the first at a line.

    Raises SiteErrors with every fault of the description, or every one of its numbers.
    """
    # As far in as it stands, so that columns are those of the file.
    indented = indent(text, " " * (column - 1))
    node = frontmatter.parse(indented, source.path, first_line=line)
    here = (source.path, line, column)
    if not isinstance(node, Entries):
        found = "nothing" if node is None else kind_of(node)
        raise SiteErrors([_fault(here, f"the chart is {found}", "write keys, such as title: …")])
    result = validation.convert(node, Chart, source.path, name="chart")
    chart = result.value
    if chart is None:
        raise SiteErrors(result.errors)
    faults = list(_contradictions(chart, source.path, node))
    if faults:
        raise SiteErrors(faults)
    raw = _from_file(chart, source, node) if chart.file else _from_data(chart, source.path, node)
    return chart, _checked(chart, raw, source.path, node)


def _contradictions(chart: Chart, path: str, node: Node) -> Iterator[ContentError]:
    """Give what each key allows by itself and they do not together."""

    def fault(key: str, message: str, hint: str) -> ContentError:
        return _fault((path, *locate(node, key)), message, hint)

    if bool(chart.data) == bool(chart.file):
        yield fault("data", "a chart has either data or a file", "give one of the two")
    if chart.log and chart.type is not ChartType.LINE:
        hint = "take it out: a roofline has decades anyway, and a bar begins at 0"
        yield fault("log", f"log is for a line, not for a {chart.type}", hint)
    if chart.type is ChartType.LADDER and chart.baseline is None:
        yield fault("type", "a ladder has no baseline", "add baseline: {label: …, value: …}")
    if chart.baseline is not None and chart.baseline.value <= 0:
        yield fault("baseline", "the baseline is not above 0", "give a number to be held against")
    if chart.baseline is not None and chart.type in {ChartType.LINE, ChartType.ROOFLINE}:
        hint = "add it as a column" if chart.type is ChartType.LINE else "peak is the roof"
        yield fault("baseline", f"a {chart.type} has no baseline", hint)
    for key, value in (("peak", chart.peak), ("bandwidth", chart.bandwidth)):
        if chart.type is not ChartType.ROOFLINE and value is not None:
            yield fault(key, f"{key} is for a roofline, not for a {chart.type}", "take it out")
        elif chart.type is ChartType.ROOFLINE and (value is None or value <= 0):
            yield fault(key, f"a roofline needs a {key} above 0", f"add {key}: a number")


def _from_data(chart: Chart, path: str, node: Node) -> _Raw:
    count = range(len(chart.data))
    return _Raw(
        chart.data,
        [
            {name: (path, *locate(node, "data", number, name)) for name in chart.data[number]}
            for number in count
        ],
        [(path, *locate(node, "data", number)) for number in count],
    )


def _from_file(chart: Chart, source: Source, node: Node) -> _Raw:
    name = chart.file or ""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), name))
    if path not in source.tables:
        message, hint = f'there is no table "{name}"', "put the CSV file beside the text"
        if not path.startswith(f"{CONTENT}/"):
            message, hint = (
                f'"{name}" leads out of {CONTENT}/',
                f"only files in {CONTENT}/ are read",
            )
        raise SiteErrors([_fault((source.path, *locate(node, "file")), message, hint)])
    return _from_csv(source.tables[path], path)


def _from_csv(text: str, path: str) -> _Raw:
    lines = text.splitlines()
    rows: list[dict[str, str]] = []
    places: list[dict[str, Place]] = []
    row_places: list[Place] = []
    header: list[str] = []
    reader = csv.reader(lines, strict=True, skipinitialspace=True)
    try:
        for cells in reader:
            number = reader.line_num
            if not any(cells):
                continue
            if not header:
                header = [cell.strip() for cell in cells]
                if len(set(header)) < len(header):
                    fault = _fault((path, number, 1), "two columns have one name", "rename one")
                    raise SiteErrors([fault])
                continue
            if len(cells) != len(header):
                message = f"the row has {len(cells)} cells, and the first line {len(header)}"
                fault = _fault((path, number, 1), message, "quote a cell that has a comma in it")
                raise SiteErrors([fault])
            starts = _starts(lines[number - 1], cells)
            rows.append(dict(zip(header, map(str.strip, cells), strict=True)))
            places.append(
                {name: (path, number, at) for name, at in zip(header, starts, strict=True)}
            )
            row_places.append((path, number, 1))
    except csv.Error as error:
        fault = _fault((path, reader.line_num, 1), f"not valid CSV: {error}", "close the quotes")
        raise SiteErrors([fault]) from None
    return _Raw(rows, places, row_places)


def _starts(line: str, cells: Sequence[str]) -> Iterator[int]:
    """Give the column at which each cell of a line begins."""
    end = 0
    for cell in cells:
        start = max(line.find(cell.strip(), end), end)
        yield start + 1
        end = line.find(",", start + len(cell.strip())) + 1 or len(line)


def _checked(chart: Chart, raw: _Raw, path: str, node: Node) -> Table:
    if not raw.rows:
        place = (path, *locate(node, "file" if chart.file else "data"))
        raise SiteErrors([_fault(place, "the chart's table has no row", "add one")])
    columns = tuple(chart.columns or raw.rows[0])
    faults = list(_column_faults(chart, columns, raw, path, node))
    if faults:
        raise SiteErrors(faults)
    faults = [
        fault
        for row, places in zip(raw.rows, raw.places, strict=True)
        for fault in _number_faults(chart, columns, row, places)
    ]
    if faults:
        raise SiteErrors(faults)
    return Table(
        columns,
        tuple(row[columns[0]] for row in raw.rows),
        tuple(tuple(Decimal(row[name]) for name in columns[1:]) for row in raw.rows),
    )


def _column_faults(
    chart: Chart, columns: Sequence[str], raw: _Raw, path: str, node: Node
) -> Iterator[ContentError]:
    start = (path, *locate(node, "columns" if chart.columns else "type"))
    wanted = _ROOFLINE_COLUMNS if chart.type is ChartType.ROOFLINE else 2
    most = _ROOFLINE_COLUMNS if chart.type is ChartType.ROOFLINE else MOST_SERIES + 1
    if not wanted <= len(columns) <= most:
        asked = str(wanted) if wanted == most else f"{wanted} to {most}"
        message = f"a {chart.type} is drawn from {asked} columns, and there are {len(columns)}"
        yield _fault(start, message, "pick them: columns: [name, number]")
    if len(raw.rows) > MOST_ROWS:
        message = f"the table has {len(raw.rows)} rows, more than {MOST_ROWS}"
        yield _fault(start, message, "draw fewer: nobody can read so many")
    for number, (row, place) in enumerate(zip(raw.rows, raw.row_places, strict=True)):
        for name in columns:
            if name not in row:
                near = get_close_matches(name, row, n=1)
                known = ", ".join(row)
                hint = f'did you mean "{near[0]}"?' if near else f"there are {known}"
                at = (path, *locate(node, "columns", columns.index(name)))
                yield _fault(
                    at if chart.columns and not number else place,
                    f'the column "{name}" is missing',
                    hint,
                )
        if chart.file and any(name not in row for name in columns):
            return  # every row of a file has the same columns


def _number_faults(
    chart: Chart, columns: Sequence[str], row: Mapping[str, str], places: Mapping[str, Place]
) -> Iterator[ContentError]:
    first = 0 if chart.type is ChartType.LINE else 1
    for number, name in enumerate(columns[first:], first):
        text = row[name]
        if not _NUMBER.fullmatch(text):
            plain = text.replace(",", "").replace("_", "")
            hint = "write digits and a point; the unit has its own key"
            hint = f"write {plain}" if _NUMBER.fullmatch(plain) else hint
            message = f'"{text}" in the column "{name}" is not a number'
            yield _fault(places[name], message, hint)
        elif Decimal(text) <= 0 and _is_log(chart, number):
            message = f"{text} has no place on an axis of decades"
            yield _fault(places[name], message, "only numbers above 0 have one")
        elif Decimal(text) < 0 and chart.type in {ChartType.BAR, ChartType.LADDER}:
            message = f"{text} is below 0, where a bar begins"
            yield _fault(places[name], message, "draw a line")


def _is_log(chart: Chart, column: int) -> bool:
    if chart.type is ChartType.ROOFLINE:
        return True
    return chart.log is LogAxes.BOTH or chart.log is (LogAxes.Y if column else LogAxes.X)


def _fault(place: Place, message: str, hint: str) -> ContentError:
    path, line, column = place
    return ContentError(message, source=path, line=line, column=column, hint=hint)
