// @ts-check
/** The rows of the compact list as they come from the server, through a socket that reconnects. */

import { socketBase } from "../../../browser/js/addresses.js";
import { openSocket } from "../../../browser/js/socket.js";

/** @import { Frame, Query } from "../types.d.ts" */

/**
 * Opens the feed of a query and keeps it open until the returned function is called.
 * @param {Query} query
 * @param {object} options
 * @param {(frame: Frame) => void} options.onFrame
 * @param {(failures: number) => void} options.onLost told at each connection that ends, with the number since the last list
 */
export function openFeed({ pipeline, words, limit }, { onFrame, onLost }) {
  const asked = new URLSearchParams({ pipeline, words, limit: String(limit) });
  return openSocket({ address: () => `${socketBase()}api/sessions?${asked}`, onFrame: take, onLost }).close;

  /** @param {Frame} frame */
  function take(frame) {
    onFrame(frame);
    return frame.type !== "error";
  }
}
