"""
Drafts to finished pages: a page that is known from an earlier build is not rendered again.

A page is found twice. First by what it was planned from: the frame, which is everything that the
site says outside of its texts, and the texts that it shows. If only a text has changed, no other
page is even planned. Then by what its template sees, so that a change of the frame renders only the
pages that show it.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from time import perf_counter

from msgspec import Struct

from batcher_site import parallel, render
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

    def finish(self, jobs: int | None = None, progress: Progress | None = None) -> list[Finished]:
        """
        Finish every page, in the order of the table; raise SiteErrors with all that failed.

        `jobs` is how many processes may be used, by default one for each core.
        """
        drafts = self._table.drafts
        found = [self._memo.get(self._planned(draft), Finished) for draft in drafts]
        missing = [number for number, page in enumerate(found) if page is None]
        errors: dict[str, RenderError] = {}
        printed = parallel.run(print_here, self, missing, jobs, needs_copy=True)
        for done, (number, result) in enumerate(zip(missing, printed, strict=True), 1):
            if result.error is not None:
                errors.setdefault(str(result.error), result.error)
            else:
                found[number] = self._take(drafts[number], result)
            if progress:
                progress("pages", done, len(missing))
        if errors:
            raise SiteErrors(errors.values())
        finished = [page for page in found if page is not None]
        for page in finished:
            self._memo.touch(page.key)
        return finished

    def data(self, draft: Draft, finished: Finished) -> bytes:
        """Give the bytes of a finished page."""
        found = self._memo.get_large(finished.key, bytes)
        # The bytes were damaged or thrown away, and what is told of them was not.
        return self._rendered(draft.make(*self._proses(draft))) if found is None else found

    def _planned(self, draft: Draft) -> bytes:
        shown = [self._texts.key(path) for path in draft.texts]
        return self._memo.key("page", self._ground, draft.site_path, shown)

    def _take(self, draft: Draft, printed: "Printed") -> Finished | None:
        finished = printed.finished
        if finished is not None and printed.data is not None:
            self._memo.put(finished.key, finished)
            self._memo.put_large(finished.key, printed.data)
        self._memo.put(self._planned(draft), finished)
        self.seconds[draft.site_path] = printed.seconds
        return finished

    def printed(self, number: int) -> "Printed":
        """Print one page of the table, if what its template sees is not known."""
        begin = perf_counter()
        draft = self._table.drafts[number]
        data = None
        try:
            page = draft.make(*self._proses(draft))
            key = self._memo.key("rendered", self._ground.theme, page.kind, page.page, page.view)
            found = self._memo.get(key, Finished)
            if found is None:
                data = self._rendered(page)
                found = Finished(key, digest_of(data), markup_facts(data), Listing.of(page))
        except RenderError as error:
            return Printed(None, None, error, perf_counter() - begin)
        return Printed(found, data, None, perf_counter() - begin)

    def _proses(self, draft: Draft) -> list[object]:
        return [self._texts.prose(path) for path in draft.texts]

    def _rendered(self, page: Page) -> bytes:
        if self._renderer is None:
            self._renderer = self._new_renderer()
        return self._renderer.page(page, self._table.site)


class Printed(Struct, frozen=True):
    """What became of one page: itself, its bytes where they are new, or its fault; its seconds."""

    finished: Finished | None
    data: bytes | None
    error: RenderError | None
    seconds: float


def print_here(press: Press, numbers: Iterable[int]) -> Iterator[Printed]:
    """Print pages one after the other in this process."""
    return map(press.printed, numbers)


def files(
    press: Press, table: Table, finished: Iterable[Finished]
) -> dict[str, Callable[[], bytes]]:
    """Give by each page's site path what gives its bytes."""
    return {
        draft.site_path: partial(press.data, draft, page)
        for draft, page in zip(table.drafts, finished, strict=True)
    }
