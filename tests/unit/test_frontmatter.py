"""The reader of YAML: what it takes as text, what it refuses, and where it says so."""

import pytest

from batcher_site.errors import ContentError
from batcher_site.frontmatter import MAX_DEPTH, parse, split
from batcher_site.nodes import Entries, Items, Scalar, is_null, kind_of, locate

PATH = "content/x.yaml"


def refused(text: str, *, first_line: int = 1) -> ContentError:
    with pytest.raises(ContentError) as caught:
        parse(text, PATH, first_line=first_line)
    assert caught.value.hint
    return caught.value


def refused_file(text: str) -> ContentError:
    with pytest.raises(ContentError) as caught:
        split(text, PATH)
    assert caught.value.hint
    return caught.value


# --- text to nodes ------------------------------------------------------------------------------


def test_nodes_carry_the_line_and_column_on_which_they_stand() -> None:
    node = parse("a: 1\nb:\n  - x\n  - 'y'\n", PATH)
    assert node == Entries(
        (
            (Scalar("a", True, 1, 1), Scalar("1", True, 1, 4)),
            (
                Scalar("b", True, 2, 1),
                Items((Scalar("x", True, 3, 5), Scalar("y", False, 4, 5)), 3, 3),
            ),
        ),
        1,
        1,
    )


def test_lines_are_counted_from_the_first_line_that_is_given() -> None:
    node = parse("a: 1\nb: 2\n", PATH, first_line=5)
    assert isinstance(node, Entries)
    assert [key.line for key, _ in node.pairs] == [5, 6]


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "Yes",
        "on",
        "OFF",
        "1.10",
        "012",
        "1:30:00",
        "0x1F",
        "1_000",
        "2026-10-05",
        "null",
        "=",
    ],
)
def test_a_plain_scalar_stays_the_text_that_it_is(text: str) -> None:
    """YAML 1.1 would read truth values, base-60 and octal numbers, and dates into some of these."""
    node = parse(f"a: {text}", PATH)
    assert isinstance(node, Entries)
    assert node.pairs[0][1] == Scalar(text, True, 1, 4)


@pytest.mark.parametrize("style", ["'{}'", '"{}"', "|\n  {}", ">\n  {}"])
def test_a_text_in_quotes_or_a_block_is_not_plain(style: str) -> None:
    node = parse("a: " + style.format("true"), PATH)
    assert isinstance(node, Entries)
    value = node.pairs[0][1]
    assert isinstance(value, Scalar)
    assert (value.text.strip(), value.plain) == ("true", False)


def test_a_merge_key_is_a_key_like_any_other() -> None:
    node = parse("<<: {a: 1}\n", PATH)
    assert isinstance(node, Entries)
    assert [key.text for key, _ in node.pairs] == ["<<"]


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "--- # x\n...\n"])
def test_a_document_without_anything_is_none(text: str) -> None:
    assert parse(text, PATH) is None


def test_an_empty_text_in_quotes_is_not_nothing() -> None:
    assert parse("''", PATH) == Scalar("", False, 1, 1)


def test_the_marks_of_one_document_are_allowed() -> None:
    node = parse("---\na: 1\n...\n", PATH)
    assert isinstance(node, Entries)
    assert node.line == 2


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a:\n\tb: 1\n", "2:1: indented by a tab; YAML needs spaces"),
        ("a:\n  \tb: 1\n", "2:3: indented by a tab; YAML needs spaces"),
        ("a: 1\n  \tb: 2\n", "2:3: indented by a tab; YAML needs spaces"),
        ("a: 1\nb: 2\na: 3\n", '3:1: the key "a" stands here again (first on line 1)'),
        ("a:\n  - b: 1\n    'b': 2\n", '3:5: the key "b" stands here again (first on line 2)'),
        ("a: &name 1\n", "1:4: anchors (&) and aliases (*) are not read"),
        ("a: &name [1]\n", "1:4: anchors (&) and aliases (*) are not read"),
        ("b: *name\n", "1:4: anchors (&) and aliases (*) are not read"),
        ("a: !!str 1\n", '1:4: the tag "tag:yaml.org,2002:str" is not read'),
        ("a: !python/object {}\n", '1:4: the tag "!python/object" is not read'),
        ("a: ! important\n", '1:4: the tag "!" is not read'),
        ("a: 1\n---\nb: 2\n", "2:1: a second YAML document begins here"),
        ("a: 1\n...\n---\nb: 2\n", "3:1: a second YAML document begins here"),
        ("a: x: y\n", "1:5: a text with a colon and a space in it needs quotes"),
        ("[a]: 1\n", "1:1: a key must be a word"),
        ("{a: 1}: 2\n", "1:1: a key must be a word"),
        ("a: \0\n", "1:4: the character U+0000 may not stand in YAML"),
        ("a: é\nb: é\x07\n", "2:5: the character U+0007 may not stand in YAML"),
        ("a: x\ufffe\n", "1:5: the character U+FFFE may not stand in YAML"),
        ("a: x\ud800\n", "1:5: the character U+D800 may not stand in YAML"),
    ],
)
def test_what_is_not_plain_yaml_is_refused_where_it_stands(text: str, said: str) -> None:
    assert str(refused(text)) == f"{PATH}:{said}"


