// @ts-check
/** What is looked for: words, pipeline, status, tag. Kept for this tab of the browser. */

import { h, replace } from "../../../browser/js/elements.js";
import { isInDialog, isTyping } from "../../../browser/js/keyboard.js";
import { searchBox } from "../search_box.js";

/** @import { Answer, SearchQuery } from "../types.d.ts" */

const KEPT = "playground.sessions.query";
const NOTHING = { q: "", pipeline: "", status: "", tag: "" };

/**
 * @typedef {object} Actions
 * @property {(query: SearchQuery, how: { typed: boolean }) => void} look
 * @property {() => void} down
 */

export class Filters {
  #look;
  #search;
  /** @type {Record<"pipeline" | "status" | "tag", HTMLSelectElement>} */
  #selects;

  /** @param {Actions} actions */
  constructor({ look, down }) {
    this.#look = look;
    const kept = read();
    this.#search = searchBox({
      placeholder: "Search texts, agents, tools, errors, state keys, tags",
      onInput: () => this.#changed({ typed: true }),
      onDown: down,
    });
    this.#search.value = kept.q;
    this.#selects = {
      pipeline: this.#select("Pipeline", kept.pipeline),
      status: this.#select("Status", kept.status),
      tag: this.#select("Tag", kept.tag),
    };
    this.element = h("div.filters", { role: "search" }, this.#search, ...Object.values(this.#selects));
    addEventListener("keydown", this.#onKey, true); // other parts of the page take keys from the document
  }

  close() {
    removeEventListener("keydown", this.#onKey, true);
  }

  /** @returns {SearchQuery} */
  get query() {
    const { pipeline, status, tag } = this.#selects;
    return { q: this.#search.value, pipeline: pipeline.value, status: status.value, tag: tag.value };
  }

  get isSet() {
    return Object.values(this.query).some((value) => value.trim());
  }

  clear() {
    this.#search.value = "";
    for (const select of Object.values(this.#selects)) select.value = "";
    this.#changed({ typed: false });
  }

  /** @param {KeyboardEvent} event */
  #onKey = (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping() || isInDialog()) return;
    event.preventDefault();
    event.stopPropagation();
    this.#search.focus();
  };

  /**
   * Offers what there is.
   * @param {Answer} answer
   * @param {Map<string, string>} titles of the pipelines
   */
  offer({ pipelines, statuses, tags }, titles) {
    offer(this.#selects.pipeline, "All pipelines", pipelines.map((name) => [name, titles.get(name) ?? name]));
    offer(this.#selects.status, "Any status", statuses);
    offer(this.#selects.tag, "Any tag", tags.map((tag) => [tag, tag]));
    this.#selects.tag.hidden = !tags.length && !this.#selects.tag.value;
  }

  /**
   * @param {string} label
   * @param {string} value
   */
  #select(label, value) {
    const select = h("select", { "aria-label": label, onchange: () => this.#changed({ typed: false }) });
    offer(select, label, value ? [[value, value]] : []);
    select.value = value;
    return select;
  }

  /** @param {{ typed: boolean }} how */
  #changed(how) {
    write(this.query);
    this.#look(this.query, how);
  }
}

/**
 * Fills a select; what is chosen stays.
 * @param {HTMLSelectElement} select
 * @param {string} all
 * @param {[string, string][]} choices
 */
function offer(select, all, choices) {
  const { value } = select;
  const listed = choices.some(([name]) => name === value) || !value ? choices : [...choices, [value, value]];
  const wanted = [["", all], ...listed];
  const drawn = [...select.options].map((option) => [option.value, option.text]);
  if (JSON.stringify(drawn) === JSON.stringify(wanted)) return;
  replace(select, wanted.map(([name, text]) => h("option", { value: name }, text)));
  select.value = value;
}

/** @returns {SearchQuery} */
function read() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
    const known = Object.keys(NOTHING).filter((name) => typeof kept?.[name] === "string");
    return { ...NOTHING, ...Object.fromEntries(known.map((name) => [name, kept[name]])) };
  } catch { // a browser may forbid it, and anything may be stored
    return { ...NOTHING };
  }
}

/** @param {SearchQuery} query */
function write(query) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(query));
  } catch {
    // It holds until the page is left.
  }
}
