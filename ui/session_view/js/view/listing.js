// @ts-check
/** What stands around the event list: the banner of a lost connection, progress, filters, the way to the latest event. */

import { h, replace, setText } from "../../../browser/js/elements.js";
import { count, plural } from "../words/format.js";

/** @import { VirtualList } from "../list/virtual_list.js" */

export class Listing {
  #banner = h("div.banner", { role: "status", hidden: true });
  #bar = h("i");
  #progress = h("div.progress", { role: "progressbar", "aria-label": "Loading events", hidden: true }, this.#bar);
  #filter = h("div.filter", { hidden: true });
  #empty = h("div.empty", { hidden: true });
  #nothing = h("p.nothing", { role: "status", hidden: true });
  #pill;
  /** Events that came while the reader was further up. */
  #arrived = 0;
  #options;

  /**
   * @param {object} options
   * @param {HTMLElement} options.status
   * @param {VirtualList} options.list
   * @param {() => void} options.onClear called when a user wants to see all events
   * @param {() => void} options.onRetry called when they want to connect at once
   */
  constructor(options) {
    this.#options = options;
    this.#pill = h("button.pill", { type: "button", hidden: true, onclick: () => options.list.toEnd() });
    this.element = h(
      "section.centre",
      { "aria-label": "Events" },
      options.status,
      this.#progress,
      this.#banner,
      this.#filter,
      h("div.listing", {}, options.list.element, this.#nothing, this.#pill, this.#empty),
    );
  }

  /**
   * Shows how the connection is.
   * @param {object} link
   * @param {boolean} link.lost
   * @param {string | null} link.problem what is wrong besides
   * @param {boolean} link.waits whether it only says what runs wait for
   * @param {boolean} link.loading
   * @param {number} link.done how much is here, from 0 to 1
   */
  showLink({ lost, problem, waits, loading, done }) {
    const text = problem ?? (lost ? "Connection lost, reconnecting. Nothing that was stored is lost." : null);
    this.#banner.hidden = !text;
    this.#banner.classList.toggle("gone", Boolean(problem) && !waits);
    if (text && this.#banner.firstChild?.textContent !== text) {
      const retry = h("button.plain", { type: "button", onclick: this.#options.onRetry }, "Try now");
      replace(this.#banner, h("span", {}, text), !problem && retry);
    }
    this.#progress.hidden = !loading || lost;
    this.#bar.style.width = `${Math.round(Math.min(1, done) * 100)}%`;
  }

  /**
   * @param {string | null} filters what the list is narrowed to, in words; null for all events
   * @param {number} matches
   * @param {boolean} nothing whether there is no row to show
   */
  showFilters(filters, matches, nothing) {
    this.#filter.hidden = filters === null;
    this.#nothing.hidden = filters === null || !nothing;
    setText(this.#nothing, this.#nothing.hidden ? "" : `No events of ${filters} so far.`);
    const words = `${filters} · ${plural(matches, "event")}`;
    if (filters === null || this.#filter.dataset.text === words) return;
    this.#filter.dataset.text = words;
    const clear = h("button.plain", { type: "button", onclick: this.#options.onClear }, "Show all");
    replace(this.#filter, h("span", {}, "Only ", h("b", {}, filters), ` · ${plural(matches, "event")}`), clear);
  }

  /**
   * Takes in that events came; those count that came while the reader was further up.
   * @param {number} events
   */
  countArrived(events) {
    if (!this.#options.list.following) this.#arrived += events;
  }

  leaveSession() {
    this.#arrived = 0;
  }

  /** Shows the way to the latest event to a reader who is further up, or no longer. */
  showPill() {
    const { following, below, element } = this.#options.list;
    if (following || below < 1) this.#arrived = 0;
    this.#pill.hidden = following || (this.#arrived === 0 && below < element.clientHeight);
    setText(this.#pill, this.#arrived > 0 ? `${count(this.#arrived)} new ↓` : "Latest ↓");
  }

  /**
   * Shows words in the place of the list, or the list for null.
   * @param {{ title: string; text: string } | null} words
   */
  setEmpty(words) {
    this.#empty.hidden = !words;
    this.#options.list.element.hidden = Boolean(words);
    if (words) replace(this.#empty, h("h2", {}, words.title), h("p", {}, words.text), drawKeys());
  }
}

function drawKeys() {
  const key = (/** @type {string} */ name) => h("kbd", {}, name);
  return h("p.keys", {}, key("/"), " to type, then ", key("j"), " ", key("k"), " to step through what happens");
}
