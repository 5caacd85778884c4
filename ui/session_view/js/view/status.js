// @ts-check
/** The status line: how the session stands, where its run is, where answers come from, what was used. */

import { h, replace, setAttribute, setText } from "../../../browser/js/elements.js";
import { costOfSums } from "../log/folds/usage.js";
import { drawReplays } from "../parts/badges.js";
import { count, plural } from "../words/format.js";
import { waitingWords } from "../words/records.js";
import { spentWords, statusWord, whereWords } from "../words/status.js";
import { missingWords, sumsLine } from "../words/usage.js";

/** @import { Log, Origin, Usage } from "../log/folds.d.ts" */
/** @import { PriceRow } from "../log/prices.js" */
/**
 * How a session stands; `past` is where the cursor is and what was used by then, null at the end.
 * @typedef {{ at: number; usage: Usage }} Past
 * @typedef {{ log: Log; status: string; waiting: number; prices: PriceRow[]; past?: Past | null }} Standing
 */

export class StatusLine {
  #word = h("span.word");
  #detail = h("span.detail");
  #events = h("span.events");
  #spent = h("span");
  #badge = h("span.tag.simulated");
  #replayed = h("span.badges");
  #toCard;
  #used;
  /** @type {number | undefined} */
  #ticking;
  /** @type {Standing | null} */
  #standing = null;
  /** @type {Origin | null | undefined} */
  #origin = null;

  /**
   * @param {object} options
   * @param {() => void} options.onWaiting called when a user wants to see what waits for them
   * @param {() => void} options.onUsage called when they want to see what was used
   */
  constructor({ onWaiting, onUsage }) {
    this.#toCard = h("button.plain.detail", { type: "button", hidden: true, title: "Go to it", onclick: onWaiting });
    // The title is its name while there is nothing to tell yet.
    this.#used = h("button.plain.used", { type: "button", title: "Usage", onclick: onUsage }, this.#events, this.#spent);
    this.element = h(
      "div.status",
      { role: "status", "aria-live": "off" }, // it ticks; `Speech` says what happened
      h("span.lamp", { "aria-hidden": "true" }),
      this.#word,
      this.#badge,
      this.#replayed,
      this.#toCard,
      this.#detail,
      h("span.space"),
      this.#used,
    );
  }

  /**
   * Shows how things stand; the look of it is returned.
   * @param {Standing} standing `waiting` counts the calls that wait for a user
   */
  show(standing) {
    this.#standing = standing;
    const { log, status, waiting } = standing;
    const run = log.runs.at(-1);
    const { word, look } = statusWord(status, run?.error);
    setText(this.#word, word);
    this.#toCard.hidden = status !== "paused" || waiting === 0;
    setText(this.#toCard, waitingWords(waiting));
    this.#showOrigin(run?.origin);
    this.#tick();
    if (status !== "running") this.stop();
    else this.#ticking ??= setInterval(() => this.#tick(), 1000);
    return look;
  }

  stop() {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  /**
   * What the last run's answers come from, if not from language models alone.
   * @param {Origin | undefined} origin
   */
  #showOrigin(origin) {
    if (origin === this.#origin) return;
    this.#origin = origin;
    const some = origin?.partly ? "Some answers" : "Answers";
    this.#badge.hidden = !origin?.simulated;
    setText(this.#badge, origin?.partly ? "partly simulated" : "simulated");
    setAttribute(this.#badge, "title", `${some} come from the built-in simulation, not from a language model`);
    replace(this.#replayed, drawReplays(origin?.replays ?? []));
  }

  /** What goes on with the time alone: how long it takes, how long a failed call waits. */
  #tick() {
    if (!this.#standing) return;
    const now = Date.now() / 1000;
    const { log, status, prices, past } = this.#standing;
    const running = status === "running";
    const { total } = (past ?? log).usage;
    const spent = past ? sumsLine(total, prices).join(" · ") : spentWords(log, running, prices, now);
    const missing = missingWords(costOfSums(total, prices));
    setText(this.#detail, running ? whereWords(log.activity, now) : "");
    this.#used.hidden = !log.events;
    const events = past ? `event ${count(past.at)} of ${count(log.events)}` : plural(log.events, "event");
    setText(this.#events, `${events}${spent ? " · " : ""}`);
    setText(this.#spent, spent);
    setAttribute(
      this.#used,
      "title",
      [past ? "Up to the cursor. Click for more" : "The whole session. Click for more", missing].filter(Boolean).join(". "),
    );
  }
}
