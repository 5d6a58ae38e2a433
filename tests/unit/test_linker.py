"""The strict linker of the simulation's modules: one test for each refusal and each promise."""

from collections.abc import Mapping

import pytest

from batcher_site.errors import SimulationError, SiteErrors
from batcher_site.linker import LinkedScript, link
from batcher_site.simulation import Simulator

ENTRY = "js/entry.js"
BLANK = " " * len('import { b } from "./b.js";')
LAST = "globalThis.Engine = Object.freeze({ a });"


def linked(source: str, **others: str) -> LinkedScript:
    return link(_modules(source, others), ENTRY, global_name="Engine")


def refusals(source: str, **others: str) -> list[SimulationError]:
    with pytest.raises(SiteErrors) as caught:
        linked(source, **others)
    errors = [error for error in caught.value.errors if isinstance(error, SimulationError)]
    assert len(errors) == len(caught.value.errors)
    assert all(error.hint for error in errors)
    return errors


def refusal(source: str, **others: str) -> str:
    (error,) = refusals(source, **others)
    return str(error)


def answer(source: str, **others: str) -> str:
    """What `simulateWorkload` gives in the engine."""
    return Simulator(linked(source, **others)).simulate(b"{}")


def _modules(source: str, others: Mapping[str, str]) -> dict[str, str]:
    return {ENTRY: source, **{f"js/{name}.js": text for name, text in others.items()}}


def test_modules_stand_behind_what_they_import() -> None:
    script = linked(
        'import { b } from "./b.js";\nimport { c } from "./c.js";\nexport const a = b + c;\n',
        b='import { c } from "./c.js";\nexport const b = c;\n',
        c="export const c = 1;\n",
    )
    assert script.modules == ("js/c.js", "js/b.js", "js/entry.js")
    assert script.text == (
        '(() => { "use strict";\n'
        "       const c = 1;\n\n"
        f"{BLANK}\n       const b = c;\n\n"
        f"{BLANK}\n{BLANK}\n       const a = b + c;\n\n"
        f"{LAST}\n}})();\n"
    )


def test_the_global_has_the_exports_of_the_entry_only() -> None:
    script = linked(
        'import { b } from "./b.js";\nexport const a = b;\nfunction hidden() {}\n',
        b="export const b = 1;\n",
    )
    assert script.exports == ("a",)


def test_several_entries_give_their_exports_together() -> None:
    modules = {"js/a.js": "export const a = 1;\n", "js/b.js": "export const b = 2;\n"}
    script = link(modules, ["js/a.js", "js/b.js"], global_name="Engine")
    assert script.exports == ("a", "b")


def test_a_module_that_nobody_imports_is_left_out() -> None:
    assert "other" not in linked("export const a = 1;\n", other="const other = 1;\n").text


def test_what_is_taken_out_leaves_blanks_so_that_places_stay() -> None:
    source = "/** What it is.\n * On two lines. */\nexport function a() { // why\n  return 1;\n}\n"
    lines = linked(source).linked.split("\n")
    assert lines[1:6] == [" " * 15, " " * 19, "       function a() {       ", "  return 1;", "}"]


def test_what_looks_like_a_comment_in_a_string_stays() -> None:
    body = "[\"// 'no'\", '/* \"no\" */', `// no ${1 + 1} /* no */`, /[/*]\\/ \\//];"
    assert f"const a = {body}" in linked(f"export const a = {body}\n").text


def test_a_template_stays_as_it_is() -> None:
    template = "`\n    two   \n\n  ${ `in\n   side` }\n  end`"
    assert f"const a = {template};" in linked(f"export const a = {template};\n").text


def test_a_slash_behind_a_value_divides() -> None:
    source = 'export function a(b, c) { return (b) / c / b[0] / 2 + "/" ; } // "\n'
    assert 'return (b) / c / b[0] / 2 + "/" ;' in linked(source).text


