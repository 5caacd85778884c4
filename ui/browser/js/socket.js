// @ts-check
/** A WebSocket that is opened again when it is lost: soon, then less and less often, and not in a page out of sight. */

import { parseJson } from "./json.js";

/** @typedef {{ close: () => void; retryNow: () => void; send: (text: string) => void }} Socket */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 10000;

/**
 * Opens a socket and keeps it open. A page out of sight does not reconnect until it is seen again, because each failed
 * try is an error in the browser's console.
 * @template Frame
 * @param {object} options
 * @param {() => string} options.address asked at every connection
 * @param {(frame: Frame) => boolean} options.onFrame whether the frame shows that the connection works, so that the waits
 *   begin anew
 * @param {(failures: number) => void} [options.onConnect] told at every try, with the failures before it
 * @param {(failures: number) => void} options.onLost told at each connection that ends, with the failures in a row
 * @returns {Socket}
 */
export function openSocket({ address, onFrame, onConnect, onLost }) {
  /** @type {WebSocket | undefined} */
  let socket;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let waits = false;
  let failures = 0;

  function connect() {
    clearTimeout(timer);
    waits = false;
    onConnect?.(failures);
    const mine = (socket = new WebSocket(address()));
    mine.onmessage = ({ data }) => {
      if (mine === socket && onFrame(parseJson(data, true))) failures = 0;
    };
    mine.onclose = () => {
      if (mine !== socket) return;
      waits = true;
      failures += 1;
      onLost(failures);
      timer = setTimeout(retry, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1)));
    };
  }

  function retry() {
    if (!document.hidden) retryNow();
  }

  function retryNow() {
    if (waits) connect();
  }

  function close() {
    const last = socket;
    socket = undefined;
    waits = false;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", retry);
    removeEventListener("online", retry);
    last?.close();
  }

  /** Sends a text, if the connection is open. @param {string} text */
  function send(text) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(text);
  }

  document.addEventListener("visibilitychange", retry);
  addEventListener("online", retry);
  connect();
  return { close, retryNow, send };
}
