// @ts-check
/** Says new answers to those who listen instead of look; in a rush only the last one and how many there were. */

import { h, setText } from "../dom/elements.js";
import { clip, plural } from "../words/format.js";

/** @import { Entry, EventBody } from "../log/entries.d.ts" */

const EVERY = 1000;

export class Speech {
  element = h("div.speech", { "aria-live": "polite" });
  /** @type {EventBody[]} */
  #unsaid = [];
  /** @type {number | undefined} */
  #timer;

  /** @param {Entry[]} entries new ones */
  announce(entries) {
    for (const { kind, body } of entries) if (kind === "event" && body.author !== "user") this.#unsaid.push(body);
    if (this.#unsaid.length) this.#timer ??= setTimeout(() => this.#say(), EVERY);
  }

  stop() {
    clearTimeout(this.#timer);
  }

  #say() {
    setText(this.element, spokenWords(this.#unsaid));
    this.#unsaid = [];
    this.#timer = undefined;
  }
}

/**
 * The last of several events, and how many there are.
 * @param {EventBody[]} bodies
 */
export function spokenWords(bodies) {
  const body = bodies.at(-1);
  if (!body) return "";
  const parts = (body.content?.parts ?? []).filter(({ thought }) => !thought);
  const text = body.error_message ?? parts.map((part) => part.text ?? "").join(" ");
  const many = bodies.length > 1 ? `${plural(bodies.length, "new event")}. ` : "";
  return `${many}${body.author}: ${clip(text.replace(/\s+/g, " "), 140)}`;
}
