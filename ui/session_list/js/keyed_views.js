// @ts-check
/** Elements of a list by key, in the list's order: what is there already stays the same element. */

/**
 * @template {{ element: Element }} View
 */
export class KeyedViews {
  /** @type {Map<string, View>} */
  #views = new Map();
  #parent;
  #create;

  /**
   * @param {Element} parent which holds nothing else
   * @param {() => View} create
   */
  constructor(parent, create) {
    this.#parent = parent;
    this.#create = create;
  }

  /** @param {string} key */
  get(key) {
    return this.#views.get(key);
  }

  /**
   * Draws a view for each key; views of other keys go.
   * @param {string[]} keys in their order, each once
   * @param {(view: View, index: number) => void} update
   */
  draw(keys, update) {
    const wanted = new Set(keys);
    for (const [key, { element }] of this.#views) {
      if (wanted.has(key)) continue;
      element.remove();
      this.#views.delete(key);
    }
    keys.forEach((key, index) => {
      const view = this.#views.get(key) ?? this.#create();
      this.#views.set(key, view);
      update(view, index);
      const { children } = this.#parent;
      if (children[index] !== view.element) this.#parent.insertBefore(view.element, children[index]);
    });
  }
}
