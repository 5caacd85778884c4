import { RowView } from "../../../ui/session_list/js/row_view.js";
import { all, equal, ok, show, test, textOf } from "../js/stage.mjs";
import { row } from "./rows.mjs";

const NOW = new Date(2026, 5, 15, 12, 0, 0).getTime() / 1000;
const SHOWN = { current: false, selected: false, opening: false, href: "/?session=s1", now: NOW, facts: [], lines: {} };

function drawn(fields = {}, shown = {}, selectable = false) {
  const view = new RowView({ selectable });
  show(view.element).className = "session-list";
  view.update(row("s1", { updated: NOW - 300, ...fields }), { ...SHOWN, ...shown });
  return view;
}

const lines = ({ element }) => all(element, ".title, .line").filter(({ hidden }) => !hidden).map(textOf);

test("title, then outcome and age, with the whole title and time in tooltips", () => {
  const view = drawn({ title: "a lighthouse keeper" });
  equal(lines(view), ["a lighthouse keeper", "✓ completed · 5 min ago"]);
  equal(all(view.element, ".title, .line:not([hidden])").map(({ title }) => title), [
    "a lighthouse keeper",
    "Last change: 15 Jun 2026, 11:55:00",
  ]);
  equal([view.link.getAttribute("href"), view.link.ariaCurrent, view.link.ariaBusy], ["/?session=s1", null, null]);
});

test("what else is known follows in the same line, or in lines of its own", () => {
  const view = drawn({}, {
    facts: ["Pipeline P", "2 KB"],
    lines: { fork: "fork: x", excerpt: "… a lamp …" },
    tags: ["a", "b"],
  });
  equal(lines(view).slice(1), ["✓ completed · 5 min ago · Pipeline P · 2 KB", "fork: x", "… a lamp …"]);
  equal(all(view.element, ".tag").map(textOf), ["a", "b"]);
  equal(all(view.element, ".line.fork").map(({ title }) => title), ["fork: x"]);
});

test("texts read from their own side", () => {
  const sides = (text) => {
    const { element } = drawn({ title: text }, { lines: { fork: text, pipeline: text, excerpt: text }, tags: [text] });
    const parts = [".title", ".fork", ".pipeline", ".excerpt", ".tag"];
    return parts.map((name) => getComputedStyle(element.querySelector(name)).direction);
  };
  equal([...new Set(sides("حارس المنارة"))], ["rtl"]);
  equal([...new Set(sides("a keeper"))], ["ltr"]);
});

test("the page's own row and one that opens say so", () => {
  equal(drawn({}, { current: true }).link.ariaCurrent, "true");
  const view = drawn({}, { current: true, opening: true });
  equal([lines(view)[1], view.link.ariaBusy], ["opening … · 5 min ago", "true"]);
});

test("a row with a box says what it selects", () => {
  const { box } = drawn({}, { selected: true }, true);
  equal([box.checked, box.getAttribute("aria-label")], [true, "Select title s1"]);
  equal(drawn().box, null);
});

test("a long title takes two lines", () => {
  const short = drawn({ title: "x" }).link.getBoundingClientRect().height;
  const long = drawn({ title: "word ".repeat(500) }).link.getBoundingClientRect().height;
  ok(Math.abs(long - 2 * short) < 1, `${short} and ${long}`);
});

test("markup is text", () => {
  const bad = '<img src=x onerror="window.broken = 1"><b>bold</b>';
  const look = { facts: [bad], tags: [bad], lines: { fork: bad, apart: bad, pipeline: bad, excerpt: bad } };
  const { element } = drawn({ title: bad, outcome: bad }, look);
  equal([element.querySelectorAll("img, b").length, window.broken], [0, undefined]);
  equal(textOf(element).split("<img").length, 9);
});

test("a row that is updated stays the same element", () => {
  const view = drawn({ updated: NOW });
  const title = view.link.firstChild;
  view.update(row("s1", { updated: NOW, outcome: "✗ failed" }), { ...SHOWN, now: NOW + 120 });
  ok(view.link.firstChild === title);
  equal(lines(view)[1], "✗ failed · 2 min ago");
});
