"""
The linker: small strict modules joined to one classic script, with the way back from its lines.

Not a bundler. It takes `import { a } from "./x.js"` and declarations with or without `export`, and
refuses anything else, so that what it joins means the same as what was written.
"""

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from batcher_site.errors import SimulationError, SiteErrors

_IMPORT = re.compile(
    r"import\s*\{\s*([\w$]+(?:\s*,\s*[\w$]+)*)\s*,?\s*\}"
    r"""\s*from\s*(["'])(\.{1,2}/[^"'\n]+\.js)\2\s*;"""
)
_DECLARATION = re.compile(
    r"(?P<export>export[ \t]+)?(?:const|(?P<function>(?:async[ \t]+)?function\*?))\s+"
    r"(?P<name>[\w$]+)(?=\s*[=(])"
)
_STRICT_HINT = (
    'the top level of a module has only `import { a } from "./x.js";`, and `function` or `const`'
    " with or without `export`"
)
# Code that needs no look, with its strings: up to a brace, a slash or a template; inside
# parentheses also up to a bracket; at the top level also up to a comma or a semicolon.
_STRINGS = r""""(?>(?:[^"\\\n]|\\.)*)"|'(?>(?:[^'\\\n]|\\.)*)'"""
_BODY = re.compile(rf"""(?>(?:[^"'`/{{}}]+|{_STRINGS})*)""", re.DOTALL)
_GROUP = re.compile(rf"""(?>(?:[^"'`/{{}}()\[\]]+|{_STRINGS})*)""", re.DOTALL)
_TOP = re.compile(rf"""(?>(?:[^"'`/{{}}()\[\],;]+|{_STRINGS})*)""", re.DOTALL)
_BLANK = re.compile(r"\s*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# An inserted expression without strings, braces and slashes needs no look of its own.
_TEMPLATE = re.compile(r"""(?>(?:[^`\\$]+|\\.|\$(?!\{)|\$\{[^{}"'`/]*\})*)(`|\$\{)""", re.DOTALL)
_REGEX = re.compile(r"/(?>(?:[^/\\\[\n]|\\[^\n]|\[(?>(?:[^\]\\\n]|\\[^\n])*)\])+)/[a-z]*")
_WORD_BEFORE = re.compile(r"[\w$]+\Z")
_CONDITION = re.compile(r"\b(?:if|while|for|with)\s*\Z")
_DYNAMIC = re.compile(r"\bimport\s*[(.]")
# After these words a slash opens a regular expression; after any other it divides.
_OPERATOR_WORDS = {
    *("await", "case", "delete", "do", "else", "in", "instanceof", "new", "of", "return"),
    *("throw", "typeof", "void", "yield"),
}
# Lines behind the modules: the assignment of the global, and the end.
_LINES_BEHIND = 2
_CLOSING = {"}": "{", ")": "(", "]": "["}


class LinkedScript(Struct, frozen=True):
    """
    A classic script that sets one global to a frozen object of `exports`.

    `text` is what is run and published; `linked` has the same in the words of the modules, each
    with all its lines. `modules` are the sources, in order of evaluation, and `starts` the lines of
    `linked`, from 1, in which they begin.
    """

    text: str
    linked: str
    global_name: str
    exports: tuple[str, ...]
    modules: tuple[str, ...]
    starts: tuple[int, ...]

    @property
    def lines(self) -> int:
        """How many lines `linked` has."""
        return self.linked.count("\n")

    def place(self, line: int, column: int) -> tuple[str, int, int] | None:
        """Give source, line and column of a place in `linked`, all from 1; None if it is ours."""
        nearest = bisect_right(self.starts, line) - 1
        if nearest < 0 or line > self.lines - _LINES_BEHIND:
            return None
        return self.modules[nearest], line - self.starts[nearest] + 1, column


def link(
    modules: Mapping[str, str],
    entry: str | Sequence[str],
    *,
    global_name: str,
    base: LinkedScript | None = None,
) -> LinkedScript:
    """
    The entries and all that they import as one classic script.

    `modules` maps paths to texts; imports are resolved between these paths. The global gets what
    the entries export. Modules that are in `base` already are taken from its global, which the
    page must have set before. Only an entry may have statements besides declarations.

    Raises `SiteErrors` with every refusal: anything outside the strict form, an unknown module, a
    cycle, a name declared twice, an imported name that its module does not export.
    """
    entries = (entry,) if isinstance(entry, str) else tuple(entry)
    linker = _Linker(modules, entries, base)
    for path in entries:
        linker.visit(path)
    linker.check_names()
    if linker.problems:
        raise SiteErrors(linker.problems)
    return linker.script(global_name)


class _Module(Struct):
    """One scanned source: declarations and imports with their offsets, and the text to emit."""

    path: str
    source: str
    declared: dict[str, int]
    exported: list[str]
    imports: list[tuple[str, tuple[str, ...], int]]
    text: str
    problems: list[SimulationError]


class _Linker:
    """Walks the imports depth first, so that each module stands behind all that it needs."""

    __slots__ = ("base", "entries", "modules", "order", "path", "problems", "scanned")

    def __init__(
        self, modules: Mapping[str, str], entries: tuple[str, ...], base: LinkedScript | None
    ) -> None:
        self.modules = modules
        self.entries = entries
        self.base = base
        self.scanned: dict[str, _Module] = {}
        self.order: list[_Module] = []
        self.path: list[str] = []
        self.problems: list[SimulationError] = []

    def visit(self, path: str) -> None:
        if path in self.scanned:
            return
        if path not in self.modules:
            hint = f"the modules are {', '.join(sorted(self.modules)) or 'none'}"
            self.problems.append(SimulationError(f'unknown module "{path}"', hint=hint))
            return
        module = _Scanner(path, self.modules[path], free=path in self.entries).scan()
        self.scanned[path] = module
        self.problems.extend(module.problems)
        self.path.append(path)
        for target, _, offset in module.imports:
            self._follow(module, target, offset)
        self.path.pop()
        self.order.append(module)

    def _follow(self, module: _Module, target: str, offset: int) -> None:
        if self.base and target in self.base.modules:
            return
        if target in self.path:
            circle = " -> ".join([*self.path[self.path.index(target) :], target])
            hint = "move what both need into a third module"
            self._refuse(module, offset, f"imports run in a circle: {circle}", hint)
        elif target not in self.modules:
            near = [path for path in self.modules if posixpath.dirname(path) in target]
            hint = f"the modules are {', '.join(sorted(near)) or 'none'}"
            self._refuse(module, offset, f'unknown module "{target}"', hint)
        else:
            self.visit(target)

    def _refuse(self, module: _Module, offset: int, message: str, hint: str) -> None:
        self.problems.append(_refusal(module.path, module.source, offset, message, hint))

    def check_names(self) -> None:
        """Top-level names share one scope in the script; imported ones must be exported."""
        owners: dict[str, _Module] = {}
        for module in self.order:
            for name, offset in module.declared.items():
                if name in owners:
                    message = f'"{name}" is declared in {owners[name].path} too'
                    hint = "the modules are joined in one scope: rename one of them"
                    self._refuse(module, offset, message, hint)
                owners.setdefault(name, module)
        for module in self.order:
            for target, names, offset in module.imports:
                for name in names:
                    self._check_import(module, target, name, offset)

    def _check_import(self, module: _Module, target: str, name: str, offset: int) -> None:
        if self.base and target in self.base.modules:
            offered: Iterable[str] = self.base.exports
        elif target in self.scanned:
            offered = self.scanned[target].exported
        else:
            return
        if name not in offered:
            hint = f"it exports {', '.join(sorted(offered)) or 'nothing'}"
            self._refuse(module, offset, f'"{name}" is not exported by {target}', hint)

    def script(self, global_name: str) -> LinkedScript:
        exports = [name for path in self.entries for name in self.scanned[path].exported]
        head = ['(() => { "use strict";']
        if self.base and (borrowed := self._borrowed()):
            head.append(f"const {{ {', '.join(borrowed)} }} = globalThis.{self.base.global_name};")
        starts, line = [], len(head) + 1
        for module in self.order:
            starts.append(line)
            line += module.text.count("\n") + 1
        assignment = f"globalThis.{global_name} = Object.freeze({{ {', '.join(exports)} }});"
        text = "\n".join([*head, *(module.text for module in self.order), assignment, "})();", ""])
        return LinkedScript(
            text=text,
            linked=text,
            global_name=global_name,
            exports=tuple(exports),
            modules=tuple(module.path for module in self.order),
            starts=tuple(starts),
        )

    def _borrowed(self) -> list[str]:
        base = self.base.modules if self.base else ()
        imports = [i for module in self.order for i in module.imports if i[0] in base]
        return sorted({name for _, names, _ in imports for name in names})


class _Scanner:
    """
    Reads one module: takes imports and `export` out of it and leaves blanks, so that places stay.

    Not a parser. It knows strings, templates, regular expressions, comments and brackets, which is
    enough to see what stands at the top level; where a slash could be read in two ways it refuses.
    """

    __slots__ = ("brackets", "free", "module", "pieces", "position", "statement")

    def __init__(self, path: str, source: str, *, free: bool) -> None:
        self.module = _Module(path, source, {}, [], [], "", [])
        self.free = free
        self.position = 0
        # The text to emit, with as many signs as the source so far: what goes is blank.
        self.pieces: list[str] = []
        # Open brackets; in a body only braces are counted.
        self.brackets: list[tuple[str, int]] = []
        # What the top level is in: "", "const", "function", or "other".
        self.statement = ""

    def scan(self) -> _Module:
        length = len(self.module.source)
        while self.position < length:
            if self.brackets:
                plain = _BODY if self.brackets[-1][0] in {"{", "${"} else _GROUP
                self._take(plain)
            elif self.statement:
                self._take(_TOP)
            elif self._begin():
                continue
            if self.position < length:
                self._sign(self.module.source[self.position])
        self._check_end()
        self.module.text = "".join(self.pieces)
        return self.module

    def _check_end(self) -> None:
        text = "".join(self.pieces)
        for sign, offset in self.brackets[:1]:
            self._refuse(offset, f'"{sign}" is not closed', "close it")
        if not self.brackets and self.statement in {"const", "function"}:
            hint = "end it with a semicolon, or a function with its body"
            self._refuse(len(text), "the last statement does not end", hint)
        if "import" in text and (found := _DYNAMIC.search(text)):
            self._refuse(found.start(), f"`{found[0]}` is not in the strict form", _STRICT_HINT)

    def _refuse(self, offset: int, message: str, hint: str) -> None:
        module = self.module
        module.problems.append(_refusal(module.path, module.source, offset, message, hint))

    def _take(self, pattern: re.Pattern[str]) -> None:
        """Keeps what the pattern matches here, be it nothing."""
        if found := pattern.match(self.module.source, self.position):
            self._emit(found[0])

    def _emit(self, text: str) -> None:
        self.pieces.append(text)
        self.position += len(text)

    def _drop(self, text: str) -> None:
        self._emit("\n".join(" " * len(line) for line in text.split("\n")))

    def _begin(self) -> bool:
        """Starts a statement at the top level; True where something was taken."""
        source, start = self.module.source, self.position
        self._take(_BLANK)
        offset = self.position
        if offset == len(source):
            return True
        if found := _COMMENT.match(source, offset):
            self._drop(found[0])
        elif found := _IMPORT.match(source, offset):
            target = posixpath.join(posixpath.dirname(self.module.path), found[3])
            names = tuple(name.strip() for name in found[1].split(","))
            self.module.imports.append((posixpath.normpath(target), names, offset))
            self._drop(found[0])
        elif found := _DECLARATION.match(source, offset):
            self._declare(found)
        else:
            self.statement = "other"
            words = source[offset : offset + 40].split("\n")[0]
            if not self.free or words.startswith(("import", "export")):
                self._refuse(offset, f"`{words}` is not in the strict form", _STRICT_HINT)
        return self.position > start

    def _declare(self, found: re.Match[str]) -> None:
        name, at = found["name"], found.start("name")
        if name in self.module.declared:
            self._refuse(at, f'"{name}" is declared twice', "rename one of them")
        self.module.declared[name] = at
        if found["export"]:
            self.module.exported.append(name)
            self._drop(found["export"])
        self.statement = "function" if found["function"] else "const"
        self._emit(self.module.source[self.position : found.end()])

    def _sign(self, sign: str) -> None:
        """Takes the one sign that stopped the plain code, with what belongs to it."""
        offset = self.position
        if sign == "/":
            self._slash(offset)
        elif sign == "`":
            self._emit(sign)
            self._template(offset)
        elif sign in _CLOSING:
            self._close(sign, offset)
        else:
            if sign in {"{", "(", "["}:
                self.brackets.append((sign, offset))
            elif sign in {'"', "'"}:
                self._refuse(offset, f"the string that {sign} opens has no end", "close it")
            elif sign == "," and self.statement == "const":
                self._refuse(offset, "one `const` declares two names", "write one for each")
            elif sign == ";":
                self.statement = ""
            self._emit(sign)

    def _close(self, sign: str, offset: int) -> None:
        self._emit(sign)
        if not self.brackets or self.brackets[-1][0] not in {_CLOSING[sign], "${"}:
            self._refuse(offset, f'"{sign}" closes nothing', "take it out, or open it before")
            return
        opening, opened = self.brackets.pop()
        if opening == "${":
            self._template(opened)
        elif sign == "}" and not self.brackets and self.statement != "const":
            self.statement = ""

    def _template(self, offset: int) -> None:
        """Takes a template, or its rest behind an inserted expression, up to the next stop."""
        source, start = self.module.source, self.position
        found = _TEMPLATE.match(source, start)
        if not found:
            self._refuse(offset, "the template that ` opens has no end", "close it")
            self._emit(source[start:])
            return
        self._emit(found[0])
        if found[1] == "${":
            self.brackets.append(("${", offset))

    def _slash(self, offset: int) -> None:
        source = self.module.source
        if found := _COMMENT.match(source, offset):
            self._drop(found[0])
            return
        before = "".join(self.pieces).rstrip()
        last = before[-1:]
        if last == "}" or before.endswith(("++", "--")) or _ends_condition(before):
            hint = "give the regular expression a name of its own with `const`"
            self._refuse(offset, "this slash could divide or open a regular expression", hint)
        word = _WORD_BEFORE.search(before[-40:])
        divides = last in {")", "]", '"', "'", "`"} or (word and word[0] not in _OPERATOR_WORDS)
        found = None if divides else _REGEX.match(source, offset)
        self._emit(found[0] if found else "/")


def _ends_condition(before: str) -> bool:
    """Whether the text ends in the parentheses of an `if`, `while`, `for` or `with`."""
    if not before.endswith(")"):
        return False
    depth = 0
    for offset in range(len(before) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(before[offset], 0)
        if depth == 0:
            return _CONDITION.search(before[max(0, offset - 8) : offset]) is not None
    return False


def _refusal(path: str, source: str, offset: int, message: str, hint: str) -> SimulationError:
    line = source.count("\n", 0, offset) + 1
    column = offset - source.rfind("\n", 0, offset)
    return SimulationError(message, source=path, line=line, column=column, hint=hint)
