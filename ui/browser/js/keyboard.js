// @ts-check
/**
 * Keys: j and k anywhere on the page, ← → and Space in the view or where nothing is focused, arrows inside the list, "/" to
 * type, Esc to let go. A button keeps its own keys.
 */

import { focusChatInput } from "./streamlit_page.js";

const FIELDS =
  "input:not([type=range]), textarea, select, [contenteditable=''], [contenteditable=true], [role=combobox], [role=textbox]";
const CONTROLS = "button, a[href], summary, select";
/** They have arrow keys of their own. */
const MOVED = "[role=tab], [role=separator], select";

/**
 * What the keys do; one that answers false leaves its key to the page.
 * @typedef {object} Actions
 * @property {(by: 1 | -1) => unknown} step
 * @property {(end: boolean) => unknown} toEdge
 * @property {() => unknown} open
 * @property {() => boolean} escape
 * @property {(by: 1 | -1) => unknown} move the cursor by an event
 * @property {(by: 1 | -1) => unknown} turn the cursor by an agent's turn
 * @property {() => unknown} play or pause
 */

/**
 * Listens until the returned function is called.
 * @param {Element} root the view: nothing is done while it is not in the page
 * @param {Element} list
 * @param {Actions} actions
 */
export function listenToKeys(root, list, { step, toEdge, open, escape, move, turn, play }) {
  /** @type {Map<string, (event: KeyboardEvent) => unknown>} */
  const anywhere = new Map([["j", () => step(1)], ["k", () => step(-1)], ["J", () => turn(1)], ["K", () => turn(-1)], [
    "/",
    focusChatInput,
  ], ["Escape", escape]]);
  /** @type {Map<string, (event: KeyboardEvent) => unknown>} */
  const inList = new Map([
    ["ArrowDown", () => step(1)],
    ["ArrowUp", () => step(-1)],
    ["Home", () => toEdge(false)],
    ["End", () => toEdge(true)],
    ["Enter", open],
  ]);
  /** @type {Map<string, (event: KeyboardEvent) => unknown>} */
  const inView = new Map([
    ["ArrowRight", ({ shiftKey }) => shiftKey ? turn(1) : move(1)],
    ["ArrowLeft", ({ shiftKey }) => shiftKey ? turn(-1) : move(-1)],
  ]);

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !root.isConnected) return;
    const focused = focusedElement();
    if (isTyping() || isInDialog()) return;
    const within = event.composedPath().includes(list) && !focused?.matches(CONTROLS);
    const here = !focused || focused === document.body || event.composedPath().includes(root);
    const act = anywhere.get(event.key) ?? (within ? inList.get(event.key) : undefined) ??
      (here && !focused?.matches(MOVED) ? inView.get(event.key) : undefined) ??
      (event.key === " " && here && !focused?.matches(CONTROLS) ? play : undefined);
    if (!act || act(event) === false) return;
    event.preventDefault();
    event.stopPropagation();
  }

  document.addEventListener("keydown", onKey, true);
  return () => document.removeEventListener("keydown", onKey, true);
}

/** Whether keys go into a field. */
export function isTyping() {
  return Boolean(focusedElement()?.matches(FIELDS));
}

/** Whether keys belong to a dialog. */
export function isInDialog() {
  return Boolean(document.querySelector("[role=dialog], [role=alertdialog], dialog[open]"));
}

function focusedElement() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}
