"""What search engines read: only what the owner's files state, in a form that cannot end early."""

import json
from typing import Any

from batcher_site import structured_data
from batcher_site.model import LinkKind, Owner, OwnerLink, PartialDate, ProjectLink
from batcher_site.urls import Base
from batcher_site.views import Link
from tests.unit.values import project, site, writing

BASE = Base.parse("https://me.example/a/")


def graph(*things: structured_data.Thing) -> list[dict[str, Any]]:
    data = json.loads(structured_data.markup(*things))
    assert data["@context"] == "https://schema.org"
    found: list[dict[str, Any]] = data["@graph"]
    return found


def test_no_text_can_end_the_script_that_holds_it() -> None:
    text = "</script><!-- & \u2028"
    markup = structured_data.markup({"name": text})
    assert not set("<>&") & set(markup)
    assert json.loads(markup)["@graph"] == [{"name": text}]


def test_what_nobody_states_is_left_out() -> None:
    assert graph({"a": None, "b": {"c": None, "d": 0}, "e": [{"f": None}, "g"], "h": ""}) == [
        {"b": {"d": 0}, "e": [{}, "g"], "h": ""}
    ]


def test_the_owner_is_known_by_the_links_that_have_an_address() -> None:
    links = {"x": OwnerLink(label="X", url="https://a.example/"), "y": OwnerLink(label="Y")}
    owner = Owner(name="Ada", role="R", pitch="P", email="a@b.example", links=links)
    assert graph(structured_data.person(site(owner=owner), BASE)) == [
        {
            "@type": "Person",
            "@id": "https://me.example/a/#owner",
            "name": "Ada",
            "description": "R",
            "url": "https://me.example/a/",
            "email": "mailto:a@b.example",
            "sameAs": ["https://a.example/"],
        }
    ]


def test_an_owner_without_mail_and_links_states_none() -> None:
    (person,) = graph(structured_data.person(site(), BASE))
    assert person.keys().isdisjoint({"email", "sameAs"})


def test_a_site_names_its_language_and_author() -> None:
    assert graph(structured_data.web_site(site(title="T", language="de"), BASE)) == [
        {
            "@type": "WebSite",
            "name": "T",
            "url": "https://me.example/a/",
            "inLanguage": "de",
            "author": {"@id": "https://me.example/a/#owner"},
        }
    ]


def test_a_project_names_its_repository_and_words() -> None:
    links = [
        ProjectLink(kind=LinkKind.PAPER, url="https://a.example/paper"),
        ProjectLink(kind=LinkKind.REPO, url="https://a.example/repo"),
    ]
    item = project(
        "x", summary="S", links=links, stack=["A"], tags=["B", "A"], date=PartialDate(2026, 1)
    )
    assert graph(structured_data.source_code(item, BASE, "/projects/x/")) == [
        {
            "@type": "SoftwareSourceCode",
            "name": "X",
            "description": "S",
            "url": "https://me.example/a/projects/x/",
            "codeRepository": "https://a.example/repo",
            "keywords": ["A", "B"],
            "dateModified": "2026-01",
            "author": {"@id": "https://me.example/a/#owner"},
        }
    ]


def test_a_project_without_more_states_no_more() -> None:
    (thing,) = graph(structured_data.source_code(project("x"), BASE, "/projects/x/"))
    assert thing.keys().isdisjoint({"codeRepository", "keywords", "dateModified"})


def test_a_write_up_was_changed_when_it_was_published_unless_it_says_more() -> None:
    item = writing("w", summary="S", tags=["A"])
    (thing,) = graph(structured_data.blog_posting(item, BASE, "/writing/w/", "en"))
    assert thing == {
        "@type": "BlogPosting",
        "headline": "W",
        "description": "S",
        "url": "https://me.example/a/writing/w/",
        "datePublished": "2026-10-05",
        "dateModified": "2026-10-05",
        "keywords": ["A"],
        "inLanguage": "en",
        "author": {"@id": "https://me.example/a/#owner"},
    }
    item = writing("w", updated=PartialDate(2027))
    (thing,) = graph(structured_data.blog_posting(item, BASE, "/writing/w/", "en"))
    assert thing["dateModified"] == "2027"
    assert thing.keys().isdisjoint({"description", "keywords"})


def test_breadcrumbs_are_numbered_and_whole() -> None:
    crumbs = [Link(label="Home", href="/a/"), Link(label="Here")]
    (thing,) = graph(structured_data.breadcrumb_list(crumbs, BASE))
    assert thing["itemListElement"] == [
        {"@type": "ListItem", "position": 1, "name": "Home", "item": "https://me.example/a/"},
        {"@type": "ListItem", "position": 2, "name": "Here"},
    ]
