import { RowView } from "../../../../ui/sessions/list/js/row_view.js";
import { all, equal, show, test, textOf } from "../../js/stage.mjs";
import { row } from "./rows.mjs";

function drawn(more = {}, look = {}) {
  const view = new RowView();
  const found = row("s1", more);
  view.update(found, {
    selected: false,
    opening: false,
    href: "/?session=s1",
    pipeline: "Pipeline P",
    now: found.updated + 120,
    ...look,
  });
  show(view.element);
  return view;
}

const lines = ({ element }) => all(element, ".line").filter(({ hidden }) => !hidden).map(textOf);

test("a row says what the session is, and leads to it", () => {
  const view = drawn({ model: "gemini", tags: ["a", "b"], excerpt: "… a lamp …" });
  equal([textOf(view.link), view.link.getAttribute("href")], ["title s1", "/?session=s1"]);
  equal(lines(view), ["✓ completed · 2 min ago · Pipeline P · gemini · 2 KB", "… a lamp …"]);
  equal(all(view.element, ".tag").map(textOf), ["a", "b"]);
  equal(view.box.getAttribute("aria-label"), "Select title s1");
});

test("a fork says what it changed", () => {
  const changed = "fork of “the sea”: playbook off";
  equal(lines(drawn({ depth: 2, facts: ["2 KB", changed] })), [`✓ completed · 2 min ago · Pipeline P · 2 KB · ${changed}`]);
});

test("a row that opens says so; a selected one is checked", () => {
  const view = drawn({}, { opening: true, selected: true });
  equal([lines(view)[0].split(" · ")[0], view.link.ariaBusy, view.box.checked], ["opening …", "true", true]);
});

test("title, tags and excerpt read from their own side", () => {
  const sides = (title) => {
    const { element } = drawn({ title, tags: [title], excerpt: title });
    return [".title", ".tag", ".excerpt"].map((name) => getComputedStyle(element.querySelector(name)).direction);
  };
  equal([sides("حارس المنارة"), sides("a keeper")], [["rtl", "rtl", "rtl"], ["ltr", "ltr", "ltr"]]);
});

test("texts are no markup", () => {
  const view = drawn({
    title: "<img src=x onerror=alert(1)>",
    tags: ["<b>x</b>"],
    excerpt: "<i>y</i>",
    facts: ["<u>z</u>"],
  });
  equal(all(view.element, "img, b, i, u").length, 0);
});
