// @ts-check
/** What Streamlit calls: on mount, and again whenever the values or the theme change. One view per place, kept alive. */

import { listenToWhatIf, offerWhatIf } from "./forks/what_if.js";
import { ViewAddress } from "./page/view_address.js";
import { SessionView } from "./view/view.js";

/** @import { Api, Props } from "./view/types.d.ts" */

/**
 * Python's values: the tree, the lesson and the words of the empty state stand in lists.
 * @typedef {[NonNullable<Props["tree"]>] | null} Tree
 * @typedef {[NonNullable<Props["lesson"]>] | null} Lesson
 * @typedef {Omit<Props, "tree" | "lesson" | "empty"> & { tree: Tree; lesson: Lesson; empty: [string, string] }} Data
 */
/** @typedef {{ view: SessionView; calls: number; tell: Api["setTriggerValue"]; letGo: () => void }} Mounted */

/** Streamlit also cleans up after a call that a newer one overtakes: so many milliseconds tell whether one does. */
const GRACE = 50;
/** @type {WeakMap<ParentNode, Mounted>} */
const views = new WeakMap();
const address = new ViewAddress();

/** @param {{ parentElement: ParentNode; data: Data } & Api} component */
export default function sessionView({ parentElement, data, setTriggerValue }) {
  const held = views.get(parentElement) ?? mounted(parentElement);
  views.set(parentElement, held);
  const call = ++held.calls;
  held.tell = setTriggerValue;
  held.view.update(unpacked(data), { setTriggerValue });
  offerWhatIf(parentElement, Boolean(data.forkable));
  return () => {
    setTimeout(() => {
      if (call !== held.calls) return;
      views.delete(parentElement);
      held.letGo();
      held.view.close();
    }, GRACE);
  };
}

/**
 * A view that tells the page what the user asks.
 * @param {ParentNode} parent
 * @returns {Mounted}
 */
function mounted(parent) {
  /** @type {Mounted} */
  const held = { view: new SessionView(parent, address), calls: 0, tell: undefined, letGo: () => {} };
  held.letGo = listenToWhatIf(parent, (asked) => held.tell?.("what_if", asked));
  return held;
}

/**
 * @param {Data} data
 * @returns {Props}
 */
function unpacked({ tree, empty: [title, text], lesson, ...rest }) {
  return { ...rest, tree: tree?.[0] ?? null, empty: { title, text }, lesson: lesson?.[0] ?? null };
}
