import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { openFeed } from "../../../ui/session_list/js/feed.js";

let sockets;
let listeners;

class FakeSocket {
  constructor(url) {
    this.url = url;
    sockets.push(this);
  }
  say(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }
  close() {
    this.closed = true;
  }
}

beforeEach(() => {
  sockets = [];
  listeners = new Map();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.WebSocket = FakeSocket;
  globalThis.HTMLScriptElement = class {};
  const listening = {
    addEventListener: (name, act) => listeners.set(name, act),
    removeEventListener: (name) => listeners.delete(name),
  };
  Object.assign(globalThis, listening);
  const location = { protocol: "http:", host: "here:1", origin: "http://here:1" };
  globalThis.document = { querySelector: () => null, hidden: false, location, ...listening };
});

function opened() {
  const seen = { frames: [], lost: [] };
  const close = openFeed({
    onFrame: (frame) => seen.frames.push(frame.type),
    onLost: (failures) => seen.lost.push(failures),
  });
  return { close, seen };
}

test("it connects at once, and tells what comes", () => {
  const { seen } = opened();
  assert.equal(sockets[0].url, "ws://here:1/api/sessions");
  sockets[0].say({ type: "list", rows: [] });
  assert.deepEqual(seen, { frames: ["list"], lost: [] });
});

test("a lost connection is tried again, later and later, until a list comes", () => {
  const { seen } = opened();
  [250, 500, 1000, 2000, 4000, 8000, 15000, 15000].forEach((ms, tries) => {
    sockets.at(-1).onclose();
    mock.timers.tick(ms - 1);
    assert.equal(sockets.length, tries + 1);
    mock.timers.tick(1);
    assert.equal(sockets.length, tries + 2);
  });
  sockets.at(-1).say({ type: "error", message: "locked" });
  sockets.at(-1).onclose();
  assert.equal(seen.lost.at(-1), 9, "an error is no success");
  mock.timers.tick(15000);
  sockets.at(-1).say({ type: "list", rows: [] });
  sockets.at(-1).onclose();
  assert.equal(seen.lost.at(-1), 1);
});

test("a page that nobody sees does not try; it does once it is seen", () => {
  opened();
  document.hidden = true;
  sockets[0].onclose();
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 1);
  document.hidden = false;
  listeners.get("visibilitychange")();
  assert.equal(sockets.length, 2);
  listeners.get("visibilitychange")();
  assert.equal(sockets.length, 2, "it is connecting");
});

test("a network that is back does not wait", () => {
  opened();
  sockets[0].onclose();
  listeners.get("online")();
  assert.equal(sockets.length, 2);
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 2);
});

test("once closed, nothing is heard, tried or listened to", () => {
  const { close, seen } = opened();
  sockets[0].onclose();
  mock.timers.tick(250);
  close();
  assert.ok(sockets[1].closed);
  sockets[1].say({ type: "list", rows: [] });
  sockets[1].onclose();
  mock.timers.tick(60_000);
  assert.deepEqual([sockets.length, listeners.size, seen.frames], [2, 0, []]);
});
