"""Blocks of numbers to figures: what is drawn, what is told, and where a fault is."""

import re
from xml.etree import ElementTree as ET

import pytest

from batcher_site import charts
from batcher_site.errors import ContentError, SiteErrors
from batcher_site.model import Source

PATH = "content/projects/a.md"


def figure(block: str, **tables: str) -> ET.Element:
    """Give the figure as a tree; its parse proves that it is well-formed."""
    return ET.fromstring(charts.render(block, source(tables), (10, 1), str.upper))


def source(tables: dict[str, str]) -> Source:
    paths = {f"content/projects/{name}.csv": text for name, text in tables.items()}
    return Source(PATH, "", 1, paths)


def faults(block: str, **tables: str) -> list[str]:
    with pytest.raises((SiteErrors, ContentError)) as raised:
        charts.render(block, source(tables), (10, 1), str.upper)
    error = raised.value
    return [str(one) for one in (error.errors if isinstance(error, SiteErrors) else (error,))]


def rows(drawn: ET.Element) -> list[list[str]]:
    return [["".join(cell.itertext()) for cell in row] for row in drawn.iter("tr")]


def drawn(tree: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in tree.iter() if element.get("class") == name]


BARS = """\
title: T & <b>
unit: tok/s
data:
  - {requests: 1, speed: 82}
  - {requests: "32", speed: 1030}
"""


def test_bars_are_to_scale_and_the_longest_fills_the_drawing() -> None:
    bars = drawn(figure(BARS), "chart__bar")
    assert [bar.get("width") for bar in bars] == ["7.96%", "100%"]


def test_a_drawing_has_a_name_and_its_numbers_as_a_table() -> None:
    tree = figure(BARS)
    drawing = tree.find("svg")
    assert drawing is not None
    assert drawing.get("role") == "img"
    assert (drawing.get("aria-label") or "").startswith("T & <b>. ")
    assert tree.findtext("figcaption") == "T & <b>"
    assert rows(tree) == [["requests", "speed (tok/s)"], ["1", "82"], ["32", "1,030"]]


def test_a_drawing_brings_no_style_of_its_own() -> None:
    text = charts.render(BARS, source({}), (1, 1), str.upper)
    assert not re.search(r"\s(?:style|fill|stroke|font-\w+|id)=|<(?:style|script)", text)


def test_a_bar_is_held_against_its_baseline() -> None:
    tree = figure(f"{BARS}baseline: {{label: theirs, value: 2060}}\n")
    assert [bar.get("width") for bar in drawn(tree, "chart__bar")] == ["3.98%", "50%"]
    assert {tick.get("x1") for tick in drawn(tree, "chart__tick")} == {"100%"}
    assert rows(tree)[-1] == ["theirs", "2,060"]


def test_per_cent_are_drawn_as_parts_of_a_whole() -> None:
    block = BARS.replace("tok/s", '"%"').replace("1030", "46.4")
    assert [bar.get("width") for bar in drawn(figure(block), "chart__bar")] == ["82%", "46.4%"]
    more = BARS.replace("tok/s", '"%"').replace("1030", "164")
    assert [bar.get("width") for bar in drawn(figure(more), "chart__bar")] == ["50%", "100%"]


def test_a_group_has_a_bar_for_each_series() -> None:
    tree = figure(
        "title: T\ndata:\n  - {load: one, p50: 1, p99: 4}\n  - {load: two, p50: 2, p99: 0}\n"
    )
    bars = [(bar.get("data-series"), bar.get("width")) for bar in drawn(tree, "chart__bar")]
    assert bars == [("0", "25%"), ("1", "100%"), ("0", "50%"), ("1", "0%")]
    assert "p99" in [text.text for text in tree.iter("text")]


def test_a_ladder_tells_each_rung_in_per_cent_of_the_baseline() -> None:
    block = """\
type: ladder
title: T
baseline: {label: cuBLAS, value: 30000}
data:
  - {kernel: naive, speed: 300}
  - {kernel: tiled, speed: 8200}
  - {kernel: best, speed: 31000}
"""
    tree = figure(block)
    assert rows(tree)[0] == ["kernel", "speed", "of cuBLAS"]
    assert [row[2] for row in rows(tree)[1:]] == ["1.00%", "27.3%", "103%", "100%"]


