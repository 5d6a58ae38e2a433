"""The dates that only machines read say the same as the words that people read."""

from pathlib import Path

import pytest
import yaml

CONTENT = Path(__file__).resolve().parents[2] / "content"
STATIONS = [
    ("Sep 2026–present", "2026-09", "present"),
    ("Summer 2026", "2026", None),
    ("Mar 2026", "2026-03", None),
    ("Sep–Nov 2025", "2025-09", "2025-11"),
    ("Jun–Aug 2025", "2025-06", "2025-08"),
    ("2025", "2025", None),
]


def _read(text: str) -> object:
    return yaml.load(text, yaml.BaseLoader)  # noqa: S506 -- it makes nothing but texts


def test_every_station_has_the_dates_of_its_words() -> None:
    stations = _read((CONTENT / "experience.yaml").read_text(encoding="utf-8"))
    assert isinstance(stations, list)
    assert [(one["when"], one["start"], one.get("end")) for one in stations] == STATIONS


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("paged-inference-engine", "2026-08"),
        ("cpp-gpu-inference", None),
        ("edge-quantization-snapdragon", None),
        ("blackwell-gemm", "2026-10"),
        ("modern-llm-from-scratch", None),
        ("en-de-transformer", None),
    ],
)
def test_a_project_has_a_date_only_where_one_is_known(name: str, date: str | None) -> None:
    text = (CONTENT / "projects" / f"{name}.md").read_text(encoding="utf-8")
    meta = _read(text.split("---\n")[1])
    assert isinstance(meta, dict)
    assert meta.get("date") == date
