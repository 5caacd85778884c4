import assert from "node:assert/strict";
import { test } from "node:test";
import { sides } from "../../../../ui/session_view/js/markdown/flanks.js";

/** What the first run of marks may do: "o" for opening, "c" for closing. */
function told(text) {
  const [run] = /[*_~]+/.exec(text);
  const { opens, closes } = sides(text, text.indexOf(run), run);
  return `${opens ? "o" : ""}${closes ? "c" : ""}`;
}

test("marks beside words, spaces and signs", () => {
  for (
    const [text, said] of Object.entries({
      "**a": "o",
      "a**": "c",
      "a ** b": "",
      "a*b": "",
      "a__b": "",
      "(**a": "o",
      "a.** b": "c",
      'b"**c': "o",
    })
  ) {
    assert.equal(told(text), said, text);
  }
});

test("marks in scripts without spaces: a sign before them does not keep them from ending", () => {
  for (const text of ["」**で", "）**𠮷", '"**는', ")**ครับ", "。**a"]) assert.ok(told(text).includes("c"), text);
  for (const text of ["は**「", "𠮷**（", '는**"']) assert.ok(told(text).includes("o"), text);
});
