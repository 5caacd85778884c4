// @ts-check
/** All sessions: search and filters, what can be done to the selected ones, and the rows. */

import { keyOf } from "../../../session_list/js/session_key.js";
import { h, setText } from "../../../browser/js/elements.js";
import { appBase } from "../../../browser/js/streamlit_page.js";
import { sessionPage } from "../../../browser/js/addresses.js";
import { ActionBar } from "./action_bar.js";
import { Filters } from "./filters.js";
import { nameOf, Rows } from "./rows.js";
import { Search } from "./search.js";

/** @import { Act, Answer, Api, Data, Row } from "./types.d.ts" */

const NOT_FOUND = "No session has all of this.";
/** Milliseconds after which a session that did not open is no longer marked. */
const PATIENCE = 10_000;

export class CollectionList {
  /** @type {Answer | null} */
  #answer = null;
  /** @type {Map<string, Row>} */
  #selected = new Map();
  /** @type {Set<string>} */
  #gone = new Set();
  /** @type {Map<string, string>} */
  #titles = new Map();
  #version = -1;
  #opening = "";
  #problem = "";
  /** @type {number | undefined} */
  #patience;
  /** @type {Api | undefined} */
  #api;

  #search = new Search({ onAnswer: (answer) => this.#take(answer), onProblem: (message) => this.#fail(message) });
  #filters = new Filters({ look: (query, how) => this.#search.look(query, how), down: () => this.#rows.focus() });
  #bar = new ActionBar({ act: (act) => this.#act(act), clear: () => this.#clear() });
  #note = h("p.note", { role: "status" });
  #rows = new Rows({ open: (key) => this.#open(key), select: (key, on) => this.#select(key, on) });
  #everything = h("button.more", { type: "button", onclick: () => this.#filters.clear() }, "Show all sessions");
  #more = h("button.more", { type: "button", onclick: () => this.#search.more() }, "Show more");

  /** @param {ParentNode} parent */
  constructor(parent) {
    const parts = [this.#filters.element, this.#bar.element, this.#note, this.#everything, this.#rows.element, this.#more];
    this.element = h("div.collection", {}, ...parts);
    this.#paint();
    parent.append(this.element);
  }

  /**
   * Takes what the page says.
   * @param {Data} data
   * @param {Api} api
   */
  update(data, api) {
    this.#api = api;
    this.#titles = new Map(data.pipelines);
    if (data.version !== this.#version) {
      this.#search.look(this.#filters.query);
      this.#opening = "";
    }
    this.#version = data.version;
    this.#paint();
  }

  /** Ends what goes on by itself, and leaves the page. */
  close() {
    this.#search.close();
    this.#filters.close();
    this.#rows.close();
    clearTimeout(this.#patience);
    this.element.remove();
  }

  /** @param {Answer} answer */
  #take(answer) {
    this.#answer = answer;
    this.#problem = "";
    this.#gone.clear();
    for (const row of answer.rows) if (this.#selected.has(keyOf(row))) this.#selected.set(keyOf(row), row);
    this.#filters.offer(answer, this.#titles);
    this.#paint();
  }

  /** @param {string} message */
  #fail(message) {
    this.#problem = message;
    this.#paint();
  }

  /** @param {string} key */
  #open(key) {
    const row = this.#answer?.rows.find((each) => keyOf(each) === key);
    if (!row || this.#opening === key) return;
    this.#opening = key;
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => ((this.#opening = ""), this.#paint()), PATIENCE);
    this.#paint();
    this.#api?.setTriggerValue("act", { kind: "open", sessions: [nameOf(row)] });
  }

  /**
   * @param {string} key
   * @param {boolean} on
   */
  #select(key, on) {
    const row = this.#answer?.rows.find((each) => keyOf(each) === key);
    if (on && row) this.#selected.set(key, row);
    else this.#selected.delete(key);
    this.#paint();
  }

  #clear() {
    this.#selected.clear();
    this.#paint();
    this.#rows.focus();
  }

  /** @param {Act} act */
  #act(act) {
    if (act.kind === "delete") {
      for (const key of this.#selected.keys()) this.#gone.add(key);
      this.#selected.clear();
    }
    this.#paint();
    this.#api?.setTriggerValue("act", act);
  }

  #paint() {
    const { rows = [], found = 0, count = 0, size = "", unread = 0, tags = [] } = this.#answer ?? {};
    const shown = rows.filter((row) => !this.#gone.has(keyOf(row)));
    const now = Date.now() / 1000;
    this.#bar.update([...this.#selected.values()], tags);
    const summary = this.#filters.isSet
      ? `${found.toLocaleString("en")} of ${sessions(count)}`
      : `${sessions(count)} · ${size}`;
    const reading = unread ? ` · reading ${unread.toLocaleString("en")} more entries …` : "";
    const said = !this.#answer ? "Looking for sessions …" : (shown.length || unread ? summary : NOT_FOUND) + reading;
    setText(this.#note, this.#problem || said);
    this.#everything.hidden = !this.#answer || shown.length > 0 || !this.#filters.isSet;
    this.#more.hidden = found <= rows.length || rows.length >= 1000;
    this.#rows.draw(shown, (row) => this.#look(row, now));
  }

  /**
   * @param {Row} row
   * @param {number} now
   */
  #look(row, now) {
    const key = keyOf(row);
    const pipeline = this.#titles.get(row.pipeline) ?? row.pipeline;
    const href = sessionPage(appBase(), { pipeline: row.pipeline, session: row.id });
    return { selected: this.#selected.has(key), opening: key === this.#opening, href, pipeline, now };
  }
}

/** @param {number} count */
function sessions(count) {
  return `${count.toLocaleString("en")} session${count === 1 ? "" : "s"}`;
}
