"""Addresses: "One function makes addresses; the same content works at `/` and below a folder"."""

import posixpath
from urllib.parse import urlsplit

from hypothesis import example, given
from hypothesis import strategies as st

from batcher_site import routes
from batcher_site.urls import Base, numbered, output_file, resolve, slugify
from tests.property.strategies import slug_texts, texts

segments = slug_texts.filter(lambda text: "/" not in text and "#" not in text)
folders = st.lists(segments.filter(lambda text: text.strip(".") != ""), max_size=3)
site_paths = st.builds(
    lambda parts, last: "/" + "".join(f"{part}/" for part in parts) + last,
    st.lists(segments, max_size=3),
    st.just("") | segments,
)


@st.composite
def bases(draw: st.DrawFn) -> Base:
    path = "".join(f"{slug}/" for text in draw(folders) if (slug := slugify(text)))
    return Base.parse(f"https://me.example/{path}")


@given(bases(), site_paths)
def test_an_address_leads_back_to_its_site_path(base: Base, site_path: str) -> None:
    assert base.site_path(base.href(site_path)) == site_path
    assert base.site_path(base.absolute(site_path)) == site_path


@given(bases(), site_paths, texts)
def test_an_address_is_printable_anywhere(base: Base, site_path: str, fragment: str) -> None:
    """Nothing in it ends an attribute, a line or the path, and it stays on the host."""
    href = base.href(f"{site_path}#{fragment}")
    assert href.isascii()
    assert not set(href) & set(' \t\n"<>\\^`{}|')
    parts = urlsplit(base.origin + href)
    assert (parts.netloc, parts.query) == ("me.example", "")
    assert href.startswith(base.path)


@given(bases())
def test_a_base_is_the_same_when_it_is_read_again(base: Base) -> None:
    assert Base.parse(base.origin + base.path) == base


@given(texts)
def test_a_base_is_read_or_refused_with_a_value_error(text: str) -> None:
    for url in (text, f"https://{text}", f"https://me.example/{text}"):
        try:
            base = Base.parse(url)
        except ValueError:
            continue
        assert base.path.startswith("/")
        assert base.path.endswith("/")


@given(texts)
@example("ẞǅİΐŉ")
@example("A\u0301\u0327-\u0301")
def test_a_slug_of_a_slug_is_the_slug(text: str) -> None:
    slug = slugify(text)
    assert slugify(slug) == slug


@given(texts)
def test_a_slug_is_a_safe_part_of_an_address(text: str) -> None:
    slug = slugify(text)
    assert not set(slug) & set("/\\.:#?% \0")
    assert not slug.startswith("-")
    assert not slug.endswith("-")
    assert "--" not in slug


@given(texts)
def test_a_text_with_a_letter_or_digit_has_a_slug(text: str) -> None:
    if any(character.isalnum() for character in text):
        assert slugify(text)


@given(st.lists(slug_texts.map(slugify), max_size=12))
def test_numbered_slugs_are_all_different(slugs: list[str]) -> None:
    taken: set[str] = set()
    given_out = [numbered(slug, taken) for slug in slugs]
    assert len(set(given_out)) == len(slugs)
    assert taken == set(given_out)


@given(slug_texts)
def test_the_file_of_a_page_lies_below_the_output_folder(text: str) -> None:
    slug = slugify(text)
    if slug:
        for site_path in (routes.project(slug), routes.writing(slug)):
            file = output_file(site_path)
            assert posixpath.normpath(file) == file
            assert not file.startswith(("/", ".."))


@given(texts, st.dictionaries(texts.map("content/".__add__), st.just("/x/"), max_size=3))
def test_a_link_leads_somewhere_or_has_a_reason(href: str, known: dict[str, str]) -> None:
    """Exactly one of the three, whatever is written."""
    target = resolve(href, "content/projects/a.md", known)
    said = [target.external, target.site_path, target.problem]
    assert sum(part is not None for part in said) == 1


@given(texts)
def test_no_link_runs_a_script(text: str) -> None:
    for scheme in ("javascript:", "JAVASCRIPT:", "vbscript:", "data:", " javascript:"):
        assert resolve(scheme + text, "content/a.md", {}).problem is not None
