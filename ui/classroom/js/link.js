// @ts-check
/**
 * A page's connection to the class. What a learner does is kept until the server has answered it, and sent again after the
 * connection was lost: a vote is stored once, however often it comes. What a teacher asks for then is asked again by hand.
 */

import { openSocket } from "../../browser/js/socket.js";

/**
 * @typedef {{ type: string; number?: number; message?: string }} Answer
 * @typedef {Record<string, unknown>} Asked
 */

/** What may come twice. */
const AGAIN = new Set(["join", "vote", "add", "switch", "play"]);

/**
 * Connects a page.
 * @template View
 * @param {"phone" | "wall" | "desk"} view
 * @param {object} on
 * @param {(view: View) => void} on.view told whenever what is shown has changed
 * @param {(message: string) => void} on.notice told what was refused, and "" when something was done
 * @param {(lost: boolean) => void} on.lost
 */
export function connect(view, on) {
  /** @type {Map<number, string>} */
  const waiting = new Map();
  let last = Date.now();
  let ready = false;
  const socket = openSocket({
    address: () => new URL(`api/class?view=${view}`, location.href).href.replace(/^http/, "ws"),
    onFrame: (/** @type {Answer} */ frame) => {
      if (frame.type === "done" || frame.type === "refused") {
        waiting.delete(frame.number ?? -1);
        on.notice(frame.type === "done" ? "" : frame.message ?? "");
      } else if (frame.type === "error") {
        on.notice(frame.message ?? "");
        return false;
      } else {
        if (!ready) sendAgain();
        on.lost(false);
        on.view(/** @type {View} */ (frame));
      }
      return true;
    },
    onLost: () => {
      ready = false;
      on.lost(true);
    },
  });

  /** The server has said what it shows, so it listens. */
  function sendAgain() {
    ready = true;
    for (const text of waiting.values()) socket.send(text);
  }

  /**
   * Asks for an act; of votes only the last one is sent again.
   * @param {string} what
   * @param {Asked} [more]
   */
  function ask(what, more = {}) {
    const number = last = Math.max(last + 1, Date.now());
    const text = JSON.stringify({ do: what, number, ...more });
    if (what === "vote") {
      for (const [key, held] of waiting) if (held.startsWith('{"do":"vote"')) waiting.delete(key);
    }
    if (AGAIN.has(what)) waiting.set(number, text);
    if (ready) socket.send(text);
  }

  return { ask };
}
