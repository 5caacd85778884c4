// @ts-check
/** A copy of the session shown before, drawn over the panes until the next session is drawn. */

/** Milliseconds after which the copy is removed in any case. */
const LONGEST = 1000;

export class LastPicture {
  /** @type {HTMLElement | null} */
  #picture = null;
  /** @type {number | undefined} */
  #timer;

  /**
   * Draws a copy of an element over it.
   * @param {HTMLElement} element
   */
  draw(element) {
    this.remove();
    const picture = /** @type {HTMLElement} */ (element.cloneNode(true));
    picture.inert = true;
    picture.setAttribute("aria-hidden", "true");
    picture.classList.add("last-picture");
    for (const marked of picture.querySelectorAll("[id]")) marked.removeAttribute("id");
    element.append(picture);
    keepScroll(element, picture);
    this.#picture = picture;
    this.#timer = setTimeout(() => this.remove(), LONGEST);
  }

  /** Removes the copy. */
  remove() {
    clearTimeout(this.#timer);
    this.#picture?.remove();
    this.#picture = null;
  }
}

/**
 * Scrolls the parts of a copy to where those of the original are; both have the same elements in the same order.
 * @param {HTMLElement} original
 * @param {HTMLElement} copy
 */
function keepScroll(original, copy) {
  const copies = copy.querySelectorAll("*");
  let at = 0;
  for (const element of original.querySelectorAll("*")) {
    if (copy.contains(element)) break;
    const twin = copies[at++];
    if (twin && element.scrollTop) twin.scrollTop = element.scrollTop;
  }
}
