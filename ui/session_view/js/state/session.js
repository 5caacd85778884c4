// @ts-check
/** A session as far as the server told of it: its log, rows, text being written, and how the connection is. */

import { emptySightings, foldSightings } from "../log/folds/observations.js";
import { emptyPartials, placePiece, settle } from "../log/folds/partials.js";
import { activityAt, append, emptyLog, loseRun, runStatus, usageAt } from "../log/log.js";
import { emptyBook } from "../rows/book.js";
import { extendRows, rowsOfTail } from "../rows/rows.js";

/** @import { Entry } from "../log/entries.d.ts" */
/** @import { Activity, Usage } from "../log/folds.d.ts" */
/** @import { Frame, Link } from "../page/feed.js" */
/** @import { Book } from "../rows/types.d.ts" */
/** @import { Lesson } from "./types.d.ts" */

/** So many events are laid out while more are coming; of a longer log only its end, so that nothing is thrown away. */
const FEW = 400;

export class Session {
  log = emptyLog();
  book = emptyBook();
  partials = emptyPartials();
  /** @type {Link} */
  link = "idle";
  /** Whether all that is stored is here. */
  caughtUp = false;
  /** @type {Book | null} the end of a long log, to be read while the rest is coming */
  preview = null;
  /** How many events there are. */
  #target = 0;
  /** @type {string | null} why it will not come */
  #gone = null;
  /** @type {string | null} why it does not come now */
  #notice = null;
  /** @type {string | null} what runs wait for */
  #waiting = null;
  /** Whether its run waits for its turn: the log does not know of it yet. */
  queued = false;
  /** @type {string | null} what became of a run whose end could not be stored */
  #loss = null;
  /** @type {string | null} the run that `changedRun` last told of */
  #told = null;

  /** @type {{ seq: number; activity?: Activity; usage?: Usage }} the past moment that was last looked at */
  #past = { seq: -1 };

  /** @param {Lesson | null} [lesson] the lesson of the pipeline */
  constructor(lesson = null) {
    this.lesson = lesson && { ...lesson, sightings: emptySightings(lesson.observations) };
  }

  get status() {
    return runStatus(this.log);
  }

  /** What is wrong, in words; null for nothing. */
  get problem() {
    return this.#gone ?? this.#loss ?? this.#notice ?? this.#waiting;
  }

  /** Whether `problem` only says what runs wait for. */
  get waits() {
    return this.#waiting !== null && this.problem === this.#waiting;
  }

  get loading() {
    return !this.caughtUp && this.#gone === null;
  }

  /** How much of the log is here, from 0 to 1. */
  get done() {
    return this.#target ? this.log.events / this.#target : 0;
  }

  /** Whether the rows there are can be looked at; laying out every batch of a long log would be for nothing. */
  get readable() {
    return !this.loading || this.preview !== null || this.log.events < FEW;
  }

  /** Nothing came after the greeting: there is nothing to come. */
  settleEmpty() {
    if (!this.log.entries.length) this.caughtUp = true;
  }

  /**
   * Takes in a frame.
   * @param {Frame} frame
   * @returns {Entry[]} the entries that are new
   */
  receive(frame) {
    switch (frame.type) {
      case "hello":
        this.partials.clear();
        this.#notice = this.#waiting = this.#loss = null;
        this.queued = false;
        this.#target = frame.session.events;
        break;
      case "tail":
        this.preview = rowsOfTail(frame.entries, frame.events);
        break;
      case "log":
        return this.#take(frame.entries, frame.more);
      case "partial":
        placePiece(this.partials, frame);
        break;
      case "waiting":
        this.#waiting = frame.message || null;
        this.queued = frame.queued;
        break;
      case "lost":
        loseRun(this.log, frame.invocation);
        this.#loss = frame.message;
        this.partials.clear();
        break;
      case "gone":
        this.#gone = frame.message;
        break;
      case "error":
        if (frame.retry) this.#notice = frame.message;
        else this.#gone = frame.message;
    }
    return [];
  }

  /**
   * What the lesson says to look for and these entries show.
   * @param {Entry[]} entries
   */
  seenIn(entries) {
    const seqs = new Set(entries.map(({ seq }) => seq));
    const seen = (this.lesson?.sightings ?? []).filter(({ seq }) => seq !== null && seqs.has(seq));
    return seen.map(({ observation }) => observation.text);
  }

  /**
   * Who was at work right after an entry; who is now, without one.
   * @param {Entry | null} entry
   */
  activityAt(entry) {
    if (!entry) return this.log.activity;
    return this.#momentOf(entry).activity ??= activityAt(this.log, entry.seq);
  }

  /**
   * What model calls had used right after an entry; what they have until now, without one.
   * @param {Entry | null} entry
   */
  usageAt(entry) {
    if (!entry) return this.log.usage;
    return this.#momentOf(entry).usage ??= usageAt(this.log, entry.seq);
  }

  /** @param {Entry} entry */
  #momentOf({ seq }) {
    if (this.#past.seq !== seq) this.#past = { seq };
    return this.#past;
  }

  /**
   * The status of the last run, if the page should hear of it: once for each change, so that it can swap Run and Stop.
   * @param {boolean | null | undefined} running whether the page takes a run to be at work
   */
  changedRun(running) {
    const now = `${this.log.runs.at(-1)?.invocation ?? ""} ${this.status}`;
    const before = this.#told;
    if (now === before) return null;
    this.#told = now;
    const known = before === null && (running ?? false) === (this.status === "running");
    return known ? null : this.status;
  }

  /**
   * @param {Entry[]} entries
   * @param {boolean} more whether stored ones are still coming
   */
  #take(entries, more) {
    const added = append(this.log, entries);
    settle(this.partials, added);
    if (added.some(({ kind }) => kind === "run_started" || kind === "run_finished")) this.#loss = null;
    extendRows(this.book, added);
    if (this.lesson) foldSightings(this.lesson.sightings, added);
    if (!more) this.caughtUp = true;
    return added;
  }
}
