// @ts-check
/** The bar of the cursor: play, a track with marks, where the cursor is, and the way back to the end. Calm at the end. */

import { h, replace, setAttribute, setText } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { createPainter } from "../dom/timers.js";
import { marksOnTrack } from "../log/folds/stops.js";
import { SPEEDS } from "../state/player.js";
import { count, plural } from "../words/format.js";

/** @import { StopMark } from "../log/folds.d.ts" */
/** @import { Speed } from "../state/player.js" */
/** @import { Position } from "../state/types.d.ts" */

/** So many places of the track may have a mark. */
const PLACES = 240;
/** @type {Record<StopMark["kind"], string>} */
const TITLES = { user: "a message of the user", pass: "a pass of a loop", error: "an error" };

export class CursorBar {
  #play;
  #speed;
  #range;
  #marks = h("div.marks", { "aria-hidden": "true" });
  #where = h("span.where-at");
  #live;
  #drawn = "";
  /** @type {number | null} where the thumb was dragged to, until that is shown */
  #dragged = null;
  #painter;

  /**
   * @param {object} actions
   * @param {(event: number) => void} actions.onMove called with the number of the event where the thumb is
   * @param {() => void} actions.onPlay
   * @param {(speed: Speed) => void} actions.onSpeed
   * @param {() => void} actions.onLive
   */
  constructor({ onMove, onPlay, onSpeed, onLive }) {
    this.#painter = createPainter(() => {
      const to = this.#dragged;
      this.#dragged = null;
      if (to !== null) onMove(to);
    });
    this.#play = h("button.play", { type: "button", onclick: () => onPlay() });
    this.#speed = h(
      "select.speed",
      { "aria-label": "Speed", title: "Speed of playing" },
      SPEEDS.map(([value, label]) => h("option", { value }, label)),
    );
    this.#speed.onchange = () => onSpeed(/** @type {Speed} */ (this.#speed.value));
    this.#range = h("input", { type: "range", min: 1, step: 1, "aria-label": "Cursor" });
    this.#range.oninput = () => {
      this.#dragged = Number(this.#range.value);
      this.#painter.ask();
    };
    this.#live = h("button.to-live", { type: "button", onclick: () => onLive() });
    this.element = h(
      "div.cursor-bar",
      { role: "group", "aria-label": "Cursor", hidden: true },
      this.#play,
      this.#speed,
      h("div.track-of-cursor", {}, this.#marks, this.#range),
      this.#where,
      this.#live,
    );
  }

  /** @param {Position} position */
  show(position) {
    const { at, events, who, running, playing, speed } = position;
    this.element.hidden = events === 0;
    this.element.classList.toggle("past", at !== null);
    this.#showPlay(playing);
    if (this.#speed.value !== speed) this.#speed.value = speed;
    setAttribute(this.#range, "max", String(Math.max(1, events)));
    if (this.#dragged === null) this.#range.value = String(at ?? events);
    this.#range.style.setProperty("--done", String(events > 1 ? ((at ?? events) - 1) / (events - 1) : 1));
    const where = at === null ? plural(events, "event") : `${count(at)} of ${count(events)}`;
    setText(this.#where, where);
    const told = at === null
      ? `the end, after ${where}`
      : at === 0
      ? "before the first event"
      : `event ${where}${who && `, ${who}`}`;
    setAttribute(this.#range, "aria-valuetext", told);
    this.#showLive(position, running);
    this.#showMarks(position);
  }

  stop() {
    this.#painter.stop();
  }

  /** @param {boolean} playing */
  #showPlay(playing) {
    const label = playing ? "Pause" : "Play";
    if (this.#play.ariaLabel === label) return;
    this.#play.ariaLabel = label;
    this.#play.title = playing ? "Pause (Space)" : "Play from here (Space)";
    replace(this.#play, icon(playing ? "pause" : "play"));
  }

  /**
   * @param {Position} position
   * @param {boolean} running
   */
  #showLive({ at, arrived }, running) {
    this.#live.disabled = at === null;
    this.#live.classList.toggle("running", running);
    setText(this.#live, `${running ? "Live" : "End"}${at !== null && arrived ? ` · ${count(arrived)} new` : ""}`);
    setAttribute(this.#live, "title", at === null ? null : running ? "Follow the run again" : "Go to the end");
  }

  /** @param {Position} position */
  #showMarks({ marks, events, pinned }) {
    const stamp = `${marks.length}/${events}/${pinned}`;
    if (stamp === this.#drawn) return;
    this.#drawn = stamp;
    const found = marksOnTrack(marks, events, PLACES).map(({ kind, share }) =>
      placed(h(`i.${kind}`, { title: TITLES[kind] }), share)
    );
    const pin = pinned === null ? null : placed(h("i.pin"), events > 1 ? (Math.max(pinned, 1) - 1) / (events - 1) : 1);
    replace(this.#marks, found, pin);
  }
}

/**
 * @param {HTMLElement} mark
 * @param {number} share
 */
function placed(mark, share) {
  mark.style.left = `${(share * 100).toFixed(2)}%`;
  return mark;
}
