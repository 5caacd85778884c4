// @ts-check
/**
 * What if the session had gone on otherwise from an entry: the buttons in the Event tab, and the keys f and m. The page asks
 * what is to be different, and runs it.
 */

import { h } from "../../../browser/js/elements.js";
import { isInDialog, isTyping } from "../../../browser/js/keyboard.js";
import { isObject } from "../../../browser/js/json.js";
import { clip } from "../words/format.js";

/** @import { Entry, EventBody, EventEntry } from "../log/entries.d.ts" */

/**
 * What the page is told: to ask what is to be different, which model is to answer, or for the value of a state key;
 * or to run the same message at once without a bullet or without the playbook, beside this session; or to keep the
 * answer as a case.
 * `about` is the bullet, the state key, or the id of the call whose result is to be another one.
 * @typedef {"change" | "state" | "model" | "bullet" | "playbook" | "case"} Kind
 * @typedef {{ event: number; kind: Kind; about: string }} WhatIf
 */

const ASKED = "what-if";
/** The kind of the button that a key presses. */
const KEYS = new Map([["f", "change"], ["m", "model"]]);
const OFFERED = "data-forkable";
/** Most bullets of an answer that have a button. */
const MOST_BULLETS = 6;

/**
 * The buttons of an entry. They are seen only in a view whose page takes the question: see `offerWhatIf`.
 * @param {Entry} entry
 */
export function drawWhatIf(entry) {
  const event = entry.seq;
  const ofModel = entry.kind === "event" && isOfModel(entry.body);
  const bullets = entry.kind === "event" ? citedIn(entry.body) : null;
  return h(
    "div.what-if",
    {},
    drawButton("What if…", "Run on from here with something changed (f)", { event, kind: "change", about: "" }),
    ofModel &&
      drawButton("Another model…", "The same message on another model, beside this session (m)", {
        event,
        kind: "model",
        about: "",
      }),
    bullets && [
      bullets.slice(0, MOST_BULLETS).map((bullet) =>
        drawButton(`Without ${bullet}`, "The same message without this bullet, beside this session", {
          event,
          kind: "bullet",
          about: bullet,
        })
      ),
      drawButton("Playbook off", "The same message without the playbook, beside this session", {
        event,
        kind: "playbook",
        about: "",
      }),
    ],
    ofModel &&
      drawButton("Keep as a case…", "This answer as a test: the messages up to it are sent again", {
        event,
        kind: "case",
        about: "",
      }),
  );
}

/**
 * The button of a tool's result.
 * @param {EventEntry} entry
 * @param {string} call the id of the call
 */
export function drawOtherResult({ seq: event }, call) {
  const title = "Run on from here with another result of this call";
  return h("div.what-if", {}, drawButton("Another result…", title, { event, kind: "change", about: call }));
}

/**
 * The button of an error that a missing state key caused; a `temp:` key is never stored, so it cannot be set.
 * @param {Pick<EventEntry, "seq" | "body">} entry
 */
export function drawMissingKey({ seq: event, body: { custom_metadata: more } }) {
  const key = isObject(more?.missing_state_key) ? more.missing_state_key.key : null;
  if (typeof key !== "string" || !key || key.startsWith("temp:")) return null;
  const title = "Run on from here with a value for this state key";
  return h("div.what-if", {}, drawButton(`Set ${clip(key, 60)} and retry…`, title, { event, kind: "state", about: key }));
}

/**
 * Whether an event is the answer of a model.
 * @param {EventBody} body
 */
export function isOfModel({ author, stop_reason: reason }) {
  return author !== "user" && reason != null;
}

/**
 * The bullets that an answer cites; null for what is no answer with a playbook.
 * @param {EventBody} body
 */
export function citedIn(body) {
  const output = body.actions?.state_delta?.generator_output;
  if (typeof output !== "object" || output === null || Array.isArray(output)) return null;
  const ids = output.bullet_ids;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/**
 * Listens to the buttons and to the keys until the returned function is called. Whoever clicked a tool's result in the list
 * is asked about that one.
 * @param {ParentNode} root of the view
 * @param {(asked: WhatIf) => void} ask
 */
export function listenToWhatIf(root, ask) {
  let clicked = "";
  const onClick = (/** @type {Event} */ { target }) => {
    const chip = target instanceof Element ? target.closest("[data-call]") : null;
    if (chip instanceof HTMLElement) clicked = chip.dataset.call ?? "";
  };
  const onAsked = (/** @type {Event} */ event) => {
    if (!(event instanceof CustomEvent)) return;
    const { detail } = event;
    ask(detail.kind === "change" && !detail.about ? { ...detail, about: clicked } : detail);
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const kind = KEYS.get(event.key);
    if (!kind || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!root.isConnected || !root.querySelector(`[${OFFERED}]`) || isTyping() || isInDialog()) return;
    event.preventDefault();
    press(root, "#tab-event");
    press(root, `.what-if [data-kind="${kind}"]`);
  };
  root.addEventListener("click", onClick, true); // before the row is drawn anew
  root.addEventListener(ASKED, onAsked);
  document.addEventListener("keydown", onKey);
  return () => {
    root.removeEventListener("click", onClick, true);
    root.removeEventListener(ASKED, onAsked);
    document.removeEventListener("keydown", onKey);
  };
}

/**
 * Shows or hides the buttons of a view.
 * @param {ParentNode} root of the view
 * @param {boolean} offered whether its page takes the question
 */
export function offerWhatIf(root, offered) {
  root.querySelector(".session-view")?.toggleAttribute(OFFERED, offered);
}

/**
 * @param {ParentNode} root
 * @param {string} selector
 */
function press(root, selector) {
  const found = root.querySelector(selector);
  if (found instanceof HTMLElement) found.click();
}

/**
 * @param {string} label
 * @param {string} title
 * @param {WhatIf} detail
 */
function drawButton(label, title, detail) {
  const tell = (/** @type {MouseEvent} */ { currentTarget, detail: clicks }) => {
    if (clicks > 1) return; // a double click is one
    currentTarget?.dispatchEvent(new CustomEvent(ASKED, { bubbles: true, detail }));
  };
  return h("button.do.side", { type: "button", title, "data-kind": detail.kind, onclick: tell }, label);
}
