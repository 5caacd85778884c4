// @ts-check
/** Bullets below each other, the new ones marked for a moment. */

import { h, replace, setText } from "../../browser/js/elements.js";

/** @typedef {{ id: string; text: string; taken: boolean }} Bullet */
/** @typedef {{ place: string; bullets: Bullet[]; others: string; kept: string }} Learned */

const NEW = 900; // milliseconds for which a bullet is marked as new

export class Bullets {
  kept = h("p.kept");
  list = h("ul.bullets");
  others = h("p.others");
  element = h("section.learned", {}, this.kept, this.list, this.others);
  #place = "";
  /** @type {Set<string>} */
  #known = new Set();

  /** @param {Learned} learned */
  update({ place, bullets, kept, others }) {
    const first = place !== this.#place;
    this.#place = place;
    replace(this.list, bullets.map((bullet) => this.#row(bullet, !first && !this.#known.has(bullet.id))));
    this.#known = new Set(bullets.map(({ id }) => id));
    setText(this.kept, kept);
    setText(this.others, others);
  }

  /**
   * @param {Bullet} bullet
   * @param {boolean} isNew
   */
  #row({ id, text, taken }, isNew) {
    const row = h("li.bullet", {}, h("code", {}, id), ` ${text}`);
    row.classList.toggle("taken", taken);
    row.classList.toggle("new", isNew);
    if (isNew) setTimeout(() => row.classList.remove("new"), NEW);
    return row;
  }
}
