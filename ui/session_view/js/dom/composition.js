// @ts-check
/** Input methods, e.g. for Chinese and Japanese: the Enter that accepts a word is theirs, and sends nothing. */

/** What an input method takes itself has this code in every browser. */
const TAKEN = 229;

/**
 * Whether an Enter ends a composition. Safari ends it before the key arrives, so that `isComposing` is false by then.
 * @param {KeyboardEvent} event
 */
export function endsComposition({ key, keyCode, isComposing }) {
  return key === "Enter" && (isComposing || keyCode === TAKEN);
}

/**
 * Keeps such an Enter from all who listen on the page, Streamlit's own inputs among them.
 * @param {EventTarget} page where events arrive first
 */
export function guardCompositions(page) {
  page.addEventListener?.("keydown", (event) => {
    if (endsComposition(/** @type {KeyboardEvent} */ (event))) event.stopImmediatePropagation();
  }, true);
}
