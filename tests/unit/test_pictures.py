"""What pages say of pictures: sizes, copies, and which of them is loaded at once."""

import pytest
from markupsafe import Markup

from batcher_site.pictures import Shown, dress

SHOWN = {
    "/a/x.png": Shown(1000, 500, ((480, "/a/x-1.webp"), (960, "/a/x-2.webp"))),
    "/a/y.png": Shown(300, 200),
    "/a/&.png": Shown(30, 20),
}


def dressed(html: str) -> str:
    return str(dress(Markup(html), SHOWN))  # noqa: S704


def test_a_picture_gets_its_size_and_its_copies() -> None:
    assert dressed('<p><img alt="A" loading="lazy" src="/a/x.png"></p>') == (
        '<p><img alt="A" src="/a/x.png" width="1000" height="500"'
        ' srcset="/a/x-1.webp 480w, /a/x-2.webp 960w" sizes="(max-width: 54rem) 100vw, 54rem"></p>'
    )


def test_the_first_picture_is_loaded_at_once_and_the_others_when_they_come_near() -> None:
    html = dressed('<img loading="lazy" src="/a/y.png"><img loading="lazy" src="/a/y.png">')
    assert html.count("loading") == 1
    assert html.index("loading") > html.index("height")


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ('width="200"', 'width="200" height="100"'),
        ('width="200" height="7"', 'width="200" height="7"'),
        ('height="7"', 'height="500" width="1000"'),
        ('width="50%"', 'width="1000" height="500"'),
    ],
)
def test_a_width_that_the_author_gave_stays(given: str, found: str) -> None:
    html = dressed(f'<img src="/a/x.png" {given}>')
    assert html.startswith(f'<img src="/a/x.png" {found} srcset')
    assert ('sizes="200px"' in html) == ('"200"' in given)


@pytest.mark.parametrize(
    "html", ['<img src="/a/unknown.png">', '<img alt="x">', "<p>img src=/a/x.png</p>"]
)
def test_what_is_not_known_stays_as_it_is(html: str) -> None:
    assert dressed(html) == html


def test_an_address_is_found_as_it_is_meant() -> None:
    assert 'width="30"' in dressed('<img src="/a/&amp;.png">')
