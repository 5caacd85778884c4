// @ts-check
/** The keys of the list while a row has the focus: they move along the rows. Enter is the browser's, which follows the link. */

const LETTER = /^[\p{L}\p{N}]$/u;

/**
 * @typedef {object} Actions
 * @property {(by: number) => void} step
 * @property {(end: boolean) => void} toEdge
 * @property {() => void} space
 * @property {(letter: string) => boolean} letter answers whether it took it
 */

/**
 * Listens until the returned function is called. At the window, because other parts of the page take letters from the
 * document, whatever has the focus.
 * @param {Element} list
 * @param {Actions} actions
 */
export function listenToKeys(list, { step, toEdge, space, letter }) {
  /** @type {Map<string, () => void>} */
  const keys = new Map([
    ["ArrowDown", () => step(1)],
    ["ArrowUp", () => step(-1)],
    ["PageDown", () => step(10)],
    ["PageUp", () => step(-10)],
    ["Home", () => toEdge(false)],
    ["End", () => toEdge(true)],
    [" ", space],
  ]);

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const target = event.composedPath()[0];
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!(target instanceof Node) || !list.contains(target)) return;
    const act = keys.get(event.key);
    if (act) act();
    else if (!LETTER.test(event.key) || !letter(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  addEventListener("keydown", onKey, true);
  return () => removeEventListener("keydown", onKey, true);
}
