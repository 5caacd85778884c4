// @ts-check
/** The sessions that the browser knows: the page's first, then the socket's, which replace them while it is open. */

import { keyOf } from "../session_key.js";

/** @import { CompactData, Frame, Precision, Query, Row, Scope } from "../types.d.ts" */

/** Rows that are asked for at first, and more each time. */
export const STEP = 100;

/**
 * What is listed.
 * @typedef {object} Listing
 * @property {Row[]} rows those that are drawn
 * @property {number} older how many more there are below them
 * @property {number} count how many sessions the query finds
 * @property {Map<string, Precision>} repeated titles of more than one of them
 */

export class Sessions {
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /** @type {Row | undefined} */
  #openRow;
  /** @type {Query | undefined} */
  #answered;
  #found = 0;
  #pipeline = "";
  /** Key of the open session; "" for none. */
  open = "";

  /**
   * Takes what the page says. Its rows are older than the socket's.
   * @param {CompactData} data
   */
  takePage({ pipeline, session, rows, total }) {
    this.#pipeline = pipeline;
    this.open = session === null ? "" : keyOf({ pipeline, id: session });
    this.#openRow = rows.find((row) => keyOf(row) === this.open);
    if (this.#answered) return;
    this.#found = total;
    for (const [key, row] of this.#rows) if (row.pipeline === pipeline) this.#rows.delete(key);
    this.#add(rows);
  }

  /**
   * Takes what the socket says; an error changes nothing.
   * @param {Frame} frame
   * @param {Query} query what the socket was asked for
   */
  takeFrame(frame, query) {
    if (frame.type === "error") return;
    if (frame.type === "list") this.#rows.clear();
    else for (const [pipeline, id] of frame.gone) this.#forget(keyOf({ pipeline, id }));
    this.#answered = query;
    this.#found = frame.found;
    this.#add(frame.rows);
  }

  /** The socket is closed: the page's rows count again. */
  lose() {
    this.#answered = undefined;
  }

  /** @param {string} key */
  get(key) {
    return this.#rows.get(key) ?? (key === this.open ? this.#openRow : undefined);
  }

  /**
   * What the server is to be asked for.
   * @param {Scope} scope
   * @param {string} words
   * @param {number} limit
   * @returns {Query}
   */
  query(scope, words, limit) {
    return { pipeline: scope === "all" ? "" : this.#pipeline, words: words.trim(), limit };
  }

  /**
   * The sessions that a query finds, last changed first. Of all sessions, the open one is among the drawn rows. Until the
   * server has answered the query, those that are known.
   * @param {Query} query
   * @returns {Listing}
   */
  listing({ pipeline, words, limit }) {
    const answered = this.#answered?.words === words && this.#answered.pipeline === pipeline;
    const needles = answered ? [] : words.toLowerCase().split(/\s+/).filter(Boolean);
    const within = [...this.#rows.values()].filter((row) => !pipeline || row.pipeline === pipeline);
    const all = within.filter(({ title }) => hasAll(title.toLowerCase(), needles));
    all.sort((one, other) => other.updated - one.updated);
    const rows = all.slice(0, limit);
    const open = words ? undefined : this.get(this.open);
    if (open && (!pipeline || open.pipeline === pipeline) && !rows.includes(open)) rows.push(open);
    const counted = answered || (!words && pipeline === this.#pipeline && !this.#answered);
    const count = Math.max(rows.length, counted ? this.#found : all.length);
    return { rows, older: count - rows.length, count, repeated: repeated(rows) };
  }

  /** @param {string} key */
  #forget(key) {
    this.#rows.delete(key);
    if (key === this.open) this.#openRow = undefined;
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
