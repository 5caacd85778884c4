// @ts-check
/** Asks the server for the sessions that a query finds. The last question counts: an answer to an earlier one is dropped. */

import { appBase } from "../../../browser/js/streamlit_page.js";

/** @import { Answer, SearchQuery } from "../types.d.ts" */

/** Rows that are asked for at first, and more each time. */
export const STEP = 100;
/** Milliseconds after the last key before the server is asked. */
const PAUSE = 120;
/** Milliseconds until it is asked again: while something changes, and otherwise. */
const SOON = 1000, LATER = 15_000;

/** @typedef {{ onAnswer: (answer: Answer) => void; onProblem: (message: string) => void }} Listener */

export class Search {
  /** @type {SearchQuery} */
  #query = { q: "", pipeline: "", status: "", tag: "" };
  #limit = STEP;
  /** @type {number | undefined} */
  #timer;
  /** @type {AbortController | undefined} */
  #asked;
  #listener;

  /** @param {Listener} listener */
  constructor(listener) {
    this.#listener = listener;
    document.addEventListener("visibilitychange", this.#onVisible);
  }

  /**
   * Asks for another query.
   * @param {SearchQuery} query
   * @param {{ typed?: boolean }} [how] whether more keys may follow
   */
  look(query, { typed = false } = {}) {
    this.#query = query;
    this.#limit = STEP;
    this.#askIn(typed ? PAUSE : 0);
  }

  /** Asks for more rows of the same query. */
  more() {
    this.#limit += STEP;
    this.#askIn(0);
  }

  /** Asks the same again. */
  again() {
    this.#askIn(0);
  }

  close() {
    document.removeEventListener("visibilitychange", this.#onVisible);
    clearTimeout(this.#timer);
    this.#asked?.abort();
  }

  #onVisible = () => {
    if (!document.hidden) this.#askIn(0);
  };

  /** @param {number} wait in milliseconds */
  #askIn(wait) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), wait);
  }

  async #ask() {
    this.#asked?.abort();
    const mine = (this.#asked = new AbortController());
    const answer = await get({ ...this.#query, limit: String(this.#limit) }, mine.signal);
    if (mine.signal.aborted) return;
    if (typeof answer === "string") this.#listener.onProblem(answer);
    else this.#listener.onAnswer(answer);
    const busy = typeof answer !== "string" && (answer.unread || answer.rows.some(({ status }) => status === "running"));
    if (!document.hidden) this.#askIn(busy ? SOON : LATER);
  }
}

/**
 * The answer, or what went wrong.
 * @param {Record<string, string>} query
 * @param {AbortSignal} signal
 * @returns {Promise<Answer | string>}
 */
async function get(query, signal) {
  const given = Object.entries(query).filter(([, value]) => value);
  const url = `${appBase()}api/collection?${new URLSearchParams(given)}`;
  const answer = await fetch(url, { signal, credentials: "same-origin" }).catch(() => null);
  if (!answer) return "Not connected to the server. This list may be out of date.";
  const said = await answer.json().catch(() => null);
  return answer.ok && said ? said : said?.message ?? `The sessions could not be read: the server answered ${answer.status}.`;
}
