"""What the properties are tried with: one strategy for each kind of input."""

import json
import re
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

# The same examples every time and few enough for the fast half; a longer search is a matter of
# `--hypothesis-profile` on somebody's own machine.
settings.register_profile("fast", derandomize=True, max_examples=60, deadline=None, database=None)
settings.load_profile("fast")

texts = st.text(st.characters(codec="utf-8"), max_size=40)
slug_texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)

# --- front matter -------------------------------------------------------------------------------

keys = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,8}", fullmatch=True)
data: st.SearchStrategy[Any] = st.recursive(
    texts,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(keys, inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)
mappings = st.dictionaries(keys, data, max_size=4)

_YAML_PIECES = [
    *("a", "b: ", "- ", "  ", "\n", "'", '"', "[", "]", "{", "}", ",", ":", "#", "|\n", ">\n"),
    *(
        "---\n",
        "...\n",
        "&x ",
        "*x",
        "!t ",
        "!!str ",
        "? ",
        "%Y",
        "\t",
        "\0",
        "\u2028",
        "é",
        "<<: ",
    ),
    *("@", "`", "\\", "~", "null", "1.10", "\x85", "\ufeff"),
]
yaml_like = st.lists(st.sampled_from(_YAML_PIECES), max_size=25).map("".join)


def quoted(text: str) -> str:
    """Give a text in double quotes, with what YAML forbids as escapes."""
    written = json.dumps(text, ensure_ascii=False)
    return re.sub(
        "[\x7f-\x9f\u2028\u2029\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", written
    )


def quoted_lines(value: Any, indent: str = "") -> list[str]:  # noqa: ANN401 -- any nested data
    """Give nested data as lines of YAML with every text in quotes."""
    if isinstance(value, str):
        return [f"{indent}{quoted(value)}"]
    if not value:
        return [f"{indent}{'{}' if isinstance(value, dict) else '[]'}"]
    lines: list[str] = []
    pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    for key, item in pairs:
        lines.append(f"{indent}-" if key is None else f"{indent}{quoted(key)}:")
        lines += quoted_lines(item, indent + "  ")
    return lines


# --- prose --------------------------------------------------------------------------------------

_MARKDOWN_PIECES = [
    *("word", " ", "\n", "\n\n", "# ", "## ", "- ", "1. ", "> ", "    ", "```\n", "`", "*", "**"),
    *("_", "~~", "[", "](", ")", "![", "[^1]", "[^1]: ", "|", "|-|\n", ":   ", "{#id}", "{: .c }"),
    *("- [ ] ", "- [x] ", "<https://o.example>", "me@o.example", "https://o.example/", "---\n"),
    *("a.md", "none.md", "javascript:alert(1)", "data:text/html,x", "java\tscript:a", "&#106;"),
    *("<b>", "</b>", "<div>", "</div>", "<details>", "<foo ", "<script>", "</script>", "<style>"),
    *("<img src=x onerror=a>", "<a href='", "<svg onload=a>", "<iframe src=", "<!--", "-->", "<?"),
    *(" onclick=a", " style='x'", " class=c", ">", "<", "/", '"', "'", "=", "&", "\\", "<![CDATA["),
    *("{style=x}", "{ onclick=a }", "\x02", "\x03", "wzxhzdk:0", "klzzwxh:0001", "é", "日本"),
    *("<input ", "<base href=/>", "<math>", "\0", "&lt;script&gt;", '<div class="highlight">'),
]
markdown = st.lists(st.sampled_from(_MARKDOWN_PIECES), max_size=30).map("".join) | texts

# --- output -------------------------------------------------------------------------------------

_names = st.sampled_from(["a", "b", "c.html", "d.xml"])
_paths = st.lists(_names, min_size=1, max_size=3).map("/".join)


def _consistent(tree: dict[str, bytes]) -> bool:
    return not any(other.startswith(f"{path}/") for path in tree for other in tree)


trees = st.dictionaries(
    _paths, st.sampled_from([b"", b"one", b"two", b"three"]), max_size=5
).filter(_consistent)
