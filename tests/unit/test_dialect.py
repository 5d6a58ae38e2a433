"""Lists as code hosts read them: the lines that the library is given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batcher_site.dialect import regular


@pytest.mark.parametrize(
    "text",
    [
        "plain\n\ntext",
        "    code\n\n    more",
        "Term\n:   definition\n\n    more",
        "[^1]: note\n    more",
        "- a\n- b",
        "- a\n    - b\n        - c",
        "```\n- a\n  - b\n```",
        "> - a\n>   - b",
        "| a | b |\n| - | - |",
        "Title\n---\n- a",
        "* * *",
        "-not a list",
        "1.5 is a number",
    ],
)
def test_what_both_read_alike_stays_as_it_is(text: str) -> None:
    assert "\n".join(regular(text.split("\n"))) == text


def test_a_fence_in_an_item_moves_as_a_whole() -> None:
    lines = ["- a", "  ```py", "  x = [", "      1,", "  ]", "  ```", "- b"]
    moved = ["- a", "    ```py", "    x = [", "        1,", "    ]", "    ```", "- b"]
    assert regular(lines) == moved


def test_a_line_that_looks_like_an_item_in_code_is_code() -> None:
    lines = ["a", "~~~", "- b", "~~~~", "- c"]
    assert regular(lines) == ["a", "~~~", "- b", "~~~~", "- c"]


@given(st.lists(st.text("-*+1.)# `~>a\t", max_size=12), max_size=12))
def test_no_line_is_lost_or_changed_but_for_blanks_and_marks(lines: list[str]) -> None:
    def bare(given_: list[str]) -> list[str]:
        texts = (line.replace(")", ".").replace(" ", "").replace("\t", "") for line in given_)
        return [text for text in texts if text]

    assert bare(regular(lines)) == bare(lines)
