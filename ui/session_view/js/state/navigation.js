// @ts-check
/** What a user does in a session: selects, steps, goes to an end, narrows the list, folds, lets go. */

import { sameFilters } from "../filters/filters.js";
import { TABS } from "../inspector/inspector.js";
import { toolBranches } from "../log/branches.js";
import { entryAt } from "../log/log.js";
import { numberAt, seqAt } from "../rows/event_number.js";
import { eventOfSpan, nextStop } from "../rows/stops.js";

/** @import { Filters } from "../filters/types.d.ts" */
/** @import { Entry } from "../log/entries.d.ts" */
/** @import { Span } from "../log/folds.d.ts" */
/** @import { Key } from "../rows/types.d.ts" */
/** @import { Choices } from "./choices.js" */
/** @import { Session } from "./session.js" */
/** @import { Panes } from "./types.d.ts" */
/** @import { Shown } from "./view_address.js" */

/**
 * What a user moves about in, and how it is shown again.
 * @typedef {object} Surroundings
 * @property {() => Session} session
 * @property {Choices} choices
 * @property {() => Panes} panes
 * @property {() => void} paint shows everything now
 * @property {() => void} ask shows everything with the next frame
 * @property {(chosen: Partial<Shown>) => void} onChoose called when a user chooses something else to look at
 */

export class Navigation {
  #around;
  /** @type {Pick<Shown, "at" | "event"> | null} what the address wants selected, once it is here */
  #wanted = null;
  /** Whether the address is to be told what is selected, once its number is known. */
  #untold = false;
  /** Whether the reader wants to go to the beginning, once it is here. */
  #toStart = false;

  /** @param {Surroundings} around */
  constructor(around) {
    this.#around = around;
  }

  /** Whether the address wants an entry selected that is not here yet, or has no row yet. */
  get waits() {
    return this.#wanted !== null || this.#around.panes().list.seeks;
  }

  leaveSession() {
    this.#wanted = null;
    this.#toStart = this.#untold = false;
  }

  /**
   * Shows what the address names; null waits for another session.
   * @param {Shown | null} named
   */
  show(named) {
    if (!named) return;
    const { choices, panes, session, ask } = this.#around;
    const { inspector } = panes();
    if ((named.tab ?? TABS[0].name) !== inspector.tab) inspector.show(named.tab);
    if (!sameFilters(named.filters, choices.filters)) choices.filterBy(named.filters);
    if (named.folds !== choices.foldText(session().book.blocks)) choices.linkFolds(named.folds);
    this.#foldLinked();
    choices.since = named.since;
    this.#follow(named);
    ask();
  }

  /**
   * Selects what the address wants selected, at once or when it is here.
   * @param {Pick<Shown, "at" | "event">} named
   */
  #follow({ at, event }) {
    if (this.#untold && (at ?? event) === null) return; // it names what it was told
    const seq = this.#find({ at, event });
    if (seq === null && (at ?? event) !== null) this.#wanted = { at, event };
    else if (seq !== this.#around.choices.selected) this.select(seq, { quiet: true });
    if (seq !== null && event !== null) this.#tellSelected();
  }

  /** @param {Pick<Shown, "at" | "event">} named */
  #find({ at, event }) {
    const { log } = this.#around.session();
    if (at !== null) return seqAt(log, at);
    return event !== null && log.places.has(event) ? event : null;
  }

