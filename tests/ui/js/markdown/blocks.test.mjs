import assert from "node:assert/strict";
import { test } from "node:test";

import { piecesOf } from "../../../../ui/session_view/js/markdown/blocks.js";
import { counterOf } from "../work.mjs";
import { HOSTILE } from "./hostile_texts.mjs";

const count = await counterOf("/js/markdown/");

const blocks = (text) => piecesOf(text).map(({ block }) => block);
const p = (text) => ({ type: "paragraph", text });
const code = (info, text) => ({ type: "code", info, text });
const quote = (...inside) => ({ type: "quote", blocks: inside });
const list = (start, ...items) => ({ type: "list", start, items });

const CASES = [
  ["nothing", "", []],
  ["a sentence", "It is 1. and 2. of May.", [p("It is 1. and 2. of May.")]],
  ["lines stay lines", "one\n  two\nthree", [p("one\n  two\nthree")]],
  ["paragraphs", "one\n\n\ntwo", [p("one"), p("two")]],
  ["a numbered line in a paragraph", "It was in\n1999. Or in\n12. December", [p("It was in\n1999. Or in\n12. December")]],
  ["headings", "# One #\n## Two\n###### Six\n####### seven\n#tag", [
    { type: "heading", level: 1, text: "One" },
    { type: "heading", level: 2, text: "Two" },
    { type: "heading", level: 6, text: "Six" },
    p("####### seven\n#tag"),
  ]],
  ["a heading about a language", "# C#", [{ type: "heading", level: 1, text: "C#" }]],
  ["a heading ends a paragraph", "a\n# b\nc", [p("a"), { type: "heading", level: 1, text: "b" }, p("c")]],
  ["rules", "a\n---\n* * *\n--", [p("a"), { type: "rule" }, { type: "rule" }, p("--")]],
  ["a fence", "```python title\nx = 1\n\n  y\n```\nafter", [code("python title", "x = 1\n\n  y"), p("after")]],
  ["a fence of tildes holds backticks", "~~~~\n```\n~~~\n~~~~", [code("", "```\n~~~")]],
  ["a fence that is not closed", "```js\nf();", [code("js", "f();")]],
  ["no fence: a backtick follows", "```a`b", [p("```a`b")]],
  ["quotes", "> a\n> > b\nc", [quote(p("a"), quote(p("b"))), p("c")]],
  ["a list", "- a\n- b\n  more\n* c", [list(null, [p("a")], [p("b\nmore")], [p("c")])]],
  ["a list with gaps", "- a\n\n- b\n\n  c\n\nd", [list(null, [p("a")], [p("b"), p("c")]), p("d")]],
  ["numbered", "3. a\n4. b\n   - c\n  - d", [list(3, [p("a")], [p("b"), list(null, [p("c")], [p("d")])])]],
  ["a list after a sentence", "For:\n- a\n1. b", [p("For:"), list(null, [p("a")]), list(1, [p("b")])]],
  ["a fence in a list", "1. a\n   ```sh\n   ls\n   ```\n2. b", [list(1, [p("a"), code("sh", "ls")], [p("b")])]],
  ["a dash alone", "-\n-", [list(null, [], [])]],
  ["a table", "a | b\n:-: | -:\n1 | 2\nx \\| y | z | more\n\nend", [
    {
      type: "table",
      align: ["center", "right"],
      head: ["a", "b"],
      rows: [["1", "2"], ["x | y", "z", "more"]],
    },
    p("end"),
  ]],
  ["a formula of several lines is kept as it is", "See\n\\[\na\n- b\n# c\n\\]\nend\n\n$$\nx\n\ny", [
    p("See"),
    { type: "math", text: "\\[\na\n- b\n# c\n\\]" },
    p("end"),
    { type: "math", text: "$$\nx" },
    p("y"),
  ]],
  ["a table after a line", "See:\n| a |\n|---|\n| 1 |", [
    p("See:"),
    { type: "table", align: [null], head: ["a"], rows: [["1"]] },
  ]],
  ["no table: other cells", "a | b\n---|---|---", [p("a | b\n---|---|---")]],
  ["HTML is text", "<script>alert(1)</script>\n<!-- -->", [p("<script>alert(1)</script>\n<!-- -->")]],
];

for (const [name, text, wanted] of CASES) test(name, () => assert.deepEqual(blocks(text), wanted));

test("the sources of the blocks are the text, and each begins its block", () => {
  for (const [, text] of CASES) {
    const pieces = piecesOf(text);
    if (pieces.length) assert.equal(pieces.map(({ source }) => source).join(""), text);
    pieces.forEach(({ block }, i) => {
      assert.deepEqual(blocks(pieces.slice(i).map(({ source }) => source).join(""))[0], block);
    });
  }
});

/** How deep blocks stand in each other. */
function depthOf(inside) {
  return inside.reduce((most, { blocks = [], items = [] }) => Math.max(most, 1 + depthOf([...blocks, ...items.flat()])), 0);
}

test("containers nest to a depth, the rest is text", () => {
  for (const mark of ["> ", ">", "- ", "1. ", "> - "]) {
    const [block] = blocks(`${mark.repeat(10_000)}end`);
    assert.ok(depthOf([block]) <= 9);
    assert.ok(JSON.stringify(block).includes("end"));
  }
});

test("twice the text is twice the work, whatever the text", async () => {
  for (const [name, hostile] of Object.entries(HOSTILE)) {
    const [few, many] = [await count(() => piecesOf(hostile(16_000))), await count(() => piecesOf(hostile(32_000)))];
    assert.ok(few > 0 && many <= 2.5 * few + 500, `${name}: ${few}, then ${many}`);
  }
});

test("long texts of any kind are read", () => {
  for (const hostile of Object.values(HOSTILE)) piecesOf(hostile(100_000));
});
