"""
Which site paths there are: one name for each, and the paths of things by their slugs.

Templates, texts and documents get their addresses from here; no other module spells one out.
"""

from collections.abc import Iterable
from itertools import chain

from batcher_site.model import Content, PullRequest
from batcher_site.urls import CONTENT, numbered, slugify

HOME = "/"
RESUME = "/resume/"
RESUME_JSON = "/resume.json"
RESUME_PDF = "/resume.pdf"
WRITINGS = "/writing/"
FEED = "/feed.xml"
SITEMAP = "/sitemap.xml"
ROBOTS = "/robots.txt"
LLMS = "/llms.txt"
MANIFEST = "/site.webmanifest"
CNAME = "/CNAME"
NO_JEKYLL = "/.nojekyll"
NOT_FOUND = "/404.html"
SIMULATION_DATA = "/simulation.json"

ICON_SIZES = (192, 512)
"""The pixels of the icons that a device may put on its home screen."""

FEED_LENGTH = 20
"""How many write-ups the feed has, the newest."""


def project(slug: str) -> str:
    """Give the site path of a project."""
    return f"/projects/{slug}/"


def writing(slug: str) -> str:
    """Give the site path of a write-up."""
    return f"{WRITINGS}{slug}/"


def icon(size: int) -> str:
    """Give the site path of an icon."""
    return f"/icons/icon-{size}.png"


def section(name: str) -> str:
    """Give the site path of a section of the home page."""
    return f"{HOME}#{name}"


def pull_request_id(item: PullRequest) -> str:
    """Give the id of a pull request, of its entry and of its request: `<repository>-<number>`."""
    return f"{slugify(item.repository)}-{item.number}"


def pull_request(item: PullRequest, content: Content) -> str:
    """
    Give the site path that tells of a pull request: its entry on the home page.

    Where the settings leave out the section of the entries, it is the one with the request log.
    """
    if _is_shown(content, "open-source"):
        return f"{HOME}#{pull_request_id(item)}"
    return section("work") if _is_shown(content, "work") else HOME


def _is_shown(content: Content, name: str) -> bool:
    sections = content.site.sections
    return not sections or any(item.id == name for item in sections)


def content_file(path: str) -> str:
    """Give the site path of a file of `content/` that is published as it is."""
    return path.removeprefix(CONTENT)


def known_files(content: Content) -> dict[str, str]:
    """Map every file of `content/` that a text may link to onto its site path."""
    known = {path: content_file(path) for path in content.files}
    known |= {item.source.path: project(item.slug) for item in content.projects}
    known |= {item.source.path: writing(item.slug) for item in content.writings}
    if content.about:
        known[content.about.source.path] = section("about")
    return known


def social_cards(content: Content) -> dict[str, str]:
    """
    Map pages to their pictures for other sites, `/og/<slug>.png`, by site paths; none where off.

    The home page has one, and so have as many projects and write-ups as the settings say.
    """
    wanted = content.site.social_cards
    if not wanted:
        return {}
    pages = [
        *((project(item.slug), item.slug) for item in content.projects),
        *((writing(item.slug), item.slug) for item in content.writings),
    ]
    taken: set[str] = set()
    return {
        site_path: f"/og/{numbered(slug, taken)}.png"
        for site_path, slug in [(HOME, "home"), *pages[:wanted]]
    }


def tag_spellings(content: Content) -> dict[str, tuple[str, ...]]:
    """Map each tag without regard to capitals to its spellings, the first one found first."""
    found: dict[str, list[str]] = {}
    tags: Iterable[str] = chain(
        chain.from_iterable(item.meta.tags for item in content.projects),
        chain.from_iterable(item.meta.tags for item in content.writings),
    )
    for tag in tags:
        spellings = found.setdefault(tag.casefold(), [])
        if tag not in spellings:
            spellings.append(tag)
    return {folded: tuple(spellings) for folded, spellings in found.items()}


def tags(content: Content) -> dict[str, str]:
    """Map each spelling of a tag to its site path; spellings that differ in capitals share one."""
    taken: set[str] = set()
    paths: dict[str, str] = {}
    for folded, spellings in tag_spellings(content).items():
        slug = numbered(_tag_slug(folded) or "tag", taken)
        paths |= dict.fromkeys(spellings, f"/tags/{slug}/")
    return paths


def _tag_slug(tag: str) -> str:
    # These signs tell languages apart: C, C++, C#, .NET.
    return slugify(tag.replace("#", " sharp ").replace("+", " plus ").replace(".", " dot "))
