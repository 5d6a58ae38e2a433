import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../static/js/simulation/", import.meta.url);
// The modules that touch the page; all others give the same bytes in every engine.
const IMPURE = new Set(["controller.js", "controls.js", "starter.js"]);
const FORBIDDEN = [
  /\bDate\b/, /\bperformance\b/, /\bMath\.(random|exp|log|pow|sin|cos|tanh|cbrt|hypot)\b/, /\*\*/,
  /\bIntl\b/, /\btoLocale/, /\blocaleCompare\b/, /\bstructuredClone\b/, /\bwindow\b/,
  /\bdocument\b/, /\bconsole\b/, /\bfetch\b/, /\bsetTimeout\b/, / style=/,
];

const modules = readdirSync(FOLDER).filter((name) => name.endsWith(".js") && !IMPURE.has(name));

function withoutComments(source) {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

test("there are pure modules to look at", () => {
  assert.ok(modules.includes("scheduler.js") && modules.includes("view.js"));
});

for (const name of modules) {
  test(`${name} uses nothing that differs between engines`, () => {
    const code = withoutComments(readFileSync(new URL(name, FOLDER), "utf8"));
    const found = FORBIDDEN.filter((word) => word.test(code)).map(String);
    assert.deepEqual(found, []);
  });

  test(`${name} imports only what it uses`, () => {
    const code = withoutComments(readFileSync(new URL(name, FOLDER), "utf8"));
    const imports = [...code.matchAll(/import\s*\{([^}]*)\}[^;]*;/g)];
    const body = code.replace(/import\s*\{[^}]*\}[^;]*;/g, "");
    for (const used of imports.flatMap((found) => found[1].split(",")).map((n) => n.trim())) {
      assert.match(body, new RegExp(`\\b${used}\\b`), `${name} does not use ${used}`);
    }
  });
}
