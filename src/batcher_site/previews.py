"""
What the pictures for other sites show: a page's title, and its request in the run of the engine.

Pure: `plan` gives values, `painter` makes pictures of them.
"""

from collections.abc import Callable
from functools import partial

from msgspec import Struct, structs

from batcher_site import routes
from batcher_site.cards import Cards
from batcher_site.model import Content, Prerendered, Stay
from batcher_site.views import WritingCard


class Preview(Struct, frozen=True, kw_only=True):
    """
    One picture. `place` is the page's section, "02 / Work"; `line` stands small under the title.

    `stays` are the bars of the run over `iterations` and `slots`, none without a figure; those of
    `highlighted` stand out, all of them where it is None.
    """

    wordmark: str
    place: str
    title: str
    line: str
    slots: int = 0
    iterations: int = 0
    stays: tuple[Stay, ...] = ()
    highlighted: str | None = None


def plan(content: Content, made: Cards, run: Prerendered | None) -> dict[str, Preview]:
    """Give the pictures by their site paths, the home page's first."""
    planner = _Planner(made, run)
    pages: dict[str, Callable[[], Preview]] = {routes.HOME: planner.home}
    for number, project in enumerate(content.projects):
        pages[routes.project(project.slug)] = partial(planner.project, number, project.slug)
    for card, writing in zip(made.writings, content.writings, strict=True):
        pages[routes.writing(writing.slug)] = partial(planner.writing, card, writing.meta.project)
    return {path: pages[page]() for page, path in routes.social_cards(content).items()}


class _Planner:
    def __init__(self, made: Cards, run: Prerendered | None) -> None:
        self._made = made
        self._run = run

    def home(self) -> Preview:
        owner = self._made.site.owner
        return self._preview("top", owner.name, owner.role)

    def project(self, number: int, slug: str) -> Preview:
        row, card = self._made.log[number], self._made.projects[number]
        line = row.headline or ", ".join(card.stack) or row.status_text
        return self._preview("work", row.title, line, slug)

    def writing(self, card: WritingCard, project: str | None) -> Preview:
        line = f"{card.date.text} · {card.minutes} min"
        return self._preview("writing", card.title, line, project)

    def _preview(self, section: str, title: str, line: str, request: str | None = None) -> Preview:
        site, run = self._made.site, self._run
        places = (f"{item.number} / {item.title}" for item in site.sections if item.id == section)
        common = Preview(wordmark=site.wordmark, place=next(places, ""), title=title, line=line)
        if run is None:
            return common
        return structs.replace(
            common,
            slots=run.config["slots"],
            iterations=run.iterations,
            stays=run.stays,
            highlighted=request if request in run.lives else None,
        )
