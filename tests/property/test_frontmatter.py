"""Front matter: a text in quotes comes back as it was, and each fault has a line of the file."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from hypothesis import given

from batcher_site.errors import ContentError
from batcher_site.frontmatter import parse, split
from batcher_site.model import ProjectMeta
from batcher_site.nodes import Entries, Items, Node, Scalar
from batcher_site.validation import convert
from tests.property.strategies import mappings, quoted, quoted_lines, texts, yaml_like

T = TypeVar("T")


def plain(node: Node) -> Any:  # noqa: ANN401 -- any nested data
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Items):
        return [plain(item) for item in node.nodes]
    return {key.text: plain(value) for key, value in node.pairs}


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Items):
        for item in node.nodes:
            yield from scalars(item)
    else:
        for key, value in node.pairs:
            yield key
            yield from scalars(value)


def assert_refused_well(read: Callable[[], T], text: str) -> T | None:
    """What is read, or None where it is refused with a line of the text and a hint."""
    try:
        return read()
    except ContentError as error:
        refusal = error
    assert refusal.line in range(1, text.count("\n") + 2)
    assert (refusal.source, bool(refusal.hint)) == ("a.md", True)
    return None


@given(mappings, texts)
def test_data_in_quotes_comes_back_with_its_true_lines(data: dict[str, Any], text: str) -> None:
    lines = ["---", *quoted_lines(data), "---"]
    node, source = split("\n".join(lines) + f"\n{text}", "a.md")
    assert plain(node) == data
    assert (source.text, source.line) == (text, len(lines) + 1)
    for scalar in scalars(node):
        written = lines[scalar.line - 1][scalar.column - 1 :]
        assert written.startswith('"')
        assert quoted(scalar.text) == written.removesuffix(":")


@given(yaml_like | texts)
def test_any_text_is_read_or_refused_with_a_line(text: str) -> None:
    for read in (parse, split):
        assert_refused_well(partial(read, text, "a.md"), text)


@given(yaml_like | texts)
def test_any_front_matter_is_read_or_refused_with_a_line(text: str) -> None:
    whole = f"---\n{text}\n---\nText\n"
    found = assert_refused_well(lambda: split(whole, "a.md"), whole)
    if found is not None:
        node, source = found
        assert whole.split("\n", source.line - 1)[-1] == source.text
        assert all(scalar.line < source.line for scalar in scalars(node))


@given(yaml_like)
def test_any_node_is_converted_or_told_with_its_lines(text: str) -> None:
    """Either a value or errors, never both and never an exception."""
    try:
        node = parse(text, "a.md")
    except ContentError:
        return
    made = convert(node or Entries((), 1, 1), ProjectMeta, "a.md")
    assert (made.value is None) == bool(made.errors)
    assert all(error.line and error.message for error in made.errors)
