import pytest

from batcher_site import routes
from batcher_site.model import About, AboutMeta, SectionSettings, Source
from tests.unit.values import content, project, pull_request, site, writing


def test_a_pull_request_is_an_entry_of_the_home_page() -> None:
    item = pull_request(repository="FlashInfer / Kernels", number=61901)
    assert routes.pull_request_id(item) == "flashinfer-kernels-61901"
    assert routes.pull_request(item, content()) == "/#flashinfer-kernels-61901"


@pytest.mark.parametrize(
    ("shown", "site_path"),
    [
        (["top", "work", "open-source"], "/#vllm-7"),
        (["top", "work"], "/#work"),
        (["top", "writing"], "/"),
    ],
)
def test_a_pull_request_leads_to_the_section_that_tells_of_it(
    shown: list[str], site_path: str
) -> None:
    sections = [SectionSettings(id=name, title="T") for name in shown]
    read = content(site=site(sections=sections))
    assert routes.pull_request(pull_request(), read) == site_path


def test_a_section_is_a_part_of_the_home_page() -> None:
    assert routes.section("top") == "/#top"
    assert routes.section("work") == "/#work"


def test_every_file_that_is_published_can_be_linked_to() -> None:
    read = content(
        projects=(project("x"),),
        writings=(writing("y"),),
        about=About(meta=AboutMeta(), source=Source("content/about.md", "")),
        files=frozenset({"content/projects/plan.pdf"}),
    )
    assert routes.known_files(read) == {
        "content/projects/x.md": "/projects/x/",
        "content/writing/y.md": "/writing/y/",
        "content/about.md": "/#about",
        "content/projects/plan.pdf": "/projects/plan.pdf",
    }


def test_without_an_about_nothing_leads_to_it() -> None:
    assert routes.known_files(content()) == {}


def test_spellings_of_a_tag_that_differ_in_capitals_share_one_page() -> None:
    read = content(
        projects=(project("x", tags=["CUDA", "C"]),),
        writings=(writing("y", tags=["cuda", "CUDA"]),),
    )
    assert routes.tag_spellings(read) == {"cuda": ("CUDA", "cuda"), "c": ("C",)}
    assert routes.tags(read) == {"CUDA": "/tags/cuda/", "cuda": "/tags/cuda/", "C": "/tags/c/"}


def test_tags_that_signs_tell_apart_have_pages_of_their_own() -> None:
    tags = ["C", "C++", "C#", ".NET", "net", "日本語"]
    assert routes.tags(content(projects=(project("x", tags=tags),))) == {
        "C": "/tags/c/",
        "C++": "/tags/c-plus-plus/",
        "C#": "/tags/c-sharp/",
        ".NET": "/tags/dot-net/",
        "net": "/tags/net/",
        "日本語": "/tags/日本語/",
    }


def test_tags_that_give_the_same_address_are_numbered() -> None:
    tags = ["a b", "a-b", "!", "?"]
    assert list(routes.tags(content(projects=(project("x", tags=tags),))).values()) == [
        "/tags/a-b/",
        "/tags/a-b-2/",
        "/tags/tag/",
        "/tags/tag-2/",
    ]
