// @ts-check
/** The socket to the list of sessions: connects, reconnects, and tells what comes. */

import { appBase } from "../../session_view/js/page/streamlit_page.js";

/** @import { Frame } from "./types.d.ts" */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 15000;

/**
 * Opens the feed and keeps it open until the returned function is called. A page that nobody sees does not reconnect: each
 * try that fails is an error in the browser's console.
 * @param {object} options
 * @param {(frame: Frame) => void} options.onFrame
 * @param {(failures: number) => void} options.onLost told at each connection that ends, with the number since the last frame
 */
export function openFeed({ onFrame, onLost }) {
  /** @type {WebSocket | undefined} */
  let socket;
  /** @type {number | undefined} */
  let timer;
  let waits = false;
  let failures = 0;

  function connect() {
    clearTimeout(timer);
    waits = false;
    const mine = (socket = new WebSocket(listUrl()));
    mine.onmessage = ({ data }) => {
      if (mine !== socket) return;
      /** @type {Frame} */
      const frame = JSON.parse(data);
      if (frame.type !== "error") failures = 0;
      onFrame(frame);
    };
    mine.onclose = () => {
      if (mine !== socket) return;
      waits = true;
      failures += 1;
      onLost(failures);
      timer = setTimeout(() => retry(), Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1)));
    };
  }

  function retry() {
    if (waits && !document.hidden) connect();
  }

  document.addEventListener("visibilitychange", retry);
  addEventListener("online", retry);
  connect();
  return () => {
    const last = socket;
    socket = undefined;
    clearTimeout(timer);
    waits = false;
    document.removeEventListener("visibilitychange", retry);
    removeEventListener("online", retry);
    last?.close();
  };
}

function listUrl() {
  const { protocol, host } = document.location;
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}${appBase()}api/sessions`;
}
