// @ts-check
/** What is typed into a list without a text field: the row that it leads to. */

/** Milliseconds without a key after which the next one begins another text. */
export const PAUSE = 800;

export class TypedText {
  #text = "";
  #last = -Infinity;

  /**
   * The index of the first title from `at` on that begins with what was typed; one letter again and again goes through all
   * that begin with it. -1 for none.
   * @param {string} letter
   * @param {{ titles: string[]; at: number; now: number }} where `now` in milliseconds
   */
  find(letter, { titles, at, now }) {
    this.#text = (now - this.#last < PAUSE ? this.#text : "") + letter.toLowerCase();
    this.#last = now;
    const again = [...this.#text].every((one) => one === this.#text[0]);
    const begin = again ? this.#text[0] : this.#text;
    const first = again ? at + 1 : Math.max(at, 0);
    for (let step = 0; step < titles.length; step++) {
      const index = (first + step) % titles.length;
      if (titles[index].toLowerCase().startsWith(begin)) return index;
    }
    return -1;
  }
}
