// @ts-check
/** Keys of every page, with buttons in the side bar: `s` for the stage, `?` for the list of keys, `g` for the glossary. */

import { guardCompositions } from "./dom/composition.js";
import { h } from "../../browser/js/elements.js";
import { showKeys } from "./dom/key_list.js";
import { isInDialog, isTyping } from "../../browser/js/keyboard.js";
import { leaveChatInput, pageRoot } from "../../browser/js/streamlit_page.js";
import { showGlossary } from "./page/glossary.js";
import { Stage } from "./page/stage.js";

const stage = new Stage();
/** @type {Map<string, () => unknown>} */
const KEYS = new Map([
  ["s", () => stage.turn(!stage.isOn)],
  ["?", () => showKeys(pageRoot())],
  ["g", () => showGlossary()],
]);

guardCompositions(globalThis);
globalThis.addEventListener?.("keydown", onKey, true);
globalThis.addEventListener?.("popstate", () => stage.goBack());
// A script that draws only a fragment of the page may write the address, too. A browser without the Navigation API puts the
// stage back when the whole page is drawn.
globalThis.navigation?.addEventListener("currententrychange", ({ navigationType }) => {
  if (stage.isOn && navigationType !== "traverse") stage.show();
});

/** @param {{ parentElement: ParentNode }} component */
export default function pageKeys({ parentElement }) {
  stage.show();
  if (parentElement.querySelector(".page-keys")) return;
  const draw = (/** @type {string} */ label, /** @type {string} */ key) =>
    h(
      "button",
      { type: "button", "aria-keyshortcuts": key, onclick: KEYS.get(key) },
      label,
      " ",
      h("kbd", { "aria-hidden": "true" }, key),
    );
  parentElement.append(h("div.page-keys", {}, draw("Stage", "s"), draw("Keys", "?"), draw("Glossary", "g")));
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isInDialog()) return;
  if (event.key === "Escape" ? !escape() : isTyping() || !KEYS.has(event.key)) return;
  if (event.key !== "Escape") KEYS.get(event.key)?.();
  event.preventDefault();
  event.stopPropagation();
}

/** Leaves the chat input, else the stage; false where neither is. */
function escape() {
  if (leaveChatInput()) return true;
  if (!stage.isOn || isTyping()) return false;
  stage.turn(false);
  return true;
}
