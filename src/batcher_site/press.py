"""
Drafts to finished pages: a page that is known from an earlier build is not rendered again.

A page is found twice. First by what it was planned from: the frame, which is everything that the
site says outside of its texts, and the texts that it shows. If only a text has changed, no other
page is even planned. Then by what its template sees, so that a change of the frame renders only the
pages that show it.
"""

from collections.abc import Callable, Mapping
from time import perf_counter

from msgspec import Struct

from batcher_site import render
from batcher_site.check import MarkupFacts, markup_facts
from batcher_site.errors import RenderError, SiteErrors
from batcher_site.memo import Memo
from batcher_site.output import digest_of
from batcher_site.pages import Draft, Listing, Page, Table
from batcher_site.texts import Progress, Texts


class Finished(Struct, frozen=True, array_like=True):
    """A finished page: the key of its bytes, their digest, and what is told of it elsewhere."""

    key: bytes
    digest: str
    facts: MarkupFacts
    listing: Listing


class Ground(Struct, frozen=True):
    """
    What all pages stand on, as keys.

    `frame` is everything that they are planned from but for the texts, `theme` the templates with
    what every template sees.
    """

    frame: bytes
    theme: bytes


class Press:
    """Prints the pages of one build; `seconds` has how long each took that was rendered now."""

    def __init__(
        self,
        table: Table,
        texts: Texts,
        ground: Ground,
        memo: Memo,
        new_renderer: "Callable[[], render.Renderer]",
    ) -> None:
        self._table = table
        self._texts = texts
        self._memo = memo
        self._new_renderer = new_renderer
        self._renderer: render.Renderer | None = None
        self._ground = ground
        self.seconds: dict[str, float] = {}

    def finish(self, progress: Progress | None = None) -> dict[str, Finished]:
        """Finish every page by its site path; raise SiteErrors with all that failed."""
        finished: dict[str, Finished] = {}
        errors: dict[str, RenderError] = {}
        for number, draft in enumerate(self._table.drafts):
            try:
                finished[draft.site_path] = self._finished(draft)
            except RenderError as error:
                errors.setdefault(str(error), error)
            if progress:
                progress("pages", number + 1, len(self._table.drafts))
        if errors:
            raise SiteErrors(errors.values())
        return finished

    def data(self, draft: Draft, finished: Finished) -> bytes:
        """Give the bytes of a finished page."""
        found = self._memo.get_large(finished.key, bytes)
        # The bytes were damaged or thrown away, and what is told of them was not.
        return self._rendered(draft.make(*self._proses(draft))) if found is None else found

    def _finished(self, draft: Draft) -> Finished:
        shown = [self._texts.key(path) for path in draft.texts]
        planned = self._memo.key("page", self._ground, draft.site_path, shown)
        found = self._memo.get(planned, Finished)
        if found is None:
            found = self._seen(draft)
            self._memo.put(planned, found)
        self._memo.touch(found.key)
        return found

    def _seen(self, draft: Draft) -> Finished:
        begin = perf_counter()
        page = draft.make(*self._proses(draft))
        key = self._memo.key("rendered", self._ground.theme, page.kind, page.page, page.view)
        found = self._memo.get(key, Finished)
        if found is None:
            data = self._rendered(page)
            found = Finished(key, digest_of(data), markup_facts(data), Listing.of(page))
            self._memo.put(key, found)
            self._memo.put_large(key, data)
        self.seconds[draft.site_path] = perf_counter() - begin
        return found

    def _proses(self, draft: Draft) -> list[object]:
        return [self._texts.prose(path) for path in draft.texts]

    def _rendered(self, page: Page) -> bytes:
        if self._renderer is None:
            self._renderer = self._new_renderer()
        return self._renderer.page(page, self._table.site)


def files(
    press: Press, table: Table, finished: Mapping[str, Finished]
) -> dict[str, Callable[[], bytes]]:
    """Give by each page's site path what gives its bytes."""

    def reader(draft: Draft) -> Callable[[], bytes]:
        return lambda: press.data(draft, finished[draft.site_path])

    return {draft.site_path: reader(draft) for draft in table.drafts}
