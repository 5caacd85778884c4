// @ts-check
/** A component as Streamlit calls it: on mount, and again whenever its values or the theme change. */

/** Streamlit also cleans up after a call that a newer one overtakes: so many milliseconds tell whether one does. */
const GRACE = 50;

/**
 * What a component hands to Streamlit. One is made for each place, with the first data, and kept alive until a clean-up that
 * no call follows.
 * @template Data
 * @template Api
 * @param {(parent: ParentNode, data: Data) => { update: (data: Data, api: Api) => void; close: () => void }} create
 */
export function mounted(create) {
  /** @type {WeakMap<ParentNode, { component: ReturnType<typeof create>; calls: number }>} */
  const places = new WeakMap();
  return (/** @type {{ parentElement: ParentNode; data: Data } & Api} */ { parentElement, data, ...api }) => {
    const held = places.get(parentElement) ?? { component: create(parentElement, data), calls: 0 };
    places.set(parentElement, held);
    const call = ++held.calls;
    held.component.update(data, /** @type {Api} */ (/** @type {unknown} */ (api)));
    return () => {
      setTimeout(() => {
        if (call !== held.calls) return;
        places.delete(parentElement);
        held.component.close();
      }, GRACE);
    };
  };
}
