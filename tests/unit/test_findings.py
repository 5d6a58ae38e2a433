"""What machines read of a check."""

import json

import pytest

from batcher_site.errors import CheckError, SiteError
from batcher_site.findings import as_github, as_json, collect
from batcher_site.model import LeftOut, Notice

ERROR = CheckError("a, b: 100 %\nc", source="content/x.md", line=3, column=8, hint="mend it")
NOTICE = Notice("content/site.yaml", 4, "there is no url")


def test_json_has_every_finding_with_its_place() -> None:
    left = LeftOut("content/writing/x.md", "draft")
    assert json.loads(as_json(collect(7, [ERROR], [NOTICE], [left]))) == {
        "pages": 7,
        "problems": [
            {
                "message": "a, b: 100 %\nc",
                "path": "content/x.md",
                "line": 3,
                "column": 8,
                "hint": "mend it",
            }
        ],
        "notices": [{"message": "there is no url", "path": "content/site.yaml", "line": 4}],
        "left_out": [{"source": "content/writing/x.md", "reason": "draft"}],
    }


def test_json_of_a_site_that_cannot_be_made_has_no_number_of_pages() -> None:
    found = json.loads(as_json(collect(None, [SiteError("broken")])))
    assert found["pages"] is None
    assert found["problems"] == [{"message": "broken"}]


@pytest.mark.parametrize(
    ("source", "file"),
    [
        (".", "content/x.md"),
        ("site", "site/content/x.md"),
        ("a/../b/", "b/content/x.md"),
        ("odd, name: 100%", "odd%2C name%3A 100%25/content/x.md"),
    ],
)
def test_github_gets_the_file_by_its_path_in_the_repository(source: str, file: str) -> None:
    (line,) = as_github(collect(1, [ERROR]), source)
    assert line == f"::error file={file},line=3,col=8::a, b: 100 %25%0Ac%0Ahint: mend it"


def test_github_gets_notices_and_what_was_left_out_as_notices() -> None:
    left = LeftOut("content/open_source.yaml: #7", "dated 2027-01, 31 days ahead")
    known, held_back = as_github(collect(1, [], [NOTICE], [left]), ".")
    assert known == "::notice file=content/site.yaml,line=4::there is no url"
    assert held_back == (
        "::notice file=content/open_source.yaml::left out content/open_source.yaml: #7"
        " (dated 2027-01, 31 days ahead)"
    )


def test_github_gets_a_finding_without_a_place_too() -> None:
    assert list(as_github(collect(None, [SiteError("broken")]), ".")) == ["::error::broken"]
