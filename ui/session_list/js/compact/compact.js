// @ts-check
/** The look of a narrow list: whose sessions, a search of titles, and rows that the server keeps fresh. */

import { h, setAttribute } from "../../../browser/js/elements.js";
import { searchBox } from "../search_box.js";
import { keyOf } from "../session_key.js";
import { timeOf } from "../words.js";
import { openFeed } from "./feed.js";
import { Sessions, STEP } from "./sessions.js";

/** @import { CompactData, Frame, List, Listing, Precision, Query, Row, RowLook, Scope } from "../types.d.ts" */

/** Least number of sessions with a search. */
const SEARCH_FROM = 9;
/** Milliseconds after the last key of a search before the server is asked. */
const PAUSE = 150;
/** Connections that fail in a row before the list says so. */
const FAILURES = 2;
const SCOPE_KEY = "playground.session_list.scope";

const EMPTY = "Each run is kept here as a session, and can be opened again.";
const NOT_FOUND = "No session has these words in its title.";
const NOT_CONNECTED = "Not connected to the server. This list may be out of date.";

export class Compact {
  #sessions = new Sessions();
  /** @type {Map<string, string>} */
  #titles = new Map();
  /** @type {Map<string, Precision>} */
  #repeated = new Map();
  /** @type {Scope} */
  #scope = readScope();
  #problem = "";
  #limit = STEP;
  /** @type {Query | undefined} */
  #asked;
  #closeFeed = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #asking;
  #scopes = new Map([this.#scopeButton("pipeline", "This pipeline"), this.#scopeButton("all", "All")]);
  #search;
  #list;

  /** @param {List} list */
  constructor(list) {
    this.#list = list;
    this.#search = searchBox({ placeholder: "Search", onInput: () => this.#lookFor(PAUSE), onDown: list.focusRows });
    const scopes = h("div.scopes", { role: "group", "aria-label": "Whose sessions" }, ...this.#scopes.values());
    this.elements = [scopes, this.#search];
  }

  /**
   * @param {CompactData} data
   * @param {string} opening
   */
  update(data, opening) {
    this.#titles = new Map(data.pipelines);
    const before = this.#sessions.open;
    this.#sessions.takePage(data);
    this.#ask();
    const now = this.#sessions.open;
    return now === opening || Boolean(before && !now); // it is there, or a new session was asked for
  }

  close() {
    this.#closeFeed();
    clearTimeout(this.#asking);
  }

  /** @returns {Listing} */
  listing() {
    const query = this.#query, { words } = query;
    const { rows, older, count, repeated } = this.#sessions.listing(query);
    this.#repeated = repeated;
    for (const [scope, button] of this.#scopes) setAttribute(button, "aria-pressed", String(scope === this.#scope));
    this.#search.hidden = count < SEARCH_FROM && !words;
    const label = `Show more (${older.toLocaleString("en")} older)`;
    return {
      rows,
      note: this.#problem || (rows.length ? "" : words ? NOT_FOUND : EMPTY),
      more: older ? { label, act: () => this.#more() } : null,
    };
  }

  /**
   * @param {Row} row
   * @param {string} opening
   * @param {number} now
   * @returns {RowLook}
   */
  row(row, opening, now) {
    const precision = this.#repeated.get(row.title);
    const time = precision && timeOf(row.updated, { now, precision });
    const apart = [time, row.model].filter(Boolean).join(" · ");
    const pipeline = this.#scope === "all" ? this.#titles.get(row.pipeline) ?? row.pipeline : "";
    const current = keyOf(row) === (opening || this.#sessions.open);
    return { current, selected: false, facts: [], lines: { fork: row.fork, apart, pipeline } };
  }

  /** @returns {Query} */
  get #query() {
    return this.#sessions.query(this.#scope, this.#search.value, this.#limit);
  }

  /**
   * Lists something else: what is known at once, and what the server finds.
   * @param {number} wait in milliseconds
   */
  #lookFor(wait) {
    this.#limit = STEP;
    clearTimeout(this.#asking);
    this.#asking = setTimeout(() => this.#ask(), wait);
    this.#list.paint();
  }

  #more() {
    this.#limit += STEP;
    this.#ask();
    this.#list.paint();
  }

  /** Asks the server for what is to be listed, unless it was. */
  #ask() {
    const query = this.#query;
    if (JSON.stringify(query) === JSON.stringify(this.#asked)) return;
    this.#asked = query;
    this.#closeFeed();
    this.#closeFeed = openFeed(query, {
      onFrame: (frame) => this.#take(frame, query),
      onLost: (failures) => this.#lose(failures),
    });
  }

  /**
   * @param {Frame} frame
   * @param {Query} query
   */
  #take(frame, query) {
    this.#problem = frame.type === "error" ? frame.message : "";
    this.#sessions.takeFrame(frame, query);
    this.#list.paint();
  }

  /** @param {number} failures */
  #lose(failures) {
    this.#sessions.lose();
    if (failures >= FAILURES) this.#problem ||= NOT_CONNECTED;
    this.#list.paint();
  }

  /**
   * @param {Scope} scope
   * @param {string} label
   * @returns {[Scope, HTMLButtonElement]}
   */
  #scopeButton(scope, label) {
    return [scope, h("button", { type: "button", onclick: () => this.#choose(scope) }, label)];
  }

  /** @param {Scope} scope */
  #choose(scope) {
    this.#scope = scope;
    writeScope(scope);
    this.#lookFor(0);
  }
}

/** @returns {Scope} */
function readScope() {
  try {
    return localStorage.getItem(SCOPE_KEY) === "all" ? "all" : "pipeline";
  } catch { // a browser may forbid it
    return "pipeline";
  }
}

/** @param {Scope} scope */
function writeScope(scope) {
  try {
    localStorage.setItem(SCOPE_KEY, scope);
  } catch {
    // It holds until the page is loaded again.
  }
}
