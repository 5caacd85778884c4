import assert from "node:assert/strict";
import { test } from "node:test";
import { listenToPrinting } from "../../../../ui/session_view/js/dom/printing.js";

function stage() {
  const page = new EventTarget();
  const medium = Object.assign(new EventTarget(), { matches: false });
  globalThis.matchMedia = () => medium;
  globalThis.addEventListener = page.addEventListener.bind(page);
  globalThis.removeEventListener = page.removeEventListener.bind(page);
  const told = [];
  const end = listenToPrinting((printing) => told.push(printing));
  return { page, medium, told, end };
}

test("the events of printing and the medium are told", () => {
  const { page, medium, told } = stage();
  page.dispatchEvent(new Event("beforeprint"));
  page.dispatchEvent(new Event("afterprint"));
  medium.matches = true;
  medium.dispatchEvent(new Event("change"));
  medium.matches = false;
  medium.dispatchEvent(new Event("change"));
  assert.deepEqual(told, [true, false, true, false]);
});

test("a view that is gone is told nothing", () => {
  const { page, medium, told, end } = stage();
  end();
  for (const name of ["beforeprint", "afterprint"]) page.dispatchEvent(new Event(name));
  medium.dispatchEvent(new Event("change"));
  assert.deepEqual(told, []);
});