def test_a_line_goes_through_its_numbers_in_the_order_of_x() -> None:
    block = "type: line\ntitle: T\ndata:\n" + "".join(
        f"  - {{x: {x}, y: {y}}}\n" for x, y in ((10, 10), (0, 0), (5, 10))
    )
    lines = drawn(figure(block), "chart__line")[1:]
    ends = [[line.get(name) for name in ("x1", "y1", "x2", "y2")] for line in lines]
    assert ends == [["0%", "100%", "50%", "0%"], ["50%", "0%", "100%", "0%"]]


def test_an_axis_of_decades_has_equal_steps_for_equal_factors() -> None:
    block = "type: line\ntitle: T\nlog: both\nfile: x.csv\n"
    tree = figure(block, x="n, speed\n1, 1\n10, 100\n100, 10000\n")
    lines = drawn(tree, "chart__line")[1:]
    assert [line.get("x2") for line in lines] == ["50%", "100%"]
    assert [line.get("y2") for line in lines] == ["50%", "0%"]


def test_a_file_can_be_had() -> None:
    (link,) = figure("title: T\nfile: x.csv\n", x="n,a\n1,2\n").iter("a")
    assert (link.get("href"), link.text) == ("X.CSV", "x.csv")


def test_millions_are_short_beside_an_axis_and_whole_in_the_table() -> None:
    tree = figure("type: line\ntitle: T\nfile: x.csv\n", x="n,a\n1,0\n2,2500000\n")
    axis = [text.text for text in tree.iter("text") if text.get("dx") == "-6"]
    assert axis == ["0", "500,000", "1M", "1.5M", "2M", "2.5M"]
    assert rows(tree)[-1] == ["2", "2,500,000"]


def test_several_lines_have_a_key_with_their_marks() -> None:
    block = (
        "type: line\ntitle: T\nunit: ms\ndata:\n  - {x: 1, a: 1, b: 2}\n  - {x: 2, a: 3, b: 4}\n"
    )
    (key,) = drawn(figure(block), "chart__key")
    assert [("".join(item.itertext())).strip() for item in key] == ["a (ms)", "b (ms)"]
    marks = {mark.get("d") for mark in drawn(figure(block), "chart__mark")}
    assert len(marks) == 2


ROOFLINE = """\
type: roofline
title: T
unit: GFLOP/s
peak: 1000
bandwidth: 100
data:
  - {kernel: naive, FLOP/byte: 1, speed: 90}
"""


def test_a_roof_rises_to_its_peak_and_stays() -> None:
    tree = figure(ROOFLINE)
    rise, flat = drawn(tree, "chart__line")
    assert (rise.get("x2"), rise.get("y2")) == (flat.get("x1"), flat.get("y1"))
    assert flat.get("y1") == flat.get("y2") == "0%"
    assert rows(tree) == [["kernel", "FLOP/byte", "speed (GFLOP/s)"], ["naive", "1", "90"]]
    (note,) = drawn(tree, "chart__note")
    assert note.text is not None
    assert "100 times the intensity, up to 1,000 GFLOP/s at 10.0" in note.text


