// @ts-check
/** The list of sessions: whose sessions, the search, the rows. What is chosen is marked before the page knows. */

import { h, setAttribute, setText } from "../../browser/js/elements.js";
import { openFeed } from "./feed.js";
import { Rows } from "./rows.js";
import { keyOf } from "./session_key.js";
import { Sessions, STEP } from "./sessions.js";

/** @import { Api, Data, Frame, Precision, Query, Row, Scope } from "./types.d.ts" */

/** Least number of sessions with a search. */
const SEARCH_FROM = 9;
/** Milliseconds after the last key of a search before the server is asked. */
const PAUSE = 150;
/** Milliseconds between two looks at the clock. */
const TICK = 15_000;
/** Milliseconds after which a session that did not open is no longer marked. */
const PATIENCE = 10_000;
/** Connections that fail in a row before the list says so. */
const FAILURES = 2;
const SCOPE_KEY = "playground.session_list.scope";

const EMPTY = "Each run is kept here as a session, and can be opened again.";
const NOT_FOUND = "No session has these words in its title.";
const NOT_CONNECTED = "Not connected to the server. This list may be out of date.";

export class SessionList {
  #sessions = new Sessions();
  /** @type {Map<string, string>} */
  #titles = new Map();
  /** @type {Scope} */
  #scope = readScope();
  #opening = "";
  #problem = "";
  /** @type {number | undefined} */
  #patience;
  /** @type {Api | undefined} */
  #api;

  #scopes = new Map([this.#scopeButton("pipeline", "This pipeline"), this.#scopeButton("all", "All")]);
  #search = h("input.search", {
    type: "search",
    "aria-label": "Search sessions",
    placeholder: "Search",
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => this.#list(PAUSE),
    onkeydown: (event) => { // gives nothing back: false would cancel the key
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      this.#rows.focus();
    },
  });
  #note = h("p.note", { role: "status" });
  #rows = new Rows((key) => this.#open(key));
  #older = h("button.older", { type: "button", onclick: () => this.#more() });
  #limit = STEP;

  /** @type {Query | undefined} */
  #asked;
  #closeFeed = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #asking;
  /** @type {number} */
  #timer;

  /** @param {ParentNode} parent */
  constructor(parent) {
    const scopes = h("div.scopes", { role: "group", "aria-label": "Whose sessions" }, ...this.#scopes.values());
    this.element = h("div.session-list", {}, scopes, this.#search, this.#note, this.#rows.element, this.#older);
    parent.append(this.element);
    this.#timer = setInterval(() => this.#paint(), TICK);
  }

  /**
   * Takes what the page says.
   * @param {Data} data
   * @param {Api} api
   */
  update(data, api) {
    this.#api = api;
    this.#titles = new Map(data.pipelines);
    const before = this.#sessions.open;
    this.#sessions.takePage(data);
    const now = this.#sessions.open;
    if (now === this.#opening || (before && !now)) this.#opening = ""; // it is there, or a new session was asked for
    this.#ask();
    this.#paint();
  }

  /** Ends what goes on by itself, and leaves the page. */
  close() {
    this.#closeFeed();
    clearInterval(this.#timer);
    clearTimeout(this.#asking);
    clearTimeout(this.#patience);
    this.#rows.close();
    this.element.remove();
  }

  /** @returns {Query} */
  get #query() {
    return this.#sessions.query(this.#scope, this.#search.value, this.#limit);
  }

  /**
   * Lists something else: what is known at once, and what the server finds.
   * @param {number} wait in milliseconds
   */
  #list(wait) {
    this.#limit = STEP;
    clearTimeout(this.#asking);
    this.#asking = setTimeout(() => this.#ask(), wait);
    this.#paint();
  }

  #more() {
    this.#limit += STEP;
    this.#ask();
    this.#paint();
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
    this.#paint();
  }

  /** @param {number} failures */
  #lose(failures) {
    this.#sessions.lose();
    if (failures >= FAILURES) this.#problem ||= NOT_CONNECTED;
    this.#paint();
  }

  /** @param {string} key */
  #open(key) {
    const row = this.#sessions.get(key);
    if (!row || key === this.#opening) return; // one that seems open may just have been left
    this.#opening = key;
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => ((this.#opening = ""), this.#paint()), PATIENCE);
    this.#paint();
    this.#api?.setTriggerValue("open", { pipeline: row.pipeline, session: row.id });
  }

  #paint() {
    const query = this.#query, { words } = query;
    const { rows, older, count, repeated } = this.#sessions.listing(query);
    const now = Date.now() / 1000;
    for (const [scope, button] of this.#scopes) setAttribute(button, "aria-pressed", String(scope === this.#scope));
    this.#search.hidden = count < SEARCH_FROM && !words;
    setText(this.#note, this.#problem || (rows.length ? "" : words ? NOT_FOUND : EMPTY));
    this.#note.hidden = !this.#note.textContent;
    this.#rows.element.hidden = !rows.length;
    this.#rows.draw(rows, (row) => this.#look(row, repeated.get(row.title), now));
    setText(this.#older, older ? `Show more (${older.toLocaleString("en")} older)` : "");
    this.#older.hidden = !older;
  }

  /**
   * @param {Row} row
   * @param {Precision | undefined} precision
   * @param {number} now
   */
  #look(row, precision, now) {
    const key = keyOf(row);
    const open = key === (this.#opening || this.#sessions.open);
    const pipeline = this.#scope === "all" ? this.#titles.get(row.pipeline) ?? row.pipeline : "";
    return { open, opening: key === this.#opening, precision, pipeline, now };
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
    this.#list(0);
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
