// @ts-check
/** Dragging agents: dropped on the upper or lower edge of a row they go beside its agent, on its middle below it. */

/** @import { Spot } from "../types.d.ts" */

/** @typedef {"before" | "inside" | "after"} Part */

/** The share of a row's height that is its edge. */
const EDGE = 0.28;

/**
 * @typedef {object} Actions
 * @property {(agent: string) => boolean} mayDrag
 * @property {(agent: string, target: string, part: Part) => Spot | null} spot
 * @property {(agent: string, spot: Spot) => void} move
 */

/**
 * @param {HTMLElement} tree
 * @param {Actions} actions
 */
export function listenToDrags(tree, { mayDrag, spot, move }) {
  let dragged = "";

  tree.addEventListener("dragstart", (event) => {
    dragged = nameOf(event.target);
    if (!dragged || !mayDrag(dragged)) return event.preventDefault();
    event.dataTransfer?.setData("text/plain", dragged);
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
  });
  tree.addEventListener("dragover", (event) => {
    unmark(tree);
    const row = rowOf(event.target), part = row ? partOf(row, event.clientY) : "inside";
    if (!row || !dragged || !spot(dragged, nameOf(row), part)) return;
    event.preventDefault();
    row.dataset.drop = part;
  });
  tree.addEventListener("dragleave", () => unmark(tree));
  tree.addEventListener("dragend", () => (dragged = "", unmark(tree)));
  tree.addEventListener("drop", (event) => {
    const row = rowOf(event.target), agent = dragged;
    dragged = "";
    unmark(tree);
    const place = row && agent ? spot(agent, nameOf(row), partOf(row, event.clientY)) : null;
    if (!place) return;
    event.preventDefault();
    move(agent, place);
  });
}

/**
 * @param {HTMLElement} row
 * @param {number} y
 * @returns {Part}
 */
function partOf(row, y) {
  const { top, height } = row.getBoundingClientRect();
  const share = (y - top) / height;
  return share < EDGE ? "before" : share > 1 - EDGE ? "after" : "inside";
}

/** @param {HTMLElement} tree */
function unmark(tree) {
  for (const row of tree.querySelectorAll("[data-drop]")) row.removeAttribute("data-drop");
}

/** @param {EventTarget | null} target */
function rowOf(target) {
  const row = target instanceof Element ? target.closest("[role=treeitem]") : null;
  return row instanceof HTMLElement ? row : null;
}

/** @param {EventTarget | null} target */
function nameOf(target) {
  return rowOf(target)?.dataset.agent ?? "";
}
