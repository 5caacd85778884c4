// @ts-check
/** The look of a whole page: search, filters, what can be done to selected sessions, and all that is known of each. */

import { keyOf } from "../session_key.js";
import { ActionBar } from "./action_bar.js";
import { Filters } from "./filters.js";
import { Search } from "./search.js";

/** @import { Act, Answer, FoundRow, FullData, List, Listing, RowLook } from "../types.d.ts" */

const LOOKING = "Looking for sessions …";
const NOT_FOUND = "No session has all of this.";
const MOST_ROWS = 1000;

export class Full {
  /** @type {Answer | null} */
  #answer = null;
  /** @type {Map<string, FoundRow>} */
  #selected = new Map();
  /** @type {Set<string>} */
  #gone = new Set();
  /** @type {Map<string, string>} */
  #titles = new Map();
  #version = -1;
  #problem = "";
  #search = new Search({ onAnswer: (answer) => this.#take(answer), onProblem: (message) => this.#fail(message) });
  #bar = new ActionBar({ act: (act) => this.#act(act), clear: () => this.#clear() });
  #filters;
  #list;

  /** @param {List} list */
  constructor(list) {
    this.#list = list;
    this.#filters = new Filters({ look: (query, how) => this.#search.look(query, how), down: list.focusRows });
    this.elements = [this.#filters.element, this.#bar.element];
  }

  /** @param {FullData} data */
  update(data) {
    this.#titles = new Map(data.pipelines);
    const changed = data.version !== this.#version;
    this.#version = data.version;
    if (changed) this.#search.look(this.#filters.query);
    return changed;
  }

  close() {
    this.#search.close();
    this.#filters.close();
  }

  /**
   * Selects a row, or no longer.
   * @param {string} key
   * @param {boolean} on
   */
  select = (key, on) => {
    const row = this.#answer?.rows.find((each) => keyOf(each) === key);
    if (on && row) this.#selected.set(key, row);
    else this.#selected.delete(key);
    this.#list.paint();
  };

  /** @returns {Listing} */
  listing() {
    const { rows = [], found = 0, count = 0, size = "", unread = 0, tags = [] } = this.#answer ?? {};
    const shown = rows.filter((row) => !this.#gone.has(keyOf(row)));
    this.#bar.update([...this.#selected.values()], tags);
    const summary = this.#filters.isSet
      ? `${found.toLocaleString("en")} of ${sessions(count)}`
      : `${sessions(count)} · ${size}`;
    const reading = unread ? ` · reading ${unread.toLocaleString("en")} more entries …` : "";
    const said = this.#answer ? (shown.length || unread ? summary : NOT_FOUND) + reading : LOOKING;
    const nothing = this.#answer && !shown.length && this.#filters.isSet;
    const everything = nothing ? { label: "Show all sessions", act: () => this.#filters.clear() } : null;
    const isMore = found > rows.length && rows.length < MOST_ROWS;
    const more = isMore ? { label: "Show more", act: () => this.#search.more() } : everything;
    return { rows: shown, note: this.#problem || said, more };
  }

  /**
   * @param {FoundRow} row
   * @returns {RowLook}
   */
  row(row) {
    const pipeline = this.#titles.get(row.pipeline) ?? row.pipeline;
    return {
      current: false,
      selected: this.#selected.has(keyOf(row)),
      facts: [pipeline, row.model, ...row.facts].filter(Boolean),
      lines: { excerpt: row.excerpt },
      tags: row.tags,
      depth: row.depth,
    };
  }

  /** @param {Answer} answer */
  #take(answer) {
    this.#answer = answer;
    this.#problem = "";
    this.#gone.clear();
    for (const row of answer.rows) if (this.#selected.has(keyOf(row))) this.#selected.set(keyOf(row), row);
    this.#filters.offer(answer, this.#titles);
    this.#list.paint();
  }

  /** @param {string} message */
  #fail(message) {
    this.#problem = message;
    this.#list.paint();
  }

  #clear() {
    this.#selected.clear();
    this.#list.paint();
    this.#list.focusRows();
  }

  /** @param {Act} act */
  #act(act) {
    if (act.kind === "delete") {
      for (const key of this.#selected.keys()) this.#gone.add(key);
      this.#selected.clear();
    }
    this.#list.paint();
    this.#list.act(act);
  }
}

/** @param {number} count */
function sessions(count) {
  return `${count.toLocaleString("en")} session${count === 1 ? "" : "s"}`;
}
