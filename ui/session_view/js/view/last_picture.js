// @ts-check
/** Keeps a picture of the session that was shown until the next one is drawn: nobody looks at empty panes. */

/** Milliseconds after which the panes are shown as they are. */
const LONGEST = 1000;

export class Curtain {
  /** @type {HTMLElement | null} */
  #picture = null;
  /** @type {number | undefined} */
  #timer;

  /**
   * Puts a picture of an element over it.
   * @param {HTMLElement} element
   */
  draw(element) {
    this.lift();
    const picture = /** @type {HTMLElement} */ (element.cloneNode(true));
    picture.inert = true;
    picture.setAttribute("aria-hidden", "true");
    picture.classList.add("curtain");
    for (const marked of picture.querySelectorAll("[id]")) marked.removeAttribute("id");
    element.append(picture);
    keepScroll(element, picture);
    this.#picture = picture;
    this.#timer = setTimeout(() => this.lift(), LONGEST);
  }

  /** Takes the picture away. */
  lift() {
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
