"""What the type of a field makes of a text, and every fault with its place."""

from decimal import Decimal
from typing import TypeVar

import pytest

from batcher_site.frontmatter import parse
from batcher_site.model import (
    Metric,
    NowItem,
    Outcome,
    OwnerLink,
    PartialDate,
    Present,
    ProjectMeta,
    PullRequest,
    Reading,
    Site,
    Station,
    Status,
    WritingMeta,
)
from batcher_site.validation import Converted, convert

T = TypeVar("T")
PATH = "content/x.yaml"
PROJECT = "title: T\nsummary: S\n"


def converted(text: str, kind: type[T]) -> Converted[T]:
    node = parse(text, PATH)
    assert node is not None
    return convert(node, kind, PATH)


def value(text: str, kind: type[T]) -> T:
    made = converted(text, kind)
    assert made.errors == ()
    assert made.value is not None
    return made.value


def faults(text: str, kind: type[T]) -> list[str]:
    made = converted(text, kind)
    assert made.value is None
    assert made.errors
    assert {error.source for error in made.errors} == {PATH}
    return [str(error).removeprefix(f"{PATH}:") for error in made.errors]


def fault(text: str, kind: type[T]) -> str:
    (found,) = faults(text, kind)
    return found


def hint(text: str, kind: type[T]) -> str | None:
    (error,) = converted(text, kind).errors
    return error.hint


# --- all faults together ------------------------------------------------------------------------


def test_five_faults_of_one_file_are_told_together_with_their_lines() -> None:
    text = (
        "title: T\n"
        "sumary: S\n"
        "date: 2026-13\n"
        "pinned: yes\n"
        "metrics:\n"
        "  - label: Speed\n"
        "    values:\n"
        "      - value: 1,030\n"
        "  - values: text\n"
        "    outcome: victory\n"
    )
    assert faults(text, ProjectMeta) == [
        '2:1: unknown key "sumary"',
        "1:1: summary is missing",
        '3:7: date: expected a date (YYYY, YYYY-MM or YYYY-MM-DD), got "2026-13"',
        '4:9: pinned: expected true or false, got "yes"',
        '8:16: metrics[0].values[0].value: expected a number, got "1,030"',
        "9:5: metrics[1].label is missing",
        '10:14: metrics[1].outcome: expected one of win, loss, tie, pending, got "victory"',
    ]


def test_nothing_is_made_where_one_field_is_wrong() -> None:
    assert converted("title: T\nsummary: S\norder: x\n", ProjectMeta).value is None


# --- keys ---------------------------------------------------------------------------------------


def test_an_unknown_key_is_refused_with_the_nearest_known_one() -> None:
    assert fault(PROJECT + "statsu: done\n", ProjectMeta) == '3:1: unknown key "statsu"'
    assert hint(PROJECT + "statsu: done\n", ProjectMeta) == 'did you mean "status"?'


def test_an_unknown_key_like_no_other_is_refused_with_all_known_ones() -> None:
    assert hint("tag: x\ntext: y\nqqq: z", NowItem) == ("known keys: tag, text")


def test_an_unknown_key_inside_a_mapping_says_in_which() -> None:
    text = PROJECT + "request:\n  promt: 5\n"
    assert fault(text, ProjectMeta) == '4:3: unknown key "promt" in request'


def test_a_slug_is_not_a_key_because_the_file_has_a_name() -> None:
    assert hint(PROJECT + "slug: x\n", ProjectMeta) == (
        "the file's name is the slug: rename the file instead"
    )


def test_a_missing_key_is_told_at_its_mapping_with_the_line_to_add() -> None:
    assert fault("title: T\n", ProjectMeta) == "1:1: summary is missing"
    assert hint("title: T\n", ProjectMeta) == 'add "summary: …"'


@pytest.mark.parametrize("nothing", ["", "~", "null"])
def test_a_required_key_without_a_value_is_refused(nothing: str) -> None:
    text = f"title: {nothing}\nsummary: S\n"
    assert fault(text, ProjectMeta) == "1:1: title is empty"
    assert hint(text, ProjectMeta) == 'write a value after "title:"'


def test_an_optional_key_without_a_value_takes_its_default() -> None:
    made = value(PROJECT + "status:\ntags:\nrequest:\norder: ~\n", ProjectMeta)
    assert (made.status, made.tags, made.order) == (Status.DONE, [], None)


