// @ts-check
/** Icons and agent marks, drawn as SVG. */

import { SHAPES } from "../log/agent_tree.js";

/** @import { Mark } from "../log/folds.d.ts" */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const MARKS = {
  circle: "M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 1 1 0-11.6z",
  diamond: "M8 1.2L14.8 8L8 14.8L1.2 8z",
  up: "M8 1.8L15 13.8H1z",
  square: "M2.6 2.6h10.8v10.8H2.6z",
  down: "M8 14.2L1 2.2h14z",
  hexagon: "M4.4 1.9h7.2L15.2 8l-3.6 6.1H4.4L.8 8z",
  star: "M8 .8l2.1 4.8 5.2.5-3.9 3.4 1.2 5.1L8 11.9l-4.6 2.7 1.2-5.1L.7 6.1l5.2-.5z",
  pentagon: "M8 1.2l7 5.2-2.7 8H3.7l-2.7-8z",
  cross: "M5.6 1.6h4.8v4h4v4.8h-4v4H5.6v-4h-4V5.6h4z",
  person: "M8 1.4a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 1 1 0-6.4zM1.8 14.6c.3-3.6 2.9-5.4 6.2-5.4s5.9 1.8 6.2 5.4z",
};

/** @type {Record<string, string[]>} */
const ICONS = {
  SequentialAgent: ["M8 1.5v11", "M4.6 9.4L8 12.9l3.4-3.5"],
  LoopAgent: ["M13.2 8a5.2 5.2 0 1 1-1.6-3.8", "M13.6 1.6v3.2h-3.2"],
  ParallelAgent: ["M3.2 2v12", "M8 2v12", "M12.8 2v12"],
  RoutedAgent: ["M2 8h4.4", "M6.4 8L13 3.2", "M6.4 8L13 12.8", "M9.8 2.8l3.4.3-.7 3.3", "M9.8 13.2l3.4-.3-.7-3.3"],
  Workflow: ["M1.8 5.6h4v4.8h-4z", "M10.2 1.8h4v4.4h-4z", "M10.2 9.8h4v4.4h-4z", "M5.8 7.2l4.4-3", "M5.8 8.8l4.4 3"],
  tool: ["M9.8 2.4a3.6 3.6 0 0 0-4 4.9L1.9 11.2l2.9 2.9 3.9-3.9a3.6 3.6 0 0 0 4.9-4l-2.3 2.2-2.4-.6-.6-2.4z"],
  answer: ["M6.2 3L2.4 6.8l3.8 3.8", "M2.6 6.8h7a3.6 3.6 0 0 1 3.6 3.6v2.4"],
  check: ["M2.6 8.6l3.4 3.6 7.4-8.2"],
  cross_out: ["M3.4 3.4l9.2 9.2", "M12.6 3.4l-9.2 9.2"],
  stop: ["M3.5 3.5h9v9h-9z"],
  bolt: ["M9 1.6L3.4 9h4.2L7 14.4 12.6 7H8.4z"],
  exit: ["M6.4 2.6H3v10.8h3.4", "M7 8h6.4", "M10.6 5.2L13.4 8l-2.8 2.8"],
  alert: ["M8 1.8L15 14H1z", "M8 6.2v3.6", "M8 11.7v.3"],
  thought: [
    "M8 2.4c3.6 0 6.2 2 6.2 4.6S11.6 11.6 8 11.6c-.7 0-1.4-.1-2-.2L3 13.4l.6-3C2.5 9.5 1.8 8.3 1.8 7c0-2.6 2.6-4.6 6.2-4.6z",
  ],
  chevron: ["M6 3.6l4.4 4.4L6 12.4"],
  choice: ["M8 1.8L14.2 8 8 14.2 1.8 8z"],
  handover: ["M2 8h9", "M7.8 4.6L11.2 8l-3.4 3.4", "M14 3v10"],
  play: ["M4.5 2.6l8 5.4-8 5.4z"],
  pause: ["M5.2 3v10", "M10.8 3v10"],
  injected: ["M6 1.8h4", "M6.8 1.8v4.4L3 13.4h10L9.2 6.2V1.8", "M5 10.2h6"],
  file: ["M3.8 1.6h5.4l3 3v9.8H3.8z", "M9 1.8v3h3"],
  setting: ["M2 5h6.4", "M12 5h2", "M10.2 3.2v3.6", "M2 11h2", "M7.6 11H14", "M5.8 9.2v3.6"],
  book: ["M8 3.6C6.6 2.6 4.6 2.2 2 2.4v10.2c2.6-.2 4.6.2 6 1.2 1.4-1 3.4-1.4 6-1.2V2.4c-2.6-.2-4.6.2-6 1.2z", "M8 3.6v10.2"],
  again: ["M12.6 9.4A4.8 4.8 0 1 1 11.4 4.6L13.2 6.4", "M13.4 3v3.5H9.9"],
  load: ["M8 2v7.6", "M4.8 6.6L8 9.8l3.2-3.2", "M2.6 11.4v2.2h10.8v-2.2"],
  thumb_up: ["M5 7v6.6H2.2V7z", "M5 7l2.6-5c1.4 0 2 .9 1.8 2.2L9 6.4h3.6c.9 0 1.5.8 1.3 1.7l-1 4.3c-.2.7-.8 1.2-1.5 1.2H5"],
  thumb_down: [
    "M5 9V2.4H2.2V9z",
    "M5 9l2.6 5c1.4 0 2-.9 1.8-2.2L9 9.6h3.6c.9 0 1.5-.8 1.3-1.7l-1-4.3c-.2-.7-.8-1.2-1.5-1.2H5",
  ],
  terminal: ["M2 3h12v10H2z", "M4.4 6l2.2 2-2.2 2", "M8 10.4h3.4"],
  copy: ["M5.6 5.6h8v8h-8z", "M10.4 5.6V2.4h-8v8h3.2"],
};

/**
 * An agent's mark: its shape, coloured by the class of the element around it.
 * @param {Mark} mark
 * @param {string} className
 */
export function markIcon(mark, className = "mark") {
  if (ICONS[mark.shape]) return drawing(ICONS[mark.shape], `${className} lines`, false);
  return drawing([MARKS[mark.shape] ?? MARKS[SHAPES[0]]], `${className}${mark.hollow ? " lines" : ""}`, !mark.hollow);
}

/**
 * @param {string} name
 * @param {string} className
 */
export function icon(name, className = "icon") {
  return drawing(ICONS[name], `${className} lines`, false);
}

/**
 * @param {string[]} paths
 * @param {string} className
 * @param {boolean} filled
 */
function drawing(paths, className, filled) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  for (const d of paths) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    if (!filled) path.setAttribute("fill", "none");
    svg.append(path);
  }
  return svg;
}
