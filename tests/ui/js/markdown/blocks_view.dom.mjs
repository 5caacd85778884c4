import { piecesOf } from "../../../../ui/session_view/js/markdown/blocks.js";
import { drawBlock, LONGEST_BLOCK } from "../../../../ui/session_view/js/markdown/blocks_view.js";
import { all, equal, show, test, textOf } from "../stage.mjs";

const drawn = (text, live = true) => show(piecesOf(text).map(({ block }) => drawBlock(block, live)));

test("a list of long numbers leaves room for all of their digits", () => {
  const room = (text) => drawn(text).querySelector("ol").style.getPropertyValue("--digits");
  equal([room("1. a\n2. b"), room("99. a\n100. b"), room("998. a\n999. b")], ["1", "3", "3"]);
});

test("headings, lists, quotes, rules, emphasis", () => {
  const view = drawn("# A *b*\n\n3. one\n   - two\n\n> `q` ~~r~~ **s**\n\n---");
  equal([...view.children].map(({ tagName }) => tagName), ["DIV", "OL", "BLOCKQUOTE", "HR"]);
  const heading = view.querySelector("[role=heading]");
  equal([textOf(heading), heading.ariaLevel, textOf(heading.querySelector("em"))], ["A b", "4", "b"]);
  equal([view.querySelector("ol").start, textOf(view.querySelector("li li"))], [3, "two"]);
  equal(all(view, "blockquote :is(code, s, strong)").map(textOf), ["q", "r", "s"]);
});

test("a table: a head, cells, how they are aligned", () => {
  const view = drawn("| a | b |\n|:-:|--:|\n| 1 | **2** |\n| 3 |");
  equal(all(view, "th").map(textOf), ["a", "b"]);
  equal(all(view, "td").map((cell) => [textOf(cell), cell.className]), [["1", "center"], ["2", "right"], ["3", "center"]]);
});

test("code: its language, and its kinds of words", () => {
  const view = drawn('```Python demo\nif x: "a" # b\n```\n\n```\nif\n```');
  equal([textOf(view.querySelector(".info")), textOf(view.querySelector("pre"))], ["Python demo", 'if x: "a" # b']);
  equal(all(view, "pre span").map((span) => [span.className, span.textContent]), [
    ["keyword", "if"],
    ["string", '"a"'],
    ["comment", "# b"],
  ]);
});

test("a link says where it leads; only one of the web can be opened, and not in a row", () => {
  const text =
    "[a](https://a.test/) https://b.test/ [c](javascript:alert(1)) [d](data:text/html,x) [e](//f) ![g](https://g.test/)";
  const view = drawn(text);
  equal(all(view, "a").map(({ href, target, rel }) => [href, target, rel]), [
    ["https://a.test/", "_blank", "noopener noreferrer"],
    ["https://b.test/", "_blank", "noopener noreferrer"],
  ]);
  equal(
    textOf(view),
    "a (https://a.test/) https://b.test/ c (javascript:alert(1)) d (data:text/html,x) e (//f) g (https://g.test/)",
  );
  const row = drawn(text, false);
  equal([all(row, "a, img").length, all(row, ".link").map(textOf), textOf(row)], [
    0,
    ["a", "https://b.test/"],
    textOf(view),
  ]);
});

test("a very long paragraph is text as it was written", () => {
  const text = "*a* ".repeat(LONGEST_BLOCK / 4 + 1);
  equal(drawn(text).textContent, text);
});

test("a table wraps between words only and scrolls in its box", () => {
  for (const price of ["$1,200,000,000,000.00", "`$1,200,000,000,000.00`", "https://a.example/1200000000000"]) {
    const view = drawn(`| price | note |\n|---|---|\n| ${price} | a<br>b |`);
    view.classList.add("markdown");
    view.style.width = "120px";
    const [box, table, cell] = [".table", "table", "td"].map((name) => view.querySelector(name));
    const lines = document.createRange();
    lines.selectNodeContents(cell.firstElementChild ?? cell);
    equal([box.scrollWidth > box.clientWidth, table.offsetWidth > 120, lines.getClientRects().length], [true, true, 1]);
    equal([getComputedStyle(box).overflowX, all(view, "td br").length], ["auto", 1]);
  }
});

test("each cell of a table reads from its own side", () => {
  const view = drawn("| price | سعر |\n|---|---|\n| مرحبا | 12 USD |");
  equal(all(view, "th, td").map((cell) => getComputedStyle(cell).direction), ["ltr", "rtl", "rtl", "ltr"]);
});

test("texts read from their own side, in lists and quotes with what holds them; code and formulas from the left", () => {
  const view = drawn("مرحبا\n\n- مرحبا\n- b\n\n> مرحبا\n\n# مرحبا\n\n```\nمرحبا\n```\n\n$$مرحبا$$");
  const side = (name) => getComputedStyle(view.querySelector(name)).direction;
  equal(["p", "ul", "li", "blockquote p", ".heading", "pre code", ".math"].map(side), [
    "rtl",
    "rtl",
    "rtl",
    "rtl",
    "rtl",
    "ltr",
    "ltr",
  ]);
});