def test_a_slash_behind_a_word_of_the_language_opens_a_regular_expression() -> None:
    source = "export function a(b) { return /[\"'`{/]/.test(b); }\n"
    assert "return /[\"'`{/]/.test(b);" in linked(source).text


def test_a_default_that_is_an_object_does_not_end_a_function() -> None:
    script = linked("export function a({ b = {} } = {}) {\n  return b;\n}\nconst c = 1;\n")
    assert script.exports == ("a",)


def test_only_an_entry_may_act() -> None:
    script = linked("export const a = 1;\nif (a > 1) {\n  a();\n}\n")
    assert "const a = 1;\nif (a > 1) {\n  a();\n}" in script.text
    said = refusal(
        'import { b } from "./b.js";\nexport const a = b;\n', b="export const b = 1;\nb();\n"
    )
    assert said.startswith("js/b.js:2:1: `b();` is not in the strict form")


@pytest.mark.parametrize(
    "statement",
    [
        'import a from "./b.js";',
        'import * as a from "./b.js";',
        'import { b as a } from "./b.js";',
        'import "./b.js";',
        'import { b } from "b";',
        'import { b } from "https://example.org/b.js";',
        "export default 1;",
        "export { a };",
        'export * from "./b.js";',
        'export { b } from "./b.js";',
        "export let a = 1;",
        "export class A {}",
        "export const { a } = b;",
    ],
)
def test_another_form_of_import_or_export_is_refused(statement: str) -> None:
    errors = refusals(f"\n{statement}\n", b="export const b = 1;\n")
    assert str(errors[0]).startswith(f"{ENTRY}:2:1: `{statement[:40]}` is not in the strict form")


@pytest.mark.parametrize("statement", ["let b = 1;", "var b = 1;", "class B {}", "b = 1;", "[1];"])
def test_another_statement_in_a_module_is_refused(statement: str) -> None:
    said = refusal('import { a } from "./b.js";\n', b=f"export const a = 1;\n{statement}\n")
    assert said == f"js/b.js:2:1: `{statement}` is not in the strict form"


def test_a_second_statement_in_a_line_is_seen() -> None:
    said = refusal('import { a } from "./b.js";\n', b="export const a = 1; a();\n")
    assert said.startswith("js/b.js:1:21: `a();`")


def test_an_import_at_run_time_is_refused() -> None:
    said = refusal('export function a() {\n  return import("./b.js");\n}\n')
    assert said.startswith(f"{ENTRY}:2:10: `import(`")


def test_an_unknown_module_is_refused_where_it_is_imported() -> None:
    (error,) = refusals('\nimport { b } from "./c.js";\n', b="export const b = 1;\n")
    assert str(error) == f'{ENTRY}:2:1: unknown module "js/c.js"'
    assert error.hint == "the modules are js/b.js, js/entry.js"


def test_an_unknown_entry_is_refused() -> None:
    with pytest.raises(SiteErrors, match=r'unknown module "js/entry\.js"'):
        link({}, ENTRY, global_name="Engine")


def test_a_circle_of_imports_is_refused_with_its_way() -> None:
    said = refusal(
        'import { b } from "./b.js";\nexport const a = b;\n',
        b='import { c } from "./c.js";\nexport const b = c;\n',
        c='import { b } from "./b.js";\nexport const c = b;\n',
    )
    assert said == "js/c.js:1:1: imports run in a circle: js/b.js -> js/c.js -> js/b.js"


def test_a_name_in_two_modules_is_refused() -> None:
    said = refusal(
        'import { b } from "./b.js";\nconst c = b;\n', b="export const b = 1;\nconst c = 2;"
    )
    assert said == f'{ENTRY}:2:7: "c" is declared in js/b.js too'


def test_a_name_twice_in_a_module_is_refused() -> None:
    said = refusal("const a = 1;\nfunction a() {}\n")
    assert said == f'{ENTRY}:2:10: "a" is declared twice'


def test_two_names_in_one_declaration_are_refused() -> None:
    said = refusal("const a = [1, 2], b = 3;\n")
    assert said == f"{ENTRY}:1:17: one `const` declares two names"


