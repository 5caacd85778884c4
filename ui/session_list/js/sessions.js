// @ts-check
/** The sessions that the browser knows: the page's first, then the socket's, which replace them while it is open. */

import { keyOf } from "./session_key.js";

/** @import { Data, Frame, Precision, Row, Scope } from "./types.d.ts" */

/** Most rows in the page; the search finds the others. */
export const SHOWN = 100;

/**
 * What is listed.
 * @typedef {object} Listing
 * @property {Row[]} rows those that are drawn
 * @property {number} older how many more there are below them
 * @property {number} count how many sessions there are, found or not
 * @property {Map<string, Precision>} repeated titles of more than one of them
 */

export class Sessions {
  /** @type {Map<string, Row>} */
  #rows = new Map();
  #live = false;
  #total = 0;
  #pipeline = "";
  /** Key of the open session; "" for none. */
  open = "";

  /**
   * Takes what the page says. Its rows are older than the socket's.
   * @param {Data} data
   */
  takePage({ pipeline, session, rows, total }) {
    this.#pipeline = pipeline;
    this.open = session === null ? "" : keyOf({ pipeline, id: session });
    if (this.#live) return;
    this.#total = total;
    for (const [key, row] of this.#rows) if (row.pipeline === pipeline) this.#rows.delete(key);
    this.#add(rows);
  }

  /**
   * Takes what the socket says; an error changes nothing.
   * @param {Frame} frame
   */
  takeFrame(frame) {
    if (frame.type === "error") return;
    if (frame.type === "list") this.#rows.clear();
    else for (const [pipeline, id] of frame.gone) this.#rows.delete(keyOf({ pipeline, id }));
    this.#live = true;
    this.#add(frame.rows);
  }

  /** The socket is closed: the page's rows count again. */
  lose() {
    if (this.#live) this.#total = this.#within("pipeline").length;
    this.#live = false;
  }

  /** @param {string} key */
  get(key) {
    return this.#rows.get(key);
  }

  /**
   * The sessions of a scope whose titles have all words, last changed first. The open one is among the drawn rows.
   * @param {Scope} scope
   * @param {string} words
   * @returns {Listing}
   */
  listing(scope, words) {
    const all = this.#within(scope).sort((one, other) => other.updated - one.updated);
    const needles = words.toLowerCase().split(/\s+/).filter(Boolean);
    const found = needles.length ? all.filter(({ title }) => hasAll(title.toLowerCase(), needles)) : all;
    const rows = found.slice(0, SHOWN);
    const open = found.slice(SHOWN).find((row) => keyOf(row) === this.open);
    if (open) rows.push(open);
    const unknown = scope === "pipeline" && !this.#live ? Math.max(0, this.#total - all.length) : 0;
    return { rows, older: found.length - rows.length + unknown, count: all.length + unknown, repeated: repeated(all) };
  }

  /** @param {Scope} scope */
  #within(scope) {
    return [...this.#rows.values()].filter((row) => scope === "all" || row.pipeline === this.#pipeline);
  }

  /** @param {Row[]} rows */
  #add(rows) {
    for (const row of rows) this.#rows.set(keyOf(row), row);
  }
}

/**
 * @param {string} title
 * @param {string[]} needles
 */
function hasAll(title, needles) {
  return needles.every((needle) => title.includes(needle));
}

/**
 * Titles of more than one row, with what tells them apart: the minute of the last change, or the second.
 * @param {Row[]} rows
 */
function repeated(rows) {
  /** @type {Map<string, Set<number>>} */
  const minutes = new Map();
  /** @type {Map<string, Precision>} */
  const found = new Map();
  for (const { title, updated } of rows) {
    const minute = Math.floor(updated / 60);
    const known = minutes.get(title);
    if (!known) minutes.set(title, new Set([minute]));
    else {
      found.set(title, known.has(minute) || found.get(title) === "second" ? "second" : "minute");
      known.add(minute);
    }
  }
  return found;
}
