// @ts-check
/** The keys of the list while it has the focus. They move a cursor; only Enter and Space open. */

const LETTER = /^[\p{L}\p{N}]$/u;

/**
 * @typedef {object} Actions
 * @property {(by: number) => void} step
 * @property {(end: boolean) => void} toEdge
 * @property {() => void} open
 * @property {(letter: string) => void} type
 */

/**
 * Listens until the returned function is called. At the window, because other parts of the page take letters from the
 * document, whatever has the focus.
 * @param {Element} list
 * @param {Actions} actions
 */
export function listenToKeys(list, { step, toEdge, open, type }) {
  /** @type {Map<string, () => void>} */
  const keys = new Map([
    ["ArrowDown", () => step(1)],
    ["ArrowUp", () => step(-1)],
    ["PageDown", () => step(10)],
    ["PageUp", () => step(-10)],
    ["Home", () => toEdge(false)],
    ["End", () => toEdge(true)],
    ["Enter", open],
    [" ", open],
  ]);

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.composedPath()[0] !== list || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const act = keys.get(event.key);
    if (act) act();
    else if (LETTER.test(event.key)) type(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  addEventListener("keydown", onKey, true);
  return () => removeEventListener("keydown", onKey, true);
}