@pytest.mark.parametrize("sign", ["\x85", "\u2028", "\u2029"])
def test_a_line_end_that_no_editor_counts_is_refused(sign: str) -> None:
    """YAML 1.1 ends a line there, so all later lines in messages would be wrong."""
    error = refused(f"a: 1\nb: x{sign}y\n")
    assert str(error) == f"{PATH}:2:5: the character U+{ord(sign):04X} may not stand in YAML"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('a: "x\nb: 1\nc: 2\n', "1:4"),
        ("a: 1\nb: 'x\nc: 2\n", "2:4"),
        ("a: [1, 2\nb: 3\n", "1:4"),
        ("a: 1\nb: {c: 2\nd: 3\n", "2:4"),
        ("a: [1, 2", "1:4"),
        ("[", "1:2"),
    ],
)
def test_a_quote_or_bracket_that_is_not_closed_is_told_where_it_opens(
    text: str, place: str
) -> None:
    error = refused(text)
    assert error.place == f"{PATH}:{place}"
    assert error.message.startswith("not valid YAML: ")


def test_a_bad_sign_inside_quotes_is_told_where_it_stands() -> None:
    assert refused('a: 1\nb: "\\q"\n').place == f"{PATH}:2:5"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a:\n  - b\n - c\n", "3:2"),
        ("a: @x\n", "1:4"),
        ("a: - b\n", "1:4"),
        ("%FOO\n---\na: 1\n", "1:5"),
    ],
)
def test_other_broken_yaml_is_refused_where_it_is_noticed(text: str, place: str) -> None:
    error = refused(text)
    assert error.place == f"{PATH}:{place}"
    assert error.message.startswith("not valid YAML: ")


def test_a_wrong_indentation_is_not_taken_for_a_colon_in_a_text() -> None:
    error = refused("a: 1\n  b: 2\n")
    assert str(error).startswith(f"{PATH}:2:4: not valid YAML: mapping values are not allowed")
    assert "quotes around" not in str(error.hint)
    assert "indentation" in str(error.hint)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("title: Serving: a story", 'write title: "Serving: a story"'),
        ("  title: a: b: c", 'write title: "a: b: c"'),
        ('- what: say "yes": no', 'write - what: "say \\"yes\\": no"'),
        ("path: C:\\dir: x", 'write path: "C:\\\\dir: x"'),
    ],
)
def test_the_hint_for_a_colon_in_a_text_can_be_pasted(line: str, hint: str) -> None:
    assert refused(line).hint == hint
    assert parse(hint.removeprefix("write "), PATH) is not None


def test_a_line_in_a_message_counts_from_the_top_of_the_file() -> None:
    assert refused("a: 1\na: 2\n", first_line=2).line == 3
    assert refused("a: 1\nb: @\n", first_line=2).line == 3
    assert refused("a: 1\nb: \0\n", first_line=2).line == 3


def test_data_may_be_as_deep_as_the_limit_and_no_deeper() -> None:
    assert parse("[" * MAX_DEPTH + "]" * MAX_DEPTH, PATH) is not None
    error = refused("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
    assert str(error) == f"{PATH}:1:{MAX_DEPTH + 1}: nested more than {MAX_DEPTH} deep"


def test_a_mapping_counts_as_depth_too() -> None:
    error = refused("{a: " * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1))
    assert error.message == f"nested more than {MAX_DEPTH} deep"


