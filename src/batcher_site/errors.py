"""
The tree of errors that are the owner's to mend, and the notices that only ask for attention.

    SiteError            one fault: message, source, line, column, hint
      ContentError       settings, front matter, names that point nowhere
      ProseError         Markdown that cannot be rendered
      SimulationError    a simulation module or workload that was refused
      RenderError        a template that is missing, broken, or uses an undefined name
      CheckError         a finished page that breaks a promise (a dead link, a repeated id)
      DeployError        a repository that cannot be read or pushed to
      OutputError        an output folder that is not ours or cannot be written
    SiteErrors           all faults of one stage, raised together
    UsageError           a wrong use of the command line (exit code 2)

Only the command line catches these; every other exception is a bug of ours.
"""

from collections.abc import Iterable


class SiteError(Exception):
    """
    A fault in the owner's site, told as `source:line:column: message` with a hint.

    `line` and `column` count from 1 and are None where the fault has no place in a file.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.hint = hint

    @property
    def place(self) -> str:
        """`source:line:column` as far as it is known; empty where nothing is."""
        parts = [self.source, self.line, self.column]
        known = parts[: parts.index(None)] if None in parts else parts
        return ":".join(str(part) for part in known)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class ContentError(SiteError):
    """A fault in settings, front matter or data, or a name that points nowhere."""


class ProseError(SiteError):
    """Markdown that cannot be rendered as it is written."""


class SimulationError(SiteError):
    """A simulation module that the linker or engine refused, or a workload that is not valid."""


class RenderError(SiteError):
    """A template that is missing, does not parse, or uses an undefined name."""


class CheckError(SiteError):
    """A finished page that breaks a promise, such as a link that leads nowhere."""


class OutputError(SiteError):
    """An output folder that cannot be written."""


class DeployError(SiteError):
    """A repository that cannot be read or pushed to."""


class UsageError(SiteError):
    """A wrong use of the command line, such as an output folder that is not ours."""


def refused_by_system(error: OSError) -> SiteError:
    """Give what no stage expects as a fault: a folder that vanishes, a device that fails."""
    place = str(error.filename) if error.filename else None
    return SiteError(f"the system refuses: {error.strerror or error}", source=place)


class SiteErrors(Exception):  # noqa: N818 -- a group of SiteError, named as what it holds
    """All faults that one stage found, in the order of their places."""

    def __init__(self, errors: Iterable[SiteError]) -> None:
        self.errors = tuple(sorted(errors, key=_place_key))
        # What it was made of, so that it can be sent to another process.
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)


def _place_key(error: SiteError) -> tuple[str, int, int]:
    return (error.source or "", error.line or 0, error.column or 0)
