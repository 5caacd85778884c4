// @ts-check
/** What a user chose to look at: an entry, filters, rows in full, blocks folded away. Says which rows show. */

import { matcherOf } from "../filters/filters.js";
import { emptyShown } from "../filters/shown_rows.js";
import { startSeq } from "../log/folds/state.js";
import { seqAt } from "../rows/event_number.js";
import { foldNumbers, foldText } from "../rows/fold_numbers.js";

/** @import { ShownRows } from "../filters/shown_rows.js" */
/** @import { Filters } from "../filters/types.d.ts" */
/** @import { Log, TreeIndex } from "../log/folds.d.ts" */
/** @import { Block, Key } from "../rows/types.d.ts" */

export class Choices {
  /** @type {number | null} `seq` of the selected entry */
  selected = null;
  /** Whether texts are shown as they were written, not as Markdown. */
  raw = false;
  /** @type {string | null} what state is compared with: "start", a pinned entry's number, or null for the event before */
  since = null;
  /** Whether all is shown in full, as paper needs it. */
  #whole = false;
  /** @type {Filters} */
  #filters = {};
  /** @type {Set<Key>} */
  #open = new Set();
  /** @type {Set<string>} */
  #folded = new Set();
  /** @type {((number: number) => boolean) | null} which blocks a link folds; those before `#taken` were looked at */
  #linked = null;
  #taken = 0;
  /** @type {ShownRows | null} */
  #shown = null;

  /** The filters that are set. */
  get filters() {
    return this.#filters;
  }

  /** @param {Filters} filters */
  filterBy(filters) {
    this.#filters = filters;
    this.#shown = null;
  }

  /**
   * `seq` of the entry that state is compared with; null for the event before, or where a link names none of the log.
   * @param {Log} log
   */
  sinceSeq(log) {
    return this.since === "start" ? startSeq(log) : this.since === null ? null : seqAt(log, this.since);
  }

  /** @param {Key} key */
  isOpen(key) {
    return this.#whole || this.#open.has(key);
  }

  /** @param {boolean} whole whether all rows are in full and nothing is folded away, whatever the user chose */
  showWhole(whole) {
    this.#whole = whole;
    this.#shown = null;
  }

  /**
   * How a row is drawn.
   * @param {Key} key
   */
  drawing(key) {
    return { open: this.isOpen(key), folded: (/** @type {string} */ branch) => this.isFolded(branch), raw: this.raw };
  }

  /**
   * Shows a row in full, or no longer.
   * @param {Key} key
   */
  toggle(key) {
    if (!this.#open.delete(key)) this.#open.add(key);
  }

  /** @param {string} branch */
  isFolded(branch) {
    return !this.#whole && this.#folded.has(branch);
  }

  /**
   * Folds an agent at work as a tool away, or shows again what it does.
   * @param {string} branch
   */
  fold(branch) {
    if (!this.#folded.delete(branch)) this.#folded.add(branch);
    this.#shown = null;
  }

  /**
   * Unfolds all; what a link names is folded when it is here.
   * @param {string | null} text
   */
  linkFolds(text) {
    this.#folded.clear();
    this.#linked = foldNumbers(text);
    this.#taken = 0;
    this.#shown = null;
  }

  /**
   * Folds what the link names, as far as it is here. True when that is done: a link folds nothing that happens later.
   * @param {Map<string, Block>} blocks
   * @param {boolean} whole whether all of the session's are here
   */
  foldLinked(blocks, whole) {
    if (!this.#linked) return false;
    for (const { branch, number } of [...blocks.values()].slice(this.#taken)) {
      if (!this.#linked(number)) continue;
      this.#folded.add(branch);
      this.#shown = null;
    }
    this.#taken = blocks.size;
    if (whole) this.#linked = null;
    return whole;
  }

  /**
   * What is folded, as a text for the address.
   * @param {Map<string, Block>} blocks
   */
  foldText(blocks) {
    return foldText([...this.#folded].flatMap((branch) => blocks.get(branch)?.number ?? []));
  }

  /** Forgets what was chosen in a session; filters stay set. */
  leaveSession() {
    this.selected = this.since = null;
    this.#open.clear();
    this.#folded.clear();
    this.#linked = null;
    this.#shown = null;
  }

  /** Rows are other ones now, or agents stand elsewhere in the tree: what is shown has to be found anew. */
  resetShown() {
    this.#shown = null;
  }

  /**
   * Which rows are shown; the same value as long as nothing else is chosen.
   * @param {TreeIndex} index
   */
  shown(index) {
    return this.#shown ??= emptyShown(matcherOf(this.#filters, index), this.#whole ? [] : this.#folded);
  }
}