  /** Puts the number of what is selected into the address. Of a log that is still loading, its end is here without one. */
  #tellSelected() {
    const { choices, session, onChoose } = this.#around;
    const at = choices.selected === null ? null : numberAt(session().log, choices.selected);
    this.#untold = choices.selected !== null && at === null;
    onChoose({ at, event: null });
  }

  /** Folds what the address names, as far as it is here. In the end the address names no more than there is. */
  #foldLinked() {
    const { book, caughtUp } = this.#around.session();
    if (this.#around.choices.foldLinked(book.blocks, caughtUp)) this.#tellFolds();
  }

  #tellFolds() {
    const { choices, session, onChoose } = this.#around;
    const { book, caughtUp } = session();
    if (caughtUp) onChoose({ folds: choices.foldText(book.blocks) });
  }

  /** Folds and selects what the address wanted before it was here, if it is now. */
  followLate() {
    this.#foldLinked();
    if (this.#untold) this.#tellSelected();
    const wanted = this.#wanted;
    const seq = wanted && this.#find(wanted);
    if (wanted === null || seq === null) return;
    this.select(seq, { quiet: true });
    if (wanted.event !== null) this.#tellSelected();
  }

  /**
   * Selects an entry, or none for null. One that was not clicked is brought into view.
   * @param {number | null} seq
   * @param {{ byHand?: boolean; quiet?: boolean }} how `byHand`: with a click; `quiet`: not by the user
   */
  select(seq, { byHand = false, quiet = false } = {}) {
    const { choices, ask } = this.#around;
    const { list, layout, inspector } = this.#around.panes();
    const { log } = this.#around.session();
    this.#wanted = null;
    this.#untold = false;
    choices.selected = seq;
    list.select(seq);
    if (!byHand) this.#unfoldAround(entryAt(log, seq));
    if (seq !== null && !byHand) list.reveal(seq);
    if (!quiet) this.#tellSelected();
    if (byHand) layout.showChoice(seq !== null);
    inspector.draw();
    ask();
  }

  /**
   * Compares state with what is named, see `Choices.since`; "here" pins the selected entry.
   * @param {string | null} since
   */
  compare(since) {
    const { choices, panes, session, ask, onChoose } = this.#around;
    const here = choices.selected === null ? null : numberAt(session().log, choices.selected);
    choices.since = since === "here" ? here : since;
    onChoose({ since: choices.since });
    panes().inspector.draw();
    ask();
  }

  /**
   * Selects an entry whose row was clicked, or lets go of it.
   * @param {number} seq
   * @param {boolean} [inResult] on one of its tools' results: another one of the same entry may have been clicked before
   */
  click(seq, inResult = false) {
    const again = seq === this.#around.choices.selected;
    this.select(again && !inResult ? null : seq, { byHand: true });
  }

  /** @param {Span} span */
  selectSpan(span) {
    const row = eventOfSpan(this.#around.session().book.rows, span);
    if (row) this.select(row.seq);
  }

  /** @param {1 | -1} by */
  step(by) {
    const { list } = this.#around.panes();
    const { selected } = this.#around.choices;
    const row = nextStop(list.rows, selected === null ? -1 : list.indexOf(selected), by);
    if (row) this.select(row.seq);
  }

  /** @param {boolean} end */
  toEdge(end) {
    if (!end && this.#around.session().preview) {
      this.#toStart = true; // the beginning is not here yet
      return;
    }
    const { list } = this.#around.panes();
    const row = nextStop(list.rows, -1, end ? -1 : 1);
    if (row) this.select(row.seq);
    if (end) list.toEnd();
  }

  /** All is here: a reader of the end of the log, which was shown ahead, stays where they are. */
  endPreview() {
    const { choices, paint } = this.#around;
    const { list, inspector } = this.#around.panes();
    const reading = list.following ? null : choices.selected ?? list.firstInView?.key ?? null;
    this.#around.session().preview = null;
    choices.resetShown();
    paint();
    if (this.#toStart) this.toEdge(false);
    else if (reading !== null) list.reveal(reading);
    inspector.draw();
  }

  /** Lets go of what was done last: a pane, a selection, filters. False if there is nothing to let go of. */
  escape() {
    const { selected, filters } = this.#around.choices;
    if (this.#around.panes().layout.closePane()) return true;
    if (selected !== null) this.select(null);
    else if (!sameFilters(filters, {})) this.filterBy({});
    else return false;
    return true;
  }

  /** Shows the selected row in full, or no longer; false without one. */
  openRow() {
    const { selected } = this.#around.choices;
    if (selected === null) return false;
    this.toggle(selected);
    return true;
  }

  /** @param {Key} key */
  toggle(key) {
    this.#around.choices.toggle(key);
    this.#around.panes().list.paint();
  }

  /** Shows all texts as they were written, or as Markdown again. */
  toggleRaw() {
    const { choices, panes } = this.#around;
    choices.raw = !choices.raw;
    panes().list.paint();
    panes().inspector.draw();
  }

  /** @param {string} branch */
  fold(branch) {
    this.#around.choices.fold(branch);
    this.#tellFolds();
    this.#around.paint();
  }

  /**
   * Narrows the list; without a filter it shows all.
   * @param {Filters} filters
   */
  filterBy(filters) {
    const { choices, panes, ask, onChoose } = this.#around;
    choices.filterBy(filters);
    onChoose({ filters });
    if (!sameFilters(filters, {})) panes().layout.showPane("events");
    ask();
  }

  /**
   * Sets a filter, or lifts it if it is set to that already.
   * @param {string} name
   * @param {string} choice
   */
  toggleFilter(name, choice) {
    const { [name]: before, ...others } = this.#around.choices.filters;
    this.filterBy(before === choice ? others : { ...others, [name]: choice });
  }

  /** Leads to the first call that waits. */
  toCard() {
    const { session, panes, paint } = this.#around;
    const card = session().book.rows.find((row) => row.type === "card" && row.call.state === "waiting");
    if (!card) return;
    this.filterBy({});
    panes().layout.showPane("events");
    paint();
    panes().list.focus(card.key);
  }

  /** @param {Entry | null} entry */
  #unfoldAround(entry) {
    for (const branch of toolBranches(entry?.body.branch)) if (this.#around.choices.isFolded(branch)) this.fold(branch);
  }
}
