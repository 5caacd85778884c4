/** Stand-ins for WebSocket, document and window, and what they were asked. */

import { mock } from "node:test";

export class FakeSocket {
  constructor(url) {
    this.url = new URL(url);
    page.sockets.push(this);
  }
  say(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }
  close() {
    this.closed = true;
  }
}

/** The page of the moment: its sockets in order, and its listeners by event name. */
export const page = { sockets: [], listeners: new Map() };

/** A new page, with timers that stand still. */
export function openPage() {
  page.sockets = [];
  page.listeners = new Map();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const listening = {
    addEventListener: (name, act) => page.listeners.set(name, act),
    removeEventListener: (name) => page.listeners.delete(name),
  };
  Object.assign(globalThis, listening, { WebSocket: FakeSocket, HTMLScriptElement: class {} });
  globalThis.document = {
    querySelector: () => null,
    hidden: false,
    location: { protocol: "http:", host: "here:1" },
    ...listening,
  };
}
