"""The résumé for machines: valid by the published schema, and no more exact than the owner was."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from batcher_site.model import (
    Baseline,
    Content,
    Education,
    Outcome,
    Owner,
    OwnerLink,
    PartialDate,
    Present,
    PullRequestStatus,
    ResumeExtras,
    Station,
    Status,
)
from batcher_site.resume_json import resume_json
from batcher_site.urls import Base
from tests.unit.values import content, metric, project, pull_request, site, writing

BASE = Base.parse("https://me.example/a/")
SCHEMA = Path(__file__).parents[1] / "schemas" / "json-resume.json"


def resume(given: Content) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(resume_json(given, BASE))
    return made


def faults(made: object) -> list[str]:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    validator = Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)
    return [error.message for error in validator.iter_errors(made)]


def test_the_resume_that_ships_is_valid(shipped_site: Mapping[str, bytes]) -> None:
    made = json.loads(shipped_site["resume.json"])
    assert faults(made) == []
    assert len(made["work"]) == 6
    assert len(made["projects"]) == 8


def test_the_schema_that_the_tests_use_refuses_what_is_no_date() -> None:
    assert faults({"work": [{"startDate": "Summer 2026"}]}) != []


def test_a_summer_of_the_resume_that_ships_stays_a_year(
    shipped_site: Mapping[str, bytes],
) -> None:
    works = {item["name"]: item for item in json.loads(shipped_site["resume.json"])["work"][:2]}
    capstone = works["General Dynamics Mission Systems (GDMS)"]
    assert (capstone["startDate"], "endDate" in capstone) == ("2026-09", False)
    summer = works["Fleet Robotics"]
    assert (summer["startDate"], summer["endDate"]) == ("2026", "2026")


YEAR, MONTH, DAY = PartialDate(2024), PartialDate(2025, 3), PartialDate(2025, 4, 9)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (YEAR, Present(), {"startDate": "2024"}),
        (MONTH, Present(), {"startDate": "2025-03"}),
        (YEAR, None, {"startDate": "2024", "endDate": "2024"}),
        (DAY, None, {"startDate": "2025-04-09", "endDate": "2025-04-09"}),
        (YEAR, MONTH, {"startDate": "2024", "endDate": "2025-03"}),
        (MONTH, DAY, {"startDate": "2025-03", "endDate": "2025-04-09"}),
    ],
)
def test_only_what_goes_on_has_no_end(
    start: PartialDate, end: PartialDate | Present | None, expected: dict[str, str]
) -> None:
    """A date alone is the whole time: without its end the schema would have it go on for ever."""
    given = content(
        stations=(Station(start=start, end=end, role="R", when="in other words"),),
        resume=ResumeExtras(education=[Education(institution="I", start=start, end=end)]),
    )
    made = resume(given)
    assert faults(made) == []
    assert made["work"] == [{"position": "R", **expected}]
    assert made["education"] == [{"institution": "I", **expected}]


def test_an_education_whose_beginning_nobody_knows_has_only_its_end() -> None:
    given = content(resume=ResumeExtras(education=[Education(institution="I", end=MONTH)]))
    assert resume(given)["education"] == [{"institution": "I", "endDate": "2025-03"}]


@pytest.mark.parametrize(
    ("status", "date", "expected"),
    [
        (Status.DONE, MONTH, "2025-03"),
        (Status.IN_PROGRESS, MONTH, None),
        (Status.PLANNED, MONTH, None),
        (Status.DONE, None, None),
    ],
)
def test_only_a_project_that_is_done_has_an_end(
    status: Status, date: PartialDate | None, expected: str | None
) -> None:
    (made,) = resume(content(projects=(project("x", status=status, date=date),)))["projects"]
    assert (made.get("startDate"), made.get("endDate")) == (None, expected)


@pytest.mark.parametrize("status", PullRequestStatus)
def test_a_pull_request_ends_when_it_is_merged_or_closed(status: PullRequestStatus) -> None:
    item = pull_request(status=status, link="https://code.example/7", note="Waits.")
    ended = status in {PullRequestStatus.MERGED, PullRequestStatus.CLOSED}
    assert resume(content(pull_requests=(item,)))["projects"] == [
        {
            "name": "vLLM #7: Mend it",
            "description": "Waits.",
            "highlights": [status.value.replace("-", " ")],
            "endDate" if ended else "startDate": "2026-09",
            "url": "https://code.example/7",
            "type": "open-source contribution",
        }
    ]


def test_a_loss_is_told_as_one() -> None:
    baseline = Baseline(label="theirs", value=None)
    metrics = [
        metric("Throughput", "9", unit="x", outcome=Outcome.LOSS, baseline=baseline),
        metric("Cut", "46.4", unit="%", outcome=Outcome.WIN),
    ]
    (made,) = resume(content(projects=(project("x", metrics=metrics),)))["projects"]
    assert made["highlights"] == ["Throughput: 9x, behind", "Cut: 46.4%"]


def test_what_nobody_states_is_left_out() -> None:
    assert resume(content()) == {
        "$schema": "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json",
        "basics": {
            "name": "Ada",
            "label": "Tests",
            "url": "https://me.example/a/",
            "summary": "A pitch.",
        },
        "meta": {"canonical": "https://me.example/a/resume.json", "version": "v1.0.0"},
    }


def test_a_profile_needs_an_address() -> None:
    links = {"x": OwnerLink(label="X", url="https://a.example/"), "y": OwnerLink(label="Y")}
    owner = Owner(name="Ada", role="R", pitch="P", location="Berlin", links=links)
    basics = resume(content(site=site(owner=owner)))["basics"]
    assert basics["profiles"] == [{"network": "X", "url": "https://a.example/"}]
    assert basics["location"] == {"address": "Berlin"}


def test_write_ups_and_projects_are_named_with_their_whole_address() -> None:
    made = resume(content(projects=(project("x"),), writings=(writing("y", summary="S"),)))
    assert faults(made) == []
    assert made["projects"][0]["url"] == "https://me.example/a/projects/x/"
    assert made["publications"] == [
        {
            "name": "Y",
            "releaseDate": "2026-10-05",
            "url": "https://me.example/a/writing/y/",
            "summary": "S",
        }
    ]