def test_a_key_may_have_a_name_that_python_reserves() -> None:
    made = value("label: L\nvalues: [{value: 2}]\nfrom: {value: 1}\n", Metric)
    assert made.from_ is not None
    assert made.from_.value == 1
    assert fault("label: L\nvalues: x\nfrom_: {value: 1}\n", Metric) == ('3:1: unknown key "from_"')


# --- single values ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["no", "yes", "on", "off", "1.10", "012", "2026-10-05", "true"])
def test_a_text_field_takes_the_word_as_it_is_written(text: str) -> None:
    assert value(f"title: {text}\nsummary: S\n", ProjectMeta).title == text


def test_a_text_is_not_empty() -> None:
    assert fault("title: ''\nsummary: S\n", ProjectMeta) == '1:8: title: expected text, got ""'


@pytest.mark.parametrize("escape", ["\\x01", "\\x7f", "\\x85", "\\uFFFF", "\\0"])
def test_a_text_holds_no_control_signs(escape: str) -> None:
    said = fault(f'title: "a{escape}b"\nsummary: S\n', ProjectMeta)
    assert said.startswith("1:8: title: expected text, got ")


def test_a_text_may_hold_line_ends_and_tabs() -> None:
    assert value('title: "a\\tb\\nc"\nsummary: S\n', ProjectMeta).title == "a\tb\nc"


@pytest.mark.parametrize(("text", "truth"), [("true", True), ("false", False)])
def test_a_truth_value_is_true_or_false(text: str, *, truth: bool) -> None:
    assert value(f"{PROJECT}pinned: {text}\n", ProjectMeta).pinned is truth


@pytest.mark.parametrize("text", ["yes", "on", "True", "1", "'true'"])
def test_another_word_is_no_truth_value(text: str) -> None:
    said = fault(f"{PROJECT}pinned: {text}\n", ProjectMeta)
    assert said.startswith("3:9: pinned: expected true or false")
    assert hint(f"{PROJECT}pinned: {text}\n", ProjectMeta) == (
        "only true and false are truth values; yes, no, on, off are words"
    )


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("-3", -3), ("+4", 4), ("9" * 18, 10**18 - 1)]
)
def test_a_whole_number_is_digits(text: str, number: int) -> None:
    assert value(f"{PROJECT}order: {text}\n", ProjectMeta).order == number


@pytest.mark.parametrize(
    "text", ["012", "1.0", "'1'", "1_000", "0x1F", "0o17", "1e3", "1:30", "٣", "9" * 19]
)
def test_what_only_looks_like_a_whole_number_is_refused(text: str) -> None:
    said = fault(f"{PROJECT}order: {text}\n", ProjectMeta)
    assert said.startswith("3:8: order: expected a whole number, got ")


@pytest.mark.parametrize("text", ["0", "1.10", "-0.5", "+2", "1030", "0.001"])
def test_a_number_keeps_the_decimals_that_it_is_written_with(text: str) -> None:
    assert str(value(f"value: {text}", Reading).value) == text.removeprefix("+")


@pytest.mark.parametrize(
    "text", ["012", "1,030", "'1'", ".5", "1.", "1e3", "~1", "1 %", "nan", ".inf", "1_0", "9" * 41]
)
def test_what_only_looks_like_a_number_is_refused(text: str) -> None:
    said = fault(f"value: {text}", Reading)
    assert said.startswith("1:8: value: expected a number, got ")
    assert hint(f"value: {text}", Reading) == (
        "write digits and a point, without quotes, commas or a unit"
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("2026", (2026, None, None)),
        ("2026-10", (2026, 10, None)),
        ("2028-02-29", (2028, 2, 29)),
        ("'2026-10-05'", (2026, 10, 5)),
    ],
)
def test_a_date_is_as_exact_as_it_is_written(
    text: str, parts: tuple[int, int | None, int | None]
) -> None:
    assert value(f"title: T\ndate: {text}\n", WritingMeta).date == PartialDate(*parts)


