// @ts-check
/** What can be done after a refusal: buttons that send its examples to this session, and the way to a real model. */

import { h } from "../../../browser/js/elements.js";
import { isObject } from "../../../browser/js/json.js";
import { drawSettingsLink } from "../parts/errors.js";

/** @import { EventBody } from "../log/entries.d.ts" */

const SENT = "example-sent";
const OFFERED = "data-sendable";
const MOST = 4;
/** Characters of an example that is offered: what a click sends is seen whole. */
const LONGEST = 90;

/**
 * The buttons of an answer that refuses. They are seen only in a view whose page sends: see `offerExamples`.
 * @param {Pick<EventBody, "custom_metadata">} body
 */
export function drawRefusal(body) {
  const examples = examplesIn(body);
  return examples.length > 0 && h(
    "div.refusal",
    { role: "group", "aria-label": "What can be sent instead" },
    examples.map((message) => h("button.do.side", { type: "button", onclick: send(message) }, `▶ ${message}`)),
    drawSettingsLink("Connect a model"),
  );
}

/**
 * The messages that a refusal offers; none for any other event.
 * @param {Pick<EventBody, "custom_metadata">} body
 * @returns {string[]}
 */
export function examplesIn({ custom_metadata: more }) {
  const listed = isObject(more?.refusal) ? more.refusal.examples : null;
  if (!Array.isArray(listed)) return [];
  return listed.filter((one) => typeof one === "string" && one.trim() && one.length <= LONGEST).slice(0, MOST);
}

/**
 * Listens to the buttons until the returned function is called.
 * @param {ParentNode} root of the view
 * @param {(message: string) => void} tell
 */
export function listenToExamples(root, tell) {
  const onSent = (/** @type {Event} */ event) => {
    if (event instanceof CustomEvent) tell(event.detail);
  };
  root.addEventListener(SENT, onSent);
  return () => root.removeEventListener(SENT, onSent);
}

/**
 * Shows or hides the buttons of a view.
 * @param {ParentNode} root of the view
 * @param {boolean} offered whether its page may send a message now
 */
export function offerExamples(root, offered) {
  root.querySelector(".session-view")?.toggleAttribute(OFFERED, offered);
}

/** @param {string} message */
function send(message) {
  return (/** @type {MouseEvent} */ { currentTarget, detail: clicks }) => {
    if (clicks > 1) return; // a double click is one
    currentTarget?.dispatchEvent(new CustomEvent(SENT, { bubbles: true, detail: message }));
  };
}
