import assert from "node:assert/strict";
import { test } from "node:test";
import { addressAt, withoutEnd } from "../../../../ui/session_view/js/markdown/addresses.js";

test("the address after a link's text, without its title", () => {
  assert.deepEqual(addressAt('[a](https://a.test/x "T") b', 3), { address: "https://a.test/x", end: 25 });
  assert.deepEqual(addressAt("(<b>)", 0), { address: "b", end: 5 });
  for (const none of ["a", "(a", "(a b)", "(a[)", "(a\n)"]) assert.equal(addressAt(none, 0), null);
});

test("what ends a sentence is no part of an address", () => {
  assert.deepEqual(["https://a.test/.", "https://a.test/a)", "https://a.test/(a)?!"].map(withoutEnd), [
    "https://a.test/",
    "https://a.test/a",
    "https://a.test/(a)",
  ]);
});
