// @ts-check
/** The socket to the session's log: connects, reconnects where it left off, and tells what comes. */

import { logUrl } from "./addresses.js";

/** @import { Entry } from "../log/entries.d.ts" */
/** @import { AgentNode, Piece } from "../log/folds.d.ts" */

/**
 * A frame of the server; see `ui.web.routes.feed`.
 * @typedef {{ type: "hello"; session: { events: number }; tree: AgentNode | null }
 *   | { type: "tail"; entries: Entry[]; events: number }
 *   | { type: "log"; entries: Entry[]; more: boolean }
 *   | ({ type: "partial" } & Piece)
 *   | { type: "waiting"; message: string }
 *   | { type: "lost"; invocation: string; message: string }
 *   | { type: "gone"; message: string }
 *   | { type: "error"; message: string; retry: boolean }} Frame
 * @typedef {"idle" | "connecting" | "open" | "lost"} Link
 * @typedef {{ close: () => void; retryNow: () => void }} Feed
 */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

/**
 * Opens the feed of one session and keeps it open.
 * @param {object} options
 * @param {string} options.pipeline
 * @param {string} options.session
 * @param {() => number} options.after the last `seq` received, asked at every connection
 * @param {(frame: Frame) => void} options.onMessage
 * @param {(link: Link) => void} options.onState
 * @returns {Feed}
 */
export function openFeed({ pipeline, session, after, onMessage, onState }) {
  /** @type {WebSocket | undefined} */
  let socket;
  /** @type {number | undefined} */
  let timer;
  let failures = 0;
  let closed = false;

  function connect() {
    timer = undefined;
    onState(failures ? "lost" : "connecting");
    const mine = (socket = new WebSocket(logUrl({ pipeline, session, after: after() })));
    mine.onmessage = ({ data }) => {
      if (mine === socket && !closed) receive(JSON.parse(data));
    };
    mine.onclose = () => {
      if (mine !== socket || closed) return;
      failures += 1;
      onState("lost");
      timer = setTimeout(connect, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1)));
    };
  }

  /** @param {Frame} frame */
  function receive(frame) {
    if (frame.type === "hello") {
      failures = 0;
      onState("open");
    }
    if (frame.type === "gone" || (frame.type === "error" && !frame.retry)) close();
    onMessage(frame);
  }

  function retryNow() {
    if (timer === undefined || closed) return;
    clearTimeout(timer);
    connect();
  }

  function close() {
    closed = true;
    clearTimeout(timer);
    window.removeEventListener("online", retryNow);
    socket?.close();
  }

  window.addEventListener("online", retryNow);
  connect();
  return { close, retryNow };
}
