import pytest

from batcher_site.errors import ContentError, SiteError, SiteErrors


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (SiteError("it broke"), "it broke"),
        (SiteError("it broke", source="a.md"), "a.md: it broke"),
        (SiteError("it broke", source="a.md", line=3), "a.md:3: it broke"),
        (SiteError("it broke", source="a.md", line=3, column=7), "a.md:3:7: it broke"),
        (SiteError("it broke", line=3, column=7), "it broke"),
        (SiteError("it broke", source="a.md", column=7), "a.md: it broke"),
    ],
)
def test_an_error_tells_its_place_as_far_as_it_is_known(error: SiteError, told: str) -> None:
    assert str(error) == told


def test_an_error_keeps_its_hint_apart_from_its_message() -> None:
    error = ContentError("it broke", source="a.md", hint="mend it")
    assert (error.message, error.hint, error.place) == ("it broke", "mend it", "a.md")


def test_a_group_of_errors_is_in_the_order_of_the_places() -> None:
    """By file, then line and column as numbers; what has no place comes first."""
    errors = [
        SiteError("5", source="b.md"),
        SiteError("4", source="a.md", line=10, column=1),
        SiteError("3", source="a.md", line=9, column=10),
        SiteError("2", source="a.md", line=9, column=9),
        SiteError("1", source="a.md"),
        SiteError("0"),
    ]
    group = SiteErrors(errors)
    assert [error.message for error in group.errors] == ["0", "1", "2", "3", "4", "5"]
    assert str(group).split("\n")[2] == "a.md:9:9: 2"
