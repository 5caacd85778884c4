// @ts-check
/** Says what happened to those who listen instead of look: starts and ends of runs, and answers; in a rush only the last. */

import { h, setText } from "../../../browser/js/elements.js";
import { clip, plural } from "../words/format.js";
import { statusWord } from "../words/status.js";

/** @import { Entry } from "../log/entries.d.ts" */

const EVERY = 1000;

export class Speech {
  element = h("div.speech", { "aria-live": "polite" });
  /** @type {Entry[]} */
  #unsaid = [];
  /** @type {string[]} */
  #seen = [];
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {Entry[]} entries new ones
   * @param {string[]} [seen] what a lesson said to look for and they show
   */
  announce(entries, seen = []) {
    this.#unsaid.push(...entries.filter(isSaid));
    this.#seen.push(...seen);
    if (this.#unsaid.length || this.#seen.length) this.#timer ??= setTimeout(() => this.#say(), EVERY);
  }

  stop() {
    clearTimeout(this.#timer);
  }

  #say() {
    const words = this.#seen.map((text) => `Seen: ${text}`);
    setText(this.element, [spokenWords(this.#unsaid), ...words].filter(Boolean).join(" "));
    this.#unsaid = [];
    this.#seen = [];
    this.#timer = undefined;
  }
}

/** @param {Entry} entry */
function isSaid({ kind, body }) {
  return kind === "run_started" || kind === "run_finished" || (kind === "event" && body.author !== "user");
}

/**
 * The last of several events with how many there are, and how the run stands after them.
 * @param {Entry[]} entries
 */
export function spokenWords(entries) {
  const events = entries.flatMap((entry) => (entry.kind === "event" ? [entry.body] : []));
  const body = events.at(-1);
  const run = runWords(entries);
  if (!body) return run;
  const parts = (body.content?.parts ?? []).filter(({ thought }) => !thought);
  const text = body.error_message ?? parts.map((part) => part.text ?? "").join(" ");
  const many = events.length > 1 ? `${plural(events.length, "new event")}. ` : "";
  return `${run}${run && " "}${many}${body.author}: ${clip(text.replace(/\s+/g, " "), 140)}`;
}

/**
 * How the last run stands, where that is new: "Run started.", "Run waiting for you."
 * @param {Entry[]} entries
 */
function runWords(entries) {
  const last = entries.findLast(({ kind }) => kind !== "event");
  if (!last) return "";
  if (last.kind !== "run_finished") return "Run started.";
  const { status = "ended", error_code: code, error_message: message } = last.body;
  const why = status === "failed" && message ? `: ${clip(message, 140)}` : ".";
  return `Run ${statusWord(status, code).word}${why}`;
}
