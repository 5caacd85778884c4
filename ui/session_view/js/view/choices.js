// @ts-check
/** What a user chose to look at: an entry, one agent, rows in full, blocks folded away. Says which rows show. */

import { startSeq } from "../log/state.js";
import { namesUnder } from "../log/agent_tree.js";
import { emptyFilter } from "../rows/filter.js";
import { seqAt } from "../rows/event_number.js";
import { foldNumbers, foldText } from "../rows/fold_numbers.js";

/** @import { Log, TreeIndex } from "../log/folds.d.ts" */
/** @import { Filter } from "../rows/filter.js" */
/** @import { Block, Key } from "../rows/types.d.ts" */

export class Choices {
  /** @type {number | null} `seq` of the selected entry */
  selected = null;
  /** Whether texts are shown as they were written, not as Markdown. */
  raw = false;
  /** @type {string | null} what state is compared with: "start", a pinned entry's number, or null for the event before */
  since = null;
  /** @type {string | null} */
  #picked = null;
  /** @type {Set<Key>} */
  #open = new Set();
  /** @type {Set<string>} */
  #folded = new Set();
  /** @type {((number: number) => boolean) | null} which blocks a link folds; those before `#taken` were looked at */
  #linked = null;
  #taken = 0;
  /** @type {Filter | null} */
  #filter = null;

  /** The agent that the list is narrowed to; null for all. */
  get picked() {
    return this.#picked;
  }

  /** @param {string | null} name */
  pick(name) {
    this.#picked = name;
    this.#filter = null;
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
    return this.#open.has(key);
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
    return this.#folded.has(branch);
  }

  /**
   * Folds an agent at work as a tool away, or shows again what it does.
   * @param {string} branch
   */
  fold(branch) {
    if (!this.#folded.delete(branch)) this.#folded.add(branch);
    this.#filter = null;
  }

  /**
   * Unfolds all; what a link names is folded when it is here.
   * @param {string | null} text
   */
  linkFolds(text) {
    this.#folded.clear();
    this.#linked = foldNumbers(text);
    this.#taken = 0;
    this.#filter = null;
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
      this.#filter = null;
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

  /** Forgets what was chosen in a session; the agent stays picked. */
  leaveSession() {
    this.selected = this.since = null;
    this.#open.clear();
    this.#folded.clear();
    this.#linked = null;
    this.#filter = null;
  }

  /** Rows are other ones now, or agents stand elsewhere in the tree: the filter has to take them in anew. */
  resetFilter() {
    this.#filter = null;
  }

  /**
   * Which rows are shown; the same filter as long as nothing else is chosen.
   * @param {TreeIndex} index
   */
  filter(index) {
    this.#filter ??= emptyFilter(this.#picked === null ? null : namesUnder(index, this.#picked), this.#folded);
    return this.#filter;
  }
}