def test_a_name_that_its_module_does_not_export_is_refused() -> None:
    (error,) = refusals('import { b, c } from "./b.js";\n', b="export const b = 1;\nconst c = 2;\n")
    assert str(error) == f'{ENTRY}:1:1: "c" is not exported by js/b.js'
    assert error.hint == "it exports b"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('const a = "text;\n', '1:11: the string that " opens has no end'),
        ("const a = `text;\n", "1:11: the template that ` opens has no end"),
        ("function a() {\n", '1:14: "{" is not closed'),
        ("function a() {}\n}\n", '2:1: "}" closes nothing'),
        ("const a = [1;\n", '1:11: "[" is not closed'),
        ("const a = 1\n", "2:1: the last statement does not end"),
    ],
)
def test_what_does_not_end_is_refused_where_it_begins(source: str, said: str) -> None:
    assert f"{ENTRY}:{said}" in [str(error) for error in refusals(source)]


@pytest.mark.parametrize(
    "code", ["if (b) /x/.test(b);", "b = {} / 2;", "return b++ / 2;", "while (b(c)) /x/.exec(b);"]
)
def test_a_slash_that_can_be_read_in_two_ways_is_refused(code: str) -> None:
    said = refusal(f"function a(b, c) {{\n  {code}\n}}\n")
    column = 3 + code.index("/")
    assert said.startswith(f"{ENTRY}:2:{column}: this slash could divide or open")


def test_all_refusals_are_reported_together() -> None:
    errors = refusals(
        'import { x } from "./b.js";\nimport { y } from "./c.js";\nlet z;\nexport default z;\n',
        b="export const b = 1;\nvar c = 1;\n",
    )
    places = [error.place for error in errors]
    assert places == ["js/b.js:2:1", f"{ENTRY}:1:1", f"{ENTRY}:2:1", f"{ENTRY}:4:1"]


def test_a_script_on_a_base_borrows_from_its_global() -> None:
    """The second file of a page repeats nothing of the first."""
    modules = {
        "js/core.js": "export const one = 1;\nexport const two = 2;\n",
        ENTRY: 'import { two } from "./core.js";\n'
        "export function simulateWorkload() { return JSON.stringify({ two }); }\n",
    }
    base = link(modules, "js/core.js", global_name="Core")
    script = link(modules, ENTRY, global_name="Engine", base=base)
    assert script.modules == (ENTRY,)
    assert Simulator(base, script).simulate(b"{}") == '{"two":2}'


def test_a_base_that_does_not_offer_a_name_is_refused() -> None:
    modules = {
        "js/core.js": 'import { deep } from "./deep.js";\nexport const one = deep;\n',
        "js/deep.js": "export const deep = 1;\n",
        ENTRY: 'import { deep } from "./deep.js";\n',
    }
    base = link(modules, "js/core.js", global_name="Core")
    with pytest.raises(SiteErrors, match=r'"deep" is not exported by js/deep\.js'):
        link(modules, ENTRY, global_name="Engine", base=base)


def test_an_exception_is_told_with_its_place_in_the_module() -> None:
    """Lines and columns are those of the source, though comments and indentation are gone."""
    with pytest.raises(SimulationError) as caught:
        answer(
            'import { broken } from "./b.js";\n'
            "export function simulateWorkload(json) {\n  return broken(JSON.parse(json));\n}\n",
            b="/** Fails. */\nexport function broken(a) {\n\n    // why\n    return a.b.c;\n}\n",
        )
    assert caught.value.place == "js/b.js:5:12"
    assert caught.value.message == "TypeError: cannot read property 'c' of undefined"


def test_a_fault_of_syntax_is_told_with_its_place_in_the_module() -> None:
    with pytest.raises(SimulationError, match="SyntaxError") as caught:
        answer("export const a = 1;\n\n\nexport function b() {\n  retur 1;\n}\n")
    assert (caught.value.source, caught.value.line) == (ENTRY, 5)
