// @ts-check
/** What Streamlit calls: on mount, and again whenever the values or the theme change. One list per place, kept alive. */

import { CollectionList } from "./collection_list.js";

/** @import { Api, Data } from "./types.d.ts" */

/** @typedef {{ list: CollectionList; calls: number }} Mounted */

/** Streamlit also cleans up after a call that a newer one overtakes: so many milliseconds tell whether one does. */
const GRACE = 50;
/** @type {WeakMap<ParentNode, Mounted>} */
const lists = new WeakMap();

/** @param {{ parentElement: ParentNode; data: Data } & Api} component */
export default function collectionList({ parentElement, data, setTriggerValue }) {
  const held = lists.get(parentElement) ?? { list: new CollectionList(parentElement), calls: 0 };
  lists.set(parentElement, held);
  const call = ++held.calls;
  held.list.update(data, { setTriggerValue });
  return () => {
    setTimeout(() => {
      if (call !== held.calls) return;
      lists.delete(parentElement);
      held.list.close();
    }, GRACE);
  };
}
