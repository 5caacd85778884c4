// @ts-check
/** What Streamlit calls. */

import { listenToExamples, offerExamples } from "./cards/refusal.js";
import { listenToWhatIf, offerWhatIf } from "./forks/what_if.js";
import { mounted } from "../../browser/js/mount.js";
import { ViewAddress } from "./state/view_address.js";
import { SessionView } from "./view/view.js";

/** @import { Api, Props } from "./state/types.d.ts" */

/**
 * Python's values: the tree, the lesson and the words of the empty state stand in lists.
 * @typedef {[NonNullable<Props["tree"]>] | null} Tree
 * @typedef {[NonNullable<Props["lesson"]>] | null} Lesson
 * @typedef {Omit<Props, "tree" | "lesson" | "empty"> & { tree: Tree; lesson: Lesson; empty: [string, string] }} Data
 */
const address = new ViewAddress();
const draw = mounted(createView);

/** @param {{ parentElement: ParentNode; data: Data } & Api} call */
export default function sessionView(call) {
  return draw(call);
}

/**
 * A view that tells the page what the user asks.
 * @param {ParentNode} parent
 */
function createView(parent) {
  const view = new SessionView(parent, address);
  /** @type {Api["setTriggerValue"]} */
  let tell;
  const letGo = [
    listenToWhatIf(parent, (asked) => tell?.("what_if", asked)),
    listenToExamples(parent, (message) => tell?.("message", message)),
  ];
  return {
    update: (/** @type {Data} */ data, /** @type {Api} */ api) => {
      tell = api.setTriggerValue;
      view.update(unpacked(data), api);
      offerWhatIf(parent, Boolean(data.forkable));
      offerExamples(parent, Boolean(data.sendable));
    },
    close: () => {
      for (const stop of letGo) stop();
      view.close();
    },
  };
}

/**
 * @param {Data} data
 * @returns {Props}
 */
function unpacked({ tree, empty: [title, text], lesson, ...rest }) {
  return { ...rest, tree: tree?.[0] ?? null, empty: { title, text }, lesson: lesson?.[0] ?? null };
}
