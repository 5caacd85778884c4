// @ts-check
/** The panes and what stands around them, put together; what a user does there is told to `actions`. */

import { h } from "../../../browser/js/elements.js";
import { listenToKeys } from "../../../browser/js/keyboard.js";
import { Graph } from "../graph/graph.js";
import { Inspector } from "../inspector/inspector.js";
import { guessHeight } from "../list/row_view.js";
import { VirtualList } from "../list/virtual_list.js";
import { CursorBar } from "./cursor_bar.js";
import { Dividers } from "./dividers.js";
import { LastPicture } from "./last_picture.js";
import { Layout } from "./layout.js";
import { Listing } from "./listing.js";
import { Speech } from "./speech.js";
import { StatusLine } from "./status.js";

/** @import { Context } from "../inspector/types.d.ts" */
/** @import { Row } from "../rows/types.d.ts" */
/** @import { Cursor } from "../state/cursor.js" */

/**
 * @typedef {object} Actions
 * @property {(row: Row) => HTMLElement} draw draws a row
 * @property {(row: Row) => string} stamp says when to draw it again
 * @property {() => Context} context what the inspector looks at
 * @property {() => void} onScroll
 * @property {(filter: string, choice: string) => void} onFilter what a filter can be set to was clicked
 * @property {(seq: number, inResult: boolean) => void} onRow a row was clicked, maybe on a tool's result in it
 * @property {(tab: string) => void} onTab
 * @property {() => void} onClear all events are wanted
 * @property {() => void} onRetry a connection is wanted now
 * @property {() => void} onWaiting what waits for the user is wanted
 * @property {(by: 1 | -1) => void} step
 * @property {(end: boolean) => void} toEdge
 * @property {() => unknown} openRow
 * @property {() => boolean} escape
 * @property {() => Cursor} cursor
 */

const CONTROLS = "a, button, input, textarea, label";

export class Panes {
  speech = new Speech();
  lastPicture = new LastPicture();
  #letKeysGo;

  /**
   * @param {ParentNode} parent
   * @param {Actions} actions
   */
  constructor(parent, actions) {
    const { draw, stamp, onScroll, context, onTab, onWaiting, onClear, onRetry } = actions;
    this.graph = new Graph(actions.onFilter);
    this.list = new VirtualList({ label: "Events", guess: guessHeight, draw, stamp, onScroll });
    this.inspector = new Inspector({ context, onTab, onClose: () => this.layout.showPane("events") });
    this.status = new StatusLine({ onWaiting, onUsage: () => this.#showUsage() });
    this.listing = new Listing({ status: this.status.element, list: this.list, onClear, onRetry });
    const panes = h("div.panes", {}, this.graph.element, this.listing.element, this.inspector.element);
    const { cursor } = actions;
    this.cursorBar = new CursorBar({
      onMove: (event) => cursor().toEvent(event),
      onPlay: () => cursor().toggle(),
      onSpeed: (speed) => cursor().setSpeed(speed),
      onLive: () => cursor().toLive(),
    });
    this.layout = new Layout(panes, [this.cursorBar.element, this.speech.element], () => this.list.paint());
    parent.append(this.layout.element);
    this.dividers = new Dividers(panes, () => this.list.paint());
    const { step, toEdge, openRow: open, escape } = actions;
    this.#letKeysGo = listenToKeys(this.layout.element, this.list.element, {
      ...{ step, toEdge, open, escape },
      move: (by) => cursor().step(by),
      turn: (by) => cursor().turn(by),
      play: () => cursor().toggle(),
    });
    this.list.element.addEventListener("click", ({ target }) => {
      const seq = clickedRow(target);
      if (seq !== null) actions.onRow(seq, target instanceof Element && target.closest("[data-call]") !== null);
    });
  }

  close() {
    this.lastPicture.remove();
    this.#letKeysGo();
    this.list.close();
    this.inspector.close();
    this.status.stop();
    this.cursorBar.stop();
    this.speech.stop();
    this.layout.close();
  }

  #showUsage() {
    this.layout.showPane("inspector");
    this.inspector.choose("usage");
  }
}

/**
 * `seq` of the entry whose row was clicked: not a control in it, and not to mark text.
 * @param {EventTarget | null} target
 */
function clickedRow(target) {
  if (!(target instanceof Element) || target.closest(CONTROLS) || String(document.getSelection() ?? "")) return null;
  const row = target.closest(".row[data-key]");
  const seq = row instanceof HTMLElement ? Number(row.dataset.key) : NaN;
  return Number.isInteger(seq) ? seq : null;
}