@pytest.mark.parametrize(
    "text",
    [
        "2026-13",
        "2026-00",
        "2026-10-00",
        "2026-02-30",
        "2027-02-29",
        "2026-1-5",
        "5.10.2026",
        "0000",
        "20261005",
        "2026-10-05T10:00",
        "today",
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    said = fault(f"title: T\ndate: {text}\n", WritingMeta)
    assert said == f'2:7: date: expected a date (YYYY, YYYY-MM or YYYY-MM-DD), got "{text}"'


@pytest.mark.parametrize("word", ["present", "Present", "now", "today"])
def test_an_end_may_be_the_present(word: str) -> None:
    assert value(f"start: 2026\nend: {word}\nrole: R\n", Station).end == Present()


def test_an_end_is_a_date_else() -> None:
    assert value("start: 2025\nend: 2026-08\nrole: R\n", Station).end == PartialDate(2026, 8)
    assert fault("start: 2025\nend: soon\nrole: R\n", Station).startswith(
        "2:6: end: expected a date"
    )


def test_a_start_is_not_the_present() -> None:
    assert fault("start: present\nrole: R\n", Station).startswith("1:8: start: expected a date")


def test_a_word_of_a_fixed_list_is_one_of_them() -> None:
    assert value("label: L\nvalues: x\noutcome: loss\n", Metric).outcome is Outcome.LOSS
    assert fault(PROJECT + "status: don\n", ProjectMeta) == (
        '3:9: status: expected one of done, in-progress, planned, got "don"'
    )
    assert hint(PROJECT + "status: don\n", ProjectMeta) == 'did you mean "done"?'
    assert hint(PROJECT + "status: 777\n", ProjectMeta) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prompt: 0", '3:20: request.prompt: expected a whole number from 1 to 4096, got "0"'),
        ("arrival: -1", '3:21: request.arrival: expected a whole number from 0 to 10000, got "-1"'),
    ],
)
def test_a_number_outside_its_range_is_refused_with_the_range(text: str, said: str) -> None:
    assert fault(f"{PROJECT}request: {{ {text} }}\n", ProjectMeta) == said


def test_a_range_without_an_upper_end_is_told_so() -> None:
    text = "repository: r\nnumber: 0\ntitle: T\nmonth: 2026-10\nstatus: open\n"
    assert fault(text, PullRequest) == '2:9: number: expected a whole number, 1 or more, got "0"'


@pytest.mark.parametrize(
    "url",
    ["https://a.example", "http://a.example/b?c#d", "mailto:ada@a.example", "https://a.example/ü"],
)
def test_an_address_has_a_scheme_that_is_allowed(url: str) -> None:
    assert value(f"label: L\nurl: {url}\n", OwnerLink).url == url


@pytest.mark.parametrize(
    "url",
    [
        "a.example",
        "javascript:alert(1)",
        "https://",
        "https:///x",
        "'https://a.example/ b'",
        "'https://a.example\\n'",
        "//a.example",
        "ftp://a.example",
        '"https://a.example/\\n"',
    ],
)
def test_another_address_is_refused(url: str) -> None:
    assert fault(f"label: L\nurl: {url}\n", OwnerLink).startswith(
        "2:6: url: expected an address that begins with https://, http:// or mailto:, got "
    )


@pytest.mark.parametrize(
    ("key", "text", "told"),
    [
        ("url", "https://me@a.example/", "the site's whole address"),
        ("url", "https://a.example/?q", "the site's whole address"),
        ("domain", "https://a.example", "a domain, such as"),
        ("domain", "localhost", "a domain, such as"),
        ("language", "English", "a language tag"),
    ],
)
def test_a_setting_says_what_it_expects(key: str, text: str, told: str) -> None:
    settings = "title: T\nowner: {name: N, role: R, pitch: P}\n"
    assert f"{key}: expected {told}" in fault(f"{settings}{key}: {text}\n", Site)


def test_a_long_text_is_cut_in_a_message() -> None:
    said = fault(f"{PROJECT}order: {'x' * 61}\n", ProjectMeta)
    assert said.endswith(f'got "{"x" * 60}…"')
    assert fault(f"{PROJECT}order: {'x' * 60}\n", ProjectMeta).endswith(f'got "{"x" * 60}"')


# --- lists and mappings -------------------------------------------------------------------------


def test_a_list_is_not_a_single_value() -> None:
    assert fault(PROJECT + "tags: one\n", ProjectMeta) == '3:7: tags: expected a list, got "one"'
    assert hint(PROJECT + "tags: one\n", ProjectMeta) == (
        "put each item on a line that begins with -"
    )


def test_a_single_value_is_not_a_list() -> None:
    assert fault("title: [a]\nsummary: S\n", ProjectMeta) == "1:8: title: expected text, got a list"


def test_a_text_is_not_a_mapping() -> None:
    said = fault("title: {a: 1}\nsummary: S\n", ProjectMeta)
    assert said == "1:8: title: expected text, got a mapping"


