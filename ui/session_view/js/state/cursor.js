// @ts-check
/**
 * The cursor: one position in the log that everything in the view shows. It is the selected entry; with none it is at the
 * end and follows a run.
 */

import { wantsCalm } from "../dom/theme.js";
import { turnFrom } from "../log/folds/stops.js";
import { entryAt, momentAt, ordinalAt } from "../log/log.js";
import { seqAt } from "../rows/event_number.js";
import { Player } from "./player.js";

/** @import { Entry } from "../log/entries.d.ts" */
/** @import { Choices } from "./choices.js" */
/** @import { Navigation } from "./navigation.js" */
/** @import { Speed } from "./player.js" */
/** @import { Session } from "./session.js" */
/** @import { Position } from "./types.d.ts" */

/**
 * @typedef {object} Surroundings
 * @property {() => Session} session
 * @property {Choices} choices
 * @property {Pick<Navigation, "select" | "step">} navigation
 * @property {() => { show: (position: Position) => void }} bar
 * @property {() => void} toEnd follows the end of the list
 * @property {() => void} ask shows everything with the next frame
 */

export class Cursor {
  #around;
  #player;
  /** @type {number | null} the entry that was played last */
  #played = null;
  /** @type {{ session: Session; events: number } | null} events there were when the cursor left the end of a session */
  #left = null;

  /** @param {Surroundings} around */
  constructor(around) {
    this.#around = around;
    this.#player = new Player({
      at: () => entryAt(around.session().log, around.choices.selected),
      following: (entry) => this.#following(entry),
      show: (entry) => this.#showPlayed(entry),
      onEnd: () => this.toLive(),
    });
    if (wantsCalm()) this.#player.speed = "event";
  }

  get playing() {
    return this.#player.playing;
  }

  /** Whether the user may move: all is here, and there is something. */
  get #ready() {
    const { log, caughtUp } = this.#around.session();
    return caughtUp && log.events > 0;
  }

  /** The number of the event where it is, or of the one before; null at the end. */
  get #at() {
    const { selected } = this.#around.choices;
    return selected === null ? null : ordinalAt(this.#around.session().log, selected);
  }

  /** Moves to an event by its number; the last one is the end. */
  toEvent(/** @type {number} */ number) {
    const { log } = this.#around.session();
    this.#player.pause();
    if (number >= log.events) this.toLive();
    else this.#select(seqAt(log, String(Math.max(1, number))));
  }

  /**
   * Moves to the next or previous event; forward from the last one is the end. False where it cannot move.
   * @param {1 | -1} by
   */
  step(by) {
    if (!this.#ready) return false;
    const at = this.#at;
    if (by > 0 && (at === null || at >= this.#around.session().log.events)) this.toLive();
    else this.#around.navigation.step(by);
  }

  /**
   * Moves to where the next agent's turn begins, or back to where this one or the one before it began.
   * @param {1 | -1} by
   */
  turn(by) {
    if (!this.#ready) return false;
    const { log } = this.#around.session();
    const found = turnFrom(log.stops, this.#at ?? log.events + 1, by);
    if (found !== null) this.#select(seqAt(log, String(found)));
    else if (by > 0) this.toLive();
  }

  /** Goes to the end, and follows it. */
  toLive() {
    this.#player.pause();
    this.#select(null);
    this.#around.toEnd();
  }

  /** Plays on from here, from the beginning where the cursor is at the end, or pauses. */
  toggle() {
    if (!this.#ready) return false;
    if (this.playing) this.#player.pause();
    else {
      this.#played = this.#around.choices.selected;
      this.#player.play();
    }
    this.#around.ask();
  }

  /** @param {Speed} speed */
  setSpeed(speed) {
    this.#player.speed = speed;
    if (this.playing) this.#player.play();
    this.#around.ask();
  }

  pause() {
    this.#player.pause();
  }

  /** Shows where it is. Someone who moves it stops the play. */
  paint() {
    const { session, choices, bar } = this.#around;
    const now = session();
    const { log, caughtUp, status } = now;
    const at = this.#at;
    if (this.playing && choices.selected !== this.#played) this.#player.pause();
    if (this.#left?.session !== now || at === null) this.#left = caughtUp ? { session: now, events: log.events } : null;
    bar().show({
      at,
      events: caughtUp ? log.events : 0,
      who: this.#who(),
      marks: log.stops.marks,
      pinned: this.#pinned(),
      arrived: log.events - (this.#left?.events ?? log.events),
      running: status === "running",
      playing: this.playing,
      speed: this.#player.speed,
    });
  }

  /** Who is at work at the cursor, and in which pass of a loop. */
  #who() {
    const { log } = this.#around.session();
    const entry = entryAt(log, this.#around.choices.selected);
    if (!entry) return "";
    const pass = momentAt(log, entry.seq).running.findLast(({ iteration }) => iteration > 0);
    const author = entry.kind === "event" ? entry.body.author : entry.body.agent;
    return [author, pass && `pass ${pass.iteration} of ${pass.agent}`].filter(Boolean).join(", ");
  }

  #pinned() {
    const { log } = this.#around.session();
    const seq = this.#around.choices.sinceSeq(log);
    return seq === null || this.#around.choices.since === "start" ? null : ordinalAt(log, seq);
  }

  /** @param {number | null} seq */
  #select(seq) {
    this.#around.navigation.select(seq);
    this.paint(); // the bar at once; the rest with the next frame
  }

  /** @param {Entry} entry */
  #showPlayed(entry) {
    if (this.#around.choices.selected !== this.#played) return this.#player.pause(); // the user went elsewhere meanwhile
    this.#played = entry.seq;
    this.#select(entry.seq);
  }

  /** @param {Entry | null} entry */
  #following(entry) {
    const { log } = this.#around.session();
    const number = entry ? ordinalAt(log, entry.seq) : 0;
    const place = log.eventPlaces[number];
    return place === undefined ? null : log.entries[place];
  }
}
