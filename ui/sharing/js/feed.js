// @ts-check
/** The log of the page, told as the server's socket would tell it. Takes the place of the session view's feed. */

import { recorded } from "./recorded.js";

/** @import { Frame, Link } from "../../session_view/js/page/feed.js" */
/** @import { Socket } from "../../browser/js/socket.js" */

/**
 * @param {object} options
 * @param {() => number} options.after the last `seq` received
 * @param {(frame: Frame) => void} options.onMessage
 * @param {(link: Link) => void} options.onState
 * @returns {Socket}
 */
export function openFeed({ after, onMessage, onState }) {
  let closed = false;
  queueMicrotask(() => {
    if (closed) return;
    const { entries, tree } = recorded();
    const events = entries.filter(({ kind }) => kind === "event").length;
    onState("open");
    onMessage({ type: "hello", session: { events }, tree });
    onMessage({ type: "log", entries: entries.filter(({ seq }) => seq > after()), more: false });
  });
  return { close: () => void (closed = true), retryNow: () => {}, send: () => {} };
}
