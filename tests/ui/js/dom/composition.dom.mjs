import { endsComposition, guardCompositions } from "../../../../ui/session_view/js/dom/composition.js";
import { equal, show, test } from "../stage.mjs";

const key = (options) => new KeyboardEvent("keydown", { bubbles: true, composed: true, ...options });

test("an Enter that ends a composition is told from one that sends, in Safari's order too", () => {
  equal(
    [
      key({ key: "Enter", keyCode: 13 }),
      key({ key: "Enter", keyCode: 229, isComposing: true }),
      key({ key: "Enter", keyCode: 13, isComposing: true }),
      key({ key: "Enter", keyCode: 229, isComposing: false }),
      key({ key: "a", keyCode: 229 }),
    ].map(endsComposition),
    [false, true, true, true, false],
  );
});

test("no one on the page hears of such an Enter, in a shadow root either; every other key arrives", () => {
  const heard = [];
  const page = new EventTarget();
  guardCompositions(page);
  page.addEventListener("keydown", ({ key: name, keyCode }) => heard.push(`${name} ${keyCode}`), true);
  for (const [name, code] of [["Enter", 229], ["Enter", 13], ["x", 229]]) {
    page.dispatchEvent(key({ key: name, keyCode: code }));
  }
  equal(heard, ["Enter 13", "x 229"]);
  const host = show(document.createElement("div"));
  const input = document.createElement("input");
  host.attachShadow({ mode: "open" }).append(input);
  const sent = [];
  input.addEventListener("keydown", (event) => sent.push(event.keyCode));
  const guarded = new AbortController();
  const guard = {
    addEventListener: (type, listener, capture) => addEventListener(type, listener, { capture, signal: guarded.signal }),
  };
  guardCompositions(guard);
  for (const code of [229, 13]) input.dispatchEvent(key({ key: "Enter", keyCode: code }));
  guarded.abort();
  equal(sent, [13]);
});
