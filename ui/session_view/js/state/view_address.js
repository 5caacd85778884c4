// @ts-check
/**
 * The view's own part of the page's address: the selected event by its number, the open tab, the filters that are set, what
 * is folded, and what state is compared with. The view writes it in place, without telling Python; reload, links and the
 * Back button find it again. Older links name an event by its `seq`, as `event=`; the view puts its number in the place of
 * that.
 */

import { FILTERS, filtersIn } from "../filters/filters.js";
import { checkedFoldText } from "../rows/fold_numbers.js";

/** @import { Filters } from "../filters/types.d.ts" */

/** Safari refuses more than 100 changes of the address in 30 seconds. */
const WRITE_EVERY = 300;
const AT = /^\d{1,9}(?:\.[1-9]\d{0,8})?$/;
const NONE = "0";
const SEQ = /^\d{1,15}$/;
const START = "start";
/** @type {Shown} */
const NOTHING = { at: null, event: null, tab: null, filters: {}, folds: null, since: null };

/** @typedef {{ pipeline: string; session: string | null }} Place */
/**
 * What is shown; null for what is not chosen.
 * @typedef {object} Shown
 * @property {string | null} at the selected entry, see `event_number.js`
 * @property {number | null} event `seq` of the selected entry, from an older link, until its number is known
 * @property {string | null} tab
 * @property {Filters} filters
 * @property {string | null} folds see `fold_numbers.js`
 * @property {string | null} since what state is compared with, see `choices.js`
 */

/** One per page: a view that is drawn anew, e.g. after a look at the settings, shows again what it showed. */
export class ViewAddress {
  /** @type {Place} */
  #place = { pipeline: "", session: null };
  #path = "";
  /** @type {Shown} */
  #shown = NOTHING;
  /** @type {number | undefined} */
  #timer;
  #changed = false;

  /**
   * What to show where the script has led: what the address names, else what was shown. The script drops from the address
   * what it does not name, so it is put back.
   * @param {Place} place
   * @returns {Shown}
   */
  arrive(place) {
    const { selected, tab, filters, folds, since } = this.#read();
    const kept = this.#kept(place);
    this.#place = { pipeline: place.pipeline, session: place.session };
    this.#path = location.pathname;
    this.#shown = {
      ...(selected ?? { at: kept.at, event: kept.event }),
      tab: tab ?? kept.tab,
      filters: { ...kept.filters, ...filters },
      folds: folds ?? kept.folds,
      since: since ?? kept.since,
    };
    this.#write();
    return this.#shown;
  }

  /**
   * What to show after Back or Forward: what the address names, and nothing else. Null where it leads to another session or
   * page, which the script will draw; its event is read then.
   * @returns {Shown | null}
   */
  goBack() {
    if (location.pathname !== this.#path) return null;
    const { selected, folds, since, ...named } = this.#read();
    const { at, event } = selected ?? NOTHING;
    this.#shown = { ...(this.#isHere() ? { at, event, folds, since } : this.#shown), ...named };
    return this.#isHere() ? this.#shown : null;
  }

  /**
   * Takes what a user chose.
   * @param {Partial<Shown>} chosen
   */
  choose(chosen) {
    this.#shown = { ...this.#shown, ...chosen };
    this.#changed = true;
    if (this.#timer === undefined) this.#writeSoon();
  }

  /** The address no longer follows; what was chosen last is in it. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changed) this.#write();
  }

  #writeSoon() {
    this.#timer = undefined;
    if (!this.#changed) return;
    this.#write();
    this.#timer = setTimeout(() => this.#writeSoon(), WRITE_EVERY);
  }

  /** Whether the address is still the one of what is shown: the script may have gone on already. */
  #isHere() {
    return location.pathname === this.#path && new URL(location.href).searchParams.get("session") === this.#place.session;
  }

  /**
   * What stays shown at a place that names nothing: in another session the tab and the filters, in another pipeline the tab.
   * @param {Place} place
   * @returns {Shown}
   */
  #kept({ pipeline, session }) {
    const { tab, filters } = this.#shown;
    if (pipeline !== this.#place.pipeline) return { ...NOTHING, tab };
    return session === this.#place.session ? this.#shown : { ...NOTHING, tab, filters };
  }

  /** @returns {Omit<Shown, "at" | "event"> & { selected: Pick<Shown, "at" | "event"> | null }} */
  #read() {
    const { searchParams } = new URL(location.href);
    return {
      selected: selectedIn(searchParams),
      tab: searchParams.get("tab") || null,
      filters: filtersIn(searchParams),
      folds: checkedFoldText(searchParams.get("folds")),
      since: sinceIn(searchParams.get("since") ?? ""),
    };
  }

  #write() {
    this.#changed = false;
    if (!this.#isHere()) return;
    const url = new URL(location.href);
    for (const [name, value] of parametersOf(this.#shown)) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, String(value));
    }
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  }
}

/**
 * @param {Shown} shown
 * @returns {[string, string | number | null][]}
 */
function parametersOf({ at, event, tab, filters, folds, since }) {
  const set = FILTERS.map(({ name }) => /** @type {[string, string | null]} */ ([name, filters[name] ?? null]));
  return [["at", at], ["event", event], ["tab", tab], ...set, ["folds", folds], ["since", since]];
}

/**
 * What the address names as selected: `at=0` for none; null where it names nothing.
 * @param {URLSearchParams} query
 */
function selectedIn(query) {
  const at = query.get("at") ?? "";
  if (AT.test(at)) return { at: at === NONE ? null : at, event: null };
  const seq = query.get("event") ?? "";
  return SEQ.test(seq) ? { at: null, event: Number(seq) || null } : null;
}

/** @param {string} text */
function sinceIn(text) {
  return text === START || (text !== NONE && AT.test(text)) ? text : null;
}
