"""
The texts of a site, rendered: those that are known from an earlier build are not rendered again.

A rendered text depends on its Markdown, its place, the site's address, and on where its links lead.
Where the links led is remembered with it and looked up anew, so a text that links to a page that
has moved is rendered again, and no other. Many new texts are shared out over several processes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from time import perf_counter

from msgspec import Struct

from batcher_site import limit, parallel, prose, routes
from batcher_site.errors import ProseError, SiteError, SiteErrors
from batcher_site.memo import Memo
from batcher_site.model import Content, Prose, Source, TextFacts
from batcher_site.urls import Base, resolve

LONGEST_SECONDS = 20
"""How long one text may take: the library has inputs on which it never ends."""

Progress = Callable[[str, int, int], None]
"""Told of a stage, how much of it is done, and how much there is."""


class Rendered(Struct, frozen=True):
    """What became of one text: itself or its faults, and the seconds that it took."""

    prose: Prose | None
    errors: tuple[SiteError, ...]
    seconds: float


class Surroundings(Struct, frozen=True):
    """What rendering a text needs to know of the site, as `prose.Writer` takes it."""

    known: Mapping[str, str]
    unpublished: Mapping[str, str]
    base: Base


class Texts(Mapping[str, TextFacts]):
    """
    The facts of every text by its source path; `prose` gives a whole one.

    `seconds` has how long each took that was rendered now.
    """

    def __init__(self, surroundings: Surroundings, memo: Memo) -> None:
        self._surroundings = surroundings
        self._memo = memo
        self._sources: dict[str, Source] = {}
        self._facts: dict[str, TextFacts] = {}
        self._keys: dict[str, bytes] = {}
        self.seconds: dict[str, float] = {}

    def __getitem__(self, path: str) -> TextFacts:
        return self._facts[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def key(self, path: str) -> bytes:
        """Give what stands for a rendered text as an input: the same only for the same text."""
        return self._keys[path]

    def prose(self, path: str) -> Prose:
        """Give a rendered text."""
        found = self._memo.get_large(self._keys[path], Prose)
        if found is None:
            # Its facts were remembered, and the rest was damaged or thrown away.
            source = self._sources[path]
            (rendered,) = render_here(self._surroundings, [source])
            self.add(source, rendered)
            found = rendered.prose
            if found is None:
                raise SiteErrors(rendered.errors)
        return found

    def find(self, source: Source) -> bool:
        """Look for a text among those that are remembered; tell whether it is there."""
        facts = self._memo.get(self._facts_key(source), TextFacts)
        known = self._surroundings.known
        if facts is None or not all(
            resolve(link.href, source.path, known).site_path == link.site_path
            for link in facts.references
        ):
            return False
        self._take(source, facts)
        self._memo.touch(self._keys[source.path])
        return True

    def add(self, source: Source, rendered: Rendered) -> None:
        """Take in what became of a text that was rendered now."""
        self.seconds[source.path] = rendered.seconds
        if rendered.prose is not None:
            facts = TextFacts(references=rendered.prose.references, words=rendered.prose.words)
            self._take(source, facts)
            self._memo.put(self._facts_key(source), facts)
            self._memo.put_large(self._keys[source.path], rendered.prose)

    def _facts_key(self, source: Source) -> bytes:
        base = self._surroundings.base
        return self._memo.key("facts", source.path, source.line, source.text, source.tables, base)

    def _take(self, source: Source, facts: TextFacts) -> None:
        self._sources[source.path] = source
        self._facts[source.path] = facts
        # The same Markdown gives another text where its links lead elsewhere.
        leads = [link.site_path for link in facts.references]
        self._keys[source.path] = self._memo.key("prose", self._facts_key(source), leads)


def render_texts(
    content: Content,
    base: Base,
    memo: Memo,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Texts:
    """
    Render every text; raise SiteErrors with the faults of all of them.

    `jobs` is how many processes may be used, by default one for each core.
    """
    unpublished = {item.source: item.reason for item in content.left_out}
    surroundings = Surroundings(routes.known_files(content), unpublished, base)
    texts = Texts(surroundings, memo)
    missing = [source for source in content.sources if not texts.find(source)]
    errors: list[SiteError] = []
    for number, rendered in enumerate(parallel.run(render_here, surroundings, missing, jobs)):
        texts.add(missing[number], rendered)
        errors += rendered.errors
        if progress:
            progress("texts", number + 1, len(missing))
    if errors:
        raise SiteErrors(errors)
    return texts


def render_here(surroundings: Surroundings, sources: Iterable[Source]) -> Iterator[Rendered]:
    """Render texts one after the other in this process."""
    writer = _writer(surroundings)
    for source in sources:
        begin = perf_counter()
        made: Prose | None = None
        errors: tuple[SiteError, ...] = ()
        try:
            with limit.seconds(LONGEST_SECONDS):
                made = writer.render(source)
        except SiteErrors as group:
            errors = group.errors
        except SiteError as error:
            errors = (error,)
        except limit.TimeIsUpError:
            errors = (_too_long(source),)
            writer = _writer(surroundings)  # the other one was broken off
        yield Rendered(made, errors, perf_counter() - begin)


def _writer(surroundings: Surroundings) -> "prose.Writer":
    return prose.Writer(surroundings.known, surroundings.unpublished, surroundings.base)


def _too_long(source: Source) -> SiteError:
    return ProseError(
        f"the text takes more than {LONGEST_SECONDS} s to render",
        source=source.path,
        line=source.line,
        column=1,
        hint="split it, or look for long runs of one sign, such as brackets or asterisks",
    )
