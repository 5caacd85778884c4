// @ts-check
/** Plays a log from an entry on: at the speed at which it was recorded, a multiple of it, or one event a second. */

/** @import { Entry } from "../log/entries.d.ts" */

/** @typedef {"1" | "4" | "16" | "event"} Speed */

/** @type {[Speed, string][]} */
export const SPEEDS = [["1", "1×"], ["4", "4×"], ["16", "16×"], ["event", "1 event/s"]];
const SECOND = 1000;
/** Seconds: a longer gap of the record is shortened to this. */
const LONGEST_GAP = 2;
/** Milliseconds: events closer than a frame are shown together. */
const FRAME = 16;

/**
 * Milliseconds to wait between two entries.
 * @param {Pick<Entry, "body"> | null} from null for the beginning, which waits for nothing
 * @param {Pick<Entry, "body">} to
 * @param {Speed} speed
 */
export function gapBetween(from, to, speed) {
  if (!from) return 0;
  if (speed === "event") return SECOND;
  const recorded = to.body.timestamp - from.body.timestamp;
  return (Math.min(Math.max(recorded, 0) || 0, LONGEST_GAP) * SECOND) / Number(speed);
}

/**
 * The next event to show and how long to wait for it; of events that are closer than a frame the last one. Null at the end.
 * @param {Entry | null} from
 * @param {(entry: Entry | null) => Entry | null} following
 * @param {Speed} speed
 * @returns {{ entry: Entry; wait: number } | null}
 */
export function nextShown(from, following, speed) {
  let found = null;
  let at = from;
  for (let wait = 0, next = following(at); next; next = following(at)) {
    wait += gapBetween(at, next, speed);
    if (found && wait > FRAME) break;
    found = { entry: next, wait };
    if (wait > FRAME) break;
    at = next;
  }
  return found;
}

export class Player {
  /** @type {Speed} */
  speed = "1";
  /** @type {number | undefined} */
  #timer;
  #options;

  /**
   * @param {object} options
   * @param {() => Entry | null} options.at the event that is shown
   * @param {(entry: Entry | null) => Entry | null} options.following the event after one; the first for null
   * @param {(entry: Entry) => void} options.show
   * @param {() => void} options.onEnd called when there is no next event
   */
  constructor(options) {
    this.#options = options;
  }

  get playing() {
    return this.#timer !== undefined;
  }

  /** Plays on from the event that is shown. */
  play() {
    this.pause();
    const { at, following, show, onEnd } = this.#options;
    const next = nextShown(at(), following, this.speed);
    if (!next) return onEnd();
    this.#timer = setTimeout(() => {
      show(next.entry);
      if (this.playing) this.play();
    }, next.wait);
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