def test_a_long_name_goes_on_in_a_second_line() -> None:
    name = "a kernel with a name that no phone shows in one line"
    tree = figure(f"title: T\ndata:\n  - {{kernel: {name}, speed: 3}}\n")
    texts = [text.text or "" for text in tree.iter("text")]
    assert max(map(len, texts)) <= 34
    assert " ".join(texts[:-1]).split() == name.split()


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("", f"{PATH}:10:1: the chart is nothing"),
        ("- a", f"{PATH}:10:1: the chart is a list"),
        (
            "title: T\ntitle: U",
            f'{PATH}:11:1: the key "title" stands here again (first on line 10)',
        ),
        ("title: T", f"{PATH}:10:1: a chart has either data or a file"),
        ("title: T\ndata: []", f"{PATH}:11:7: a chart has either data or a file"),
        ("title: T\ndata:\n  - {a: x}", f"{PATH}:10:1: a bar is drawn from 2 to 5 columns, and"),
        ("title: T\ndata:\n  - {a: x, b: ten}", f'{PATH}:12:15: "ten" in the column "b" is not a'),
        (
            "title: T\ndata:\n  - {a: x, b: 1,000}",
            f"{PATH}:12:20: chart.data[0].000: expected text",
        ),
        (
            "title: T\ndata:\n  - {a: x, b: 1}\n  - {a: y}",
            f'{PATH}:13:5: the column "b" is missing',
        ),
        ("title: T\ndata:\n  - {a: x, b: -1}", f"{PATH}:12:15: -1 is below 0, where a bar begins"),
        ("title: T\nlog: y\ndata:\n  - {a: x, b: 1}", f"{PATH}:11:6: log is for a line"),
        (f"{BARS}peak: 3", f"{PATH}:15:7: peak is for a roofline, not for a bar"),
        ("type: ladder\n" + BARS, f"{PATH}:10:7: a ladder has no baseline"),
        (BARS + "baseline: {label: L, value: 0}", f"{PATH}:15:11: the baseline is not above 0"),
        (ROOFLINE.replace("peak: 1000\n", ""), f"{PATH}:10:1: a roofline needs a peak above 0"),
        (ROOFLINE.replace("90", "0"), f"{PATH}:16:42: 0 has no place on an axis of decades"),
        (
            "type: line\nlog: x\ntitle: T\ndata:\n  - {x: 0, y: 0}",
            f"{PATH}:14:9: 0 has no place on an axis of decades",
        ),
        ("title: T\nfile: ../../x.csv", f'{PATH}:11:7: "../../x.csv" leads out of content/'),
        ("title: T\nfile: gone.csv", f'{PATH}:11:7: there is no table "gone.csv"'),
    ],
)
def test_a_fault_of_a_block_is_told_at_its_place(block: str, told: str) -> None:
    (fault,) = faults(block)
    assert fault.startswith(told)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("", f"{PATH}:11:7: the chart's table has no row"),
        ("n,a\n", f"{PATH}:11:7: the chart's table has no row"),
        ("n,b\n1,2\n", f'{PATH}:12:14: the column "a" is missing'),
        ("n,a\n\n1,2,3\n", "content/projects/x.csv:3:1: the row has 3 cells, and the first line 2"),
        ("n,a,a\n1,2,3\n", "content/projects/x.csv:1:1: two columns have one name"),
        ('n,a\n1,"2\n', "content/projects/x.csv:2:1: not valid CSV: unexpected end of data"),
        (
            "n, a\n1, 2\nlong one, no\n",
            'content/projects/x.csv:3:11: "no" in the column "a" is not',
        ),
        ('n,a\n"1,5",\n', 'content/projects/x.csv:2:7: "" in the column "a" is not a number'),
    ],
)
def test_a_fault_of_a_file_is_told_in_the_file(table: str, told: str) -> None:
    (fault,) = faults("title: T\nfile: x.csv\ncolumns: [n, a]\n", x=table)
    assert fault.startswith(told)


def test_every_number_that_is_none_is_told_at_once() -> None:
    assert len(faults("title: T\nfile: x.csv\n", x="n,a,b\n1,x,2\n2,3,y\n")) == 2


def test_a_number_with_commas_is_told_without_them() -> None:
    with pytest.raises(SiteErrors) as raised:
        charts.render('title: T\ndata:\n  - {a: x, b: "1,030"}', source({}), (1, 1), str.upper)
    assert raised.value.errors[0].hint == "write 1030"


def test_a_table_that_nobody_can_read_is_refused() -> None:
    (fault,) = faults("title: T\nfile: x.csv\n", x="n,a\n" + "1,2\n" * 201)
    assert "201 rows, more than 200" in fault