def test_absurd_depth_is_a_message_and_no_crash() -> None:
    assert refused("[" * 100_000).source == PATH


# --- a Markdown file ----------------------------------------------------------------------------


def test_a_file_is_taken_apart_into_front_matter_and_text() -> None:
    node, source = split("---\na: 1\n---\nText\n---\nmore\n", PATH)
    assert node.pairs == ((Scalar("a", True, 2, 1), Scalar("1", True, 2, 4)),)
    assert (source.path, source.text, source.line) == (PATH, "Text\n---\nmore\n", 4)


def test_blanks_behind_a_fence_do_not_matter() -> None:
    node, source = split("---  \na: 1\n--- \nText", PATH)
    assert len(node.pairs) == 1
    assert source.text == "Text"


@pytest.mark.parametrize("text", ["---\n---\nText", "---\n# nothing yet\n---\nText"])
def test_an_empty_front_matter_is_a_mapping_without_keys(text: str) -> None:
    node, source = split(text, PATH)
    assert (node, source.text) == (Entries((), 1, 1), "Text")


def test_an_indented_fence_inside_a_text_does_not_close() -> None:
    node, source = split("---\na: |\n  ---\n  x\n---\nText", PATH)
    assert node.pairs[0][1] == Scalar("---\nx", False, 2, 4)
    assert (source.text, source.line) == ("Text", 6)


@pytest.mark.parametrize("text", ["", "Text\n", "\n---\na: 1\n---\n", " ---\na: 1\n---\n"])
def test_a_file_without_front_matter_is_refused(text: str) -> None:
    assert str(refused_file(text)) == f"{PATH}:1:1: the file has no front matter"


@pytest.mark.parametrize("text", ["---", "---\na: 1\n", "---\na: 1\n ---\n", "---\na: 1\n...\n"])
def test_a_front_matter_that_does_not_close_is_refused_where_it_opens(text: str) -> None:
    assert str(refused_file(text)) == f"{PATH}:1:1: the front matter opens here and does not close"


@pytest.mark.parametrize(
    ("inner", "kind"), [("- a", "a list"), ("word", "a single value"), ("~", "nothing")]
)
def test_a_front_matter_that_is_no_mapping_is_refused(inner: str, kind: str) -> None:
    error = refused_file(f"---\n# first\n{inner}\n---\n")
    assert str(error) == f"{PATH}:3:1: the front matter is {kind}, not a mapping"


def test_a_fault_in_a_front_matter_has_the_line_of_the_file() -> None:
    assert refused_file("---\na: 1\na: 2\n---\n").place == f"{PATH}:3:1"


# --- looking at nodes ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), (1, 1)),
        (("a",), (2, 3)),
        (("a", 1, "b"), (3, 8)),
        (("a", 1, "none"), (3, 5)),
        (("a", 2), (2, 3)),
        (("a", "b"), (2, 3)),
        (("none", 0), (1, 1)),
        ((0,), (1, 1)),
    ],
)
def test_a_place_is_that_of_the_nearest_holder_that_is_there(
    path: tuple[str | int, ...], place: tuple[int, int]
) -> None:
    node = parse("a:\n  - b: 1\n  - b: 2\n", PATH)
    assert node is not None
    assert locate(node, *path) == place


@pytest.mark.parametrize(
    ("text", "null"),
    [
        ("~", True),
        ("null", True),
        ("''", False),
        ("'~'", False),
        ("Null", False),
        ("[]", False),
        ("{}", False),
    ],
)
def test_only_nothing_itself_is_null(text: str, *, null: bool) -> None:
    node = parse(text, PATH)
    assert node is not None
    assert is_null(node) is null


@pytest.mark.parametrize(
    ("text", "word"),
    [("~", "nothing"), ("a", "a single value"), ("[a]", "a list"), ("{a: 1}", "a mapping")],
)
def test_a_kind_of_node_has_a_word(text: str, word: str) -> None:
    node = parse(text, PATH)
    assert node is not None
    assert kind_of(node) == word
