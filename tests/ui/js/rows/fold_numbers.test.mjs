import assert from "node:assert/strict";
import { test } from "node:test";
import { checkedFoldText, foldNumbers, foldText } from "../../../../ui/session_view/js/rows/fold_numbers.js";

const upTo = (n) => Array.from({ length: n }, (_, i) => i);
const read = (text, n = 50) => upTo(n).filter(foldNumbers(text));

test("numbers become a text and numbers again; neighbours are a range", () => {
  assert.equal(foldText([]), null);
  assert.equal(foldText([7, 3, 1, 0, 2, 12]), "0-3.7.12");
  for (const numbers of [[], [0], [0, 2, 4], [1, 2, 3, 9, 10, 49]]) assert.deepEqual(read(foldText(numbers)), numbers);
});

test("the text stays short, whatever is folded", () => {
  assert.equal(foldText(upTo(10_000)), "0-9999");
  const other = foldText(upTo(10_000).filter((n) => n % 2));
  assert.ok(other.length <= 200);
  assert.deepEqual(read(other, 20), upTo(20).filter((n) => n % 2));
});

test("what is no such text folds nothing, however long it is", () => {
  const junk = [
    null,
    "",
    "x",
    "-",
    "1.",
    ".1",
    "1--2",
    "1-2-3",
    "1e3",
    "-1",
    "1234567",
    "٣",
    " 1",
    "1\n",
    "<b>",
    "1.".repeat(1e6),
  ];
  for (const text of junk) assert.deepEqual([checkedFoldText(text), read(text)], [null, []], String(text).slice(0, 20));
});

test("a range is not counted out, and one that ends before it begins is empty", () => {
  assert.equal(read("0-999999", 1000).length, 1000);
  assert.deepEqual(read("9-3.5"), [5]);
});
