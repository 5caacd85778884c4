// @ts-check
/** The list of all keys, in a dialog that keeps the focus until Esc or Close. */

import { h } from "../../../browser/js/elements.js";

/** @type {[string, string][]} */
const KEYS = [
  ["/", "Type a message; on the Sessions page, search"],
  ["Esc", "Leave the message, the stage, a pane, or let go of the selected event"],
  ["j  k", "Next or previous event, or session on the Sessions page"],
  ["↑  ↓  Home  End", "The same, inside the event list"],
  ["←  →", "The cursor by an event. On tabs and between panes: another tab, another width"],
  ["Shift+J  Shift+K", "The cursor by an agent's turn, as Shift+← and Shift+→"],
  ["Space", "Play the session from the cursor, or pause"],
  ["Enter", "Show the selected event in full, or no longer"],
  ["f", "What if: run on from the selected event with something changed"],
  ["m", "The message of the selected answer on another model, beside this session"],
  ["x", "Select the session, or no longer, on the Sessions page"],
  ["s", "Stage: large text, no controls"],
  ["g", "Glossary: what the words mean"],
  ["?", "These keys"],
];

/**
 * Opens the list, once.
 * @param {Element} parent what it takes its colours from
 */
export function showKeys(parent = document.body) {
  if (document.querySelector("dialog.key-list[open]")) return;
  const dialog = h("dialog.key-list", { "aria-label": "Keys" });
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const rows = KEYS.map(([keys, does]) => [
    h("dt", {}, keys.split("  ").map((key) => [h("kbd", {}, key), " "])),
    h("dd", {}, does),
  ]);
  dialog.append(h("h2", {}, "Keys"), h("dl", {}, rows), close);
  dialog.addEventListener("close", () => dialog.remove());
  parent.append(dialog);
  dialog.showModal();
  close.focus();
}
