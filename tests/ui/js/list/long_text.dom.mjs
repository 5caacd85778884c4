import { drawLongText, LONG_LINES } from "../../../../ui/session_view/js/list/long_text.js";
import { all, equal, ok, show, test, textOf } from "../stage.mjs";

const drawn = (text, more = {}) => show(drawLongText(text, { key: 7 }, { open: false, raw: false, onToggle() {}, ...more }));

test("a short text is shown whole, a long one from its beginning, and all of it on demand", () => {
  equal(textOf(drawn("two\nlines")), "two lines");
  const text = "line\n".repeat(LONG_LINES * 3);
  const toggled = [];
  const part = drawn(text, { onToggle: (key) => toggled.push(key) });
  const [more] = all(part, ".more");
  equal(textOf(more), `show all ${text.length} characters`);
  more.click();
  equal(toggled, [7]);
  const whole = drawn(text, { open: true });
  ok(textOf(whole).length > textOf(part).length);
  equal(textOf(all(whole, ".more")[0]), "show less");
});

test("Markdown is drawn, unless the text is to be shown as it was written", () => {
  equal(all(drawn("**bold**"), "strong").length, 1);
  equal(textOf(drawn("**bold**", { raw: true })), "**bold**");
});