def test_a_mapping_is_not_a_single_value() -> None:
    text = PROJECT + "request: 5\n"
    assert fault(text, ProjectMeta) == '3:10: request: expected a mapping, got "5"'
    assert hint(text, ProjectMeta) == "its keys are prompt, output, arrival"


def test_every_wrong_item_of_a_list_is_told() -> None:
    assert faults(PROJECT + "tags: [a, '', [b]]\n", ProjectMeta) == [
        '3:11: tags[1]: expected text, got ""',
        "3:15: tags[2]: expected text, got a list",
    ]


def test_a_list_item_is_not_nothing() -> None:
    assert fault(PROJECT + "tags:\n  - a\n  -\n", ProjectMeta).startswith(
        "5:4: tags[1]: expected text, got "
    )


def test_a_list_that_needs_an_item_is_not_empty() -> None:
    said = fault("label: L\nvalues: []\n", Metric)
    assert said == "2:9: values: expected a list that is not empty, got a list"


def test_values_are_readings_or_a_text() -> None:
    assert value("label: L\nvalues: measuring\n", Metric).values == "measuring"
    assert value("label: L\nvalues: [{value: 2, unit: ms}]\n", Metric).values == [
        Reading(value=Decimal(2), unit="ms")
    ]
    assert fault("label: L\nvalues: {value: 2}\n", Metric) == (
        "2:9: values: expected text, got a mapping"
    )


def test_the_names_of_a_mapping_are_checked_like_its_values() -> None:
    owner = "name: N\nrole: R\npitch: P\nlinks:\n"
    settings = f"title: T\nowner:\n  {owner}".replace("\nr", "\n  r").replace("\np", "\n  p")
    text = settings.replace("\nlinks", "\n  links") + "    Git Hub: {label: 7, url: x}\n"
    slug = "a slug (small letters, digits and single hyphens)"
    url = "an address that begins with https://, http:// or mailto:"
    assert faults(text, Site) == [
        f'7:5: the name Git Hub: expected {slug}, got "Git Hub"',
        f'7:30: owner.links.Git Hub.url: expected {url}, got "x"',
    ]


@pytest.mark.parametrize("links", ["[a]", "word"])
def test_a_mapping_of_names_is_a_mapping(links: str) -> None:
    text = f"title: T\nowner: {{name: N, role: R, pitch: P, links: {links}}}\n"
    assert "owner.links: expected a mapping of names to values" in fault(text, Site)


def test_a_whole_that_is_no_mapping_is_told_without_a_name() -> None:
    assert fault("- a\n", ProjectMeta) == "1:1: expected a mapping, got a list"


def test_a_list_of_values_may_be_the_whole() -> None:
    assert faults("- {start: 2026}\n- word\n", list[Station]) == [
        "1:3: entry 1.role is missing",
        '2:3: entry 2: expected a mapping, got "word"',
    ]


@pytest.mark.parametrize(
    ("kind", "empty"), [(list[Station], []), (dict[str, str], {}), (str | None, None)]
)
def test_nothing_is_an_empty_list_an_empty_mapping_or_nothing(
    kind: type[object], empty: object
) -> None:
    made = converted("~", kind)
    assert (made.value, made.errors) == (empty, ())


# --- notices ------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["", "\n        url:", "\n        url: ~"])
def test_a_link_without_an_address_is_a_notice(url: str) -> None:
    text = (
        "title: T\nowner:\n  name: N\n  role: R\n  pitch: P\n  links:\n"
        f"    github:\n        label: GitHub{url}\n"
        "url: https://ada.example/\n"
    )
    made = converted(text, Site)
    assert made.value is not None
    line = 9 if url else 8
    assert [str(notice) for notice in made.notices] == [
        f"{PATH}:{line}: owner.links.github has no url"
    ]


def test_a_link_with_an_address_is_no_notice() -> None:
    assert converted("label: L\nurl: https://a.example\n", OwnerLink).notices == ()


def test_a_missing_link_of_the_whole_is_a_notice() -> None:
    text = "repository: r\nnumber: 1\ntitle: T\nmonth: 2026-10\nstatus: open\n"
    assert [notice.message for notice in converted(text, PullRequest).notices] == [
        "there is no url"
    ]


def test_another_key_without_a_value_is_no_notice() -> None:
    assert converted(PROJECT + "cover:\n", ProjectMeta).notices == ()


def test_the_evidence_of_a_metric_is_no_link_that_must_be_there() -> None:
    assert converted("label: L\nvalues: x\n", Metric).notices == ()
