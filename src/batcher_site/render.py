"""
Templates to bytes: Jinja with autoescape everywhere and no undefined name passed over.

A template sees `site`, `page`, the view that is named by the page's kind, and two functions:
`asset(path)` for a file of `static/`, `url(path)` for a site path. Nothing else.
"""

import os
import traceback
from collections.abc import Callable, Sequence

from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
)
from jinja2.bccache import Bucket

from batcher_site.errors import RenderError
from batcher_site.memo import Memo
from batcher_site.pages import Page
from batcher_site.views import SiteView


class Renderer:
    """
    Renders pages with the templates of several folders; the first folder that has one wins.

    `names` gives the word for each folder in messages, as the owner knows it. Compiled templates
    are remembered in `memo`.
    """

    def __init__(
        self,
        folders: Sequence[tuple[str, str]],
        *,
        asset: Callable[[str], str],
        url: Callable[[str], str],
        memo: Memo | None = None,
    ) -> None:
        # Jinja names a template's file by its normal path, also where the folder is "./templates".
        self._folders = [(os.path.normpath(folder), told) for folder, told in folders]
        self._environment = Environment(
            loader=_Loader([folder for folder, _ in folders], encoding="utf-8-sig"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            # Folding constants takes a sixth of the compiler's time, and the pages gain nothing.
            optimized=False,
            auto_reload=False,
            bytecode_cache=_Compiled(memo) if memo else None,
        )
        self._environment.globals = {"asset": asset, "url": url}

    def page(self, page: Page, site: SiteView) -> bytes:
        """Render a page; raise RenderError with the place in the template that failed."""
        name = f"{page.kind}.html"
        try:
            template = self._environment.get_template(name)
            text = template.render({"site": site, "page": page.page, page.kind: page.view})
        except TemplateSyntaxError as error:
            raise RenderError(
                f"the template does not parse: {error.message}",
                source=self._told(error.filename or name) or error.filename,
                line=error.lineno,
                hint=f"found while rendering {page.site_path} from {page.source}",
            ) from None
        except TemplateNotFound as error:
            raise self._failure(error, page, f'there is no template "{error.name}"') from None
        except TemplateError as error:
            raise self._failure(error, page, str(error.message)) from None
        except RenderError:
            raise
        except Exception as error:  # noqa: BLE001 -- an expression of a template may raise anything
            message = f"{type(error).__name__}: {error}"
            raise self._failure(error, page, message) from None
        return text.encode()

    def _failure(self, error: Exception, page: Page, message: str) -> RenderError:
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if self._told(frame.filename) is not None
        ]
        place = frames[-1] if frames else None
        return RenderError(
            message,
            source=self._told(place.filename) if place else f"templates/{page.kind}.html",
            line=place.lineno if place else None,
            hint=f"found while rendering {page.site_path} from {page.source}",
        )

    def _told(self, filename: str) -> str | None:
        """Give a template's file by the name that the owner knows it by; None for other files."""
        for folder, told in self._folders:
            if filename.startswith(folder + os.sep):
                return told + filename.removeprefix(folder).replace(os.sep, "/")
        return None


class _Compiled(BytecodeCache):
    """Remembers compiled templates by their text, their name, and the file that messages name."""

    def __init__(self, memo: Memo) -> None:
        self._memo = memo

    def load_bytecode(self, bucket: Bucket) -> None:
        code = self._memo.get_large(self._key(bucket), bytes)
        if code is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._memo.put_large(self._key(bucket), bucket.bytecode_to_string())

    def _key(self, bucket: Bucket) -> bytes:
        return self._memo.key("template", bucket.key, bucket.checksum)


class _Loader(FileSystemLoader):
    """Reads templates; one that is not UTF-8 is told by its name."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        try:
            return super().get_source(environment, template)
        except UnicodeDecodeError as error:
            raise RenderError(
                f"not UTF-8: the byte at {error.start}",
                source=f"templates/{template}",
                hint="save it as UTF-8",
            ) from None
