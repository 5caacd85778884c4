// @ts-check
/** The list of sessions as it comes from the server, through a socket that reconnects. */

import { socketBase } from "../../session_view/js/page/addresses.js";
import { openSocket } from "../../session_view/js/page/socket.js";

/** @import { Frame } from "./types.d.ts" */

/**
 * Opens the feed and keeps it open until the returned function is called.
 * @param {object} options
 * @param {(frame: Frame) => void} options.onFrame
 * @param {(failures: number) => void} options.onLost told at each connection that ends, with the number since the last list
 */
export function openFeed({ onFrame, onLost }) {
  return openSocket({ address: () => `${socketBase()}api/sessions`, onFrame: take, onLost }).close;

  /** @param {Frame} frame */
  function take(frame) {
    onFrame(frame);
    return frame.type !== "error";
  }
}
