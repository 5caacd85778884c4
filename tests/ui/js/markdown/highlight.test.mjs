import assert from "node:assert/strict";
import { test } from "node:test";

import { highlight } from "../../../../ui/session_view/js/markdown/highlight.js";

const told = (code, name) =>
  highlight(code, name).filter(({ kind }) => kind !== "plain").map(({ kind, text }) => [kind, text]);

const CASES = [
  ["python", 'def f(x):  # twice\n    return "a\\"b" + 2.5', [
    ["keyword", "def"],
    ["comment", "# twice"],
    ["keyword", "return"],
    ["string", '"a\\"b"'],
    ["number", "2.5"],
  ]],
  ["python", '"""a\n# b"""', [["string", '"""a\n# b"""']]],
  ["js", "const a = `x ${1}`; /* y", [["keyword", "const"], ["string", "`x ${1}`"], ["comment", "/* y"]]],
  ["sql", "SELECT a -- b", [["keyword", "SELECT"], ["comment", "-- b"]]],
  ["bash", "if x1; then echo 'a", [["keyword", "if"], ["keyword", "then"], ["string", "'a"]]],
  ["json", '{"a": [1, true]}', [["string", '"a"'], ["number", "1"], ["keyword", "true"]]],
  ["constructor", "if", []],
  ["", "if", []],
];

for (const [name, code, wanted] of CASES) test(`${name}: ${code}`, () => assert.deepEqual(told(code, name), wanted));

test("no character is lost, whatever the code", () => {
  const texts = [
    ...CASES.map(([, code]) => code),
    '"'.repeat(5001),
    "/*".repeat(5000),
    "'''".repeat(5000),
    "\\".repeat(9999),
  ];
  for (const name of ["python", "js", "sql", "java", "yaml", "none"]) {
    for (const code of texts) assert.equal(highlight(code, name).map(({ text }) => text).join(""), code);
  }
  assert.deepEqual(highlight("", "python"), []);
});

test("very long code is plain", () => {
  assert.deepEqual(highlight("if ".repeat(10_000), "python").length, 1);
});
