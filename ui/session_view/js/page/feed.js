// @ts-check
/** A session's log as it comes from the server, through a socket that reconnects where it left off. */

import { logUrl } from "../../../browser/js/addresses.js";
import { openSocket } from "../../../browser/js/socket.js";

/** @import { Entry } from "../log/entries.d.ts" */
/** @import { AgentNode, Piece } from "../log/folds.d.ts" */
/** @import { Socket } from "../../../browser/js/socket.js" */

/**
 * A frame of the server; see `ui.web.routes.feed`.
 * @typedef {{ type: "hello"; session: { events: number }; tree: AgentNode | null }
 *   | { type: "tail"; entries: Entry[]; events: number }
 *   | { type: "log"; entries: Entry[]; more: boolean }
 *   | ({ type: "partial" } & Piece)
 *   | { type: "waiting"; message: string; queued: boolean }
 *   | { type: "lost"; invocation: string; message: string }
 *   | { type: "gone"; message: string }
 *   | { type: "error"; message: string; retry: boolean }} Frame
 * @typedef {"idle" | "connecting" | "open" | "lost"} Link
 */

/**
 * Opens the feed of one session and keeps it open.
 * @param {object} options
 * @param {string} options.pipeline
 * @param {string} options.session
 * @param {() => number} options.after the last `seq` received, asked at every connection
 * @param {(frame: Frame) => void} options.onMessage
 * @param {(link: Link) => void} options.onState
 * @returns {Socket}
 */
export function openFeed({ pipeline, session, after, onMessage, onState }) {
  const socket = openSocket({
    address: () => logUrl({ pipeline, session, after: after() }),
    onConnect: (failures) => onState(failures ? "lost" : "connecting"),
    onFrame: take,
    onLost: () => onState("lost"),
  });
  return socket;

  /** @param {Frame} frame */
  function take(frame) {
    if (frame.type === "hello") onState("open");
    if (frame.type === "gone" || (frame.type === "error" && !frame.retry)) socket.close();
    onMessage(frame);
    return frame.type === "hello";
  }
}
