import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { openFeed } from "../../../../ui/session_view/js/page/feed.js";

let sockets;
let listeners;

class FakeSocket {
  constructor(url) {
    this.url = new URL(url);
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
  globalThis.window = {
    addEventListener: (name, act) => listeners.set(name, act),
    removeEventListener: (name) => listeners.delete(name),
  };
  globalThis.document = { querySelector: () => null, location: { protocol: "http:", host: "here:1" } };
  globalThis.HTMLScriptElement = class {};
});

function opened() {
  const seen = { frames: [], states: [], last: 0 };
  const feed = openFeed({
    pipeline: "p",
    session: "s",
    after: () => seen.last,
    onMessage: (frame) => seen.frames.push(frame.type),
    onState: (state) => seen.states.push(state),
  });
  return { feed, seen };
}

test("a feed asks for what comes after the last entry, and tells what comes", () => {
  const { seen } = opened();
  assert.equal(sockets[0].url.href, "ws://here:1/api/log?pipeline=p&session=s&after=0");
  sockets[0].say({ type: "hello" });
  sockets[0].say({ type: "log", entries: [], more: false });
  assert.deepEqual(seen, { frames: ["hello", "log"], states: ["connecting", "open"], last: 0 });
});

test("a lost connection is tried again where it left off, later and later, until it greets", () => {
  const { seen } = opened();
  seen.last = 7;
  const wait = (ms, count) => {
    sockets.at(-1).onclose();
    mock.timers.tick(ms - 1);
    assert.equal(sockets.length, count);
    mock.timers.tick(1);
    assert.equal(sockets.length, count + 1);
  };
  [250, 500, 1000, 2000, 4000, 5000, 5000].forEach((ms, i) => wait(ms, i + 1));
  assert.equal(sockets.at(-1).url.searchParams.get("after"), "7");
  assert.equal(seen.states.at(-1), "lost");
  sockets.at(-1).say({ type: "hello" });
  assert.equal(seen.states.at(-1), "open");
  sockets.at(-1).onclose();
  mock.timers.tick(250);
  assert.equal(sockets.length, 9, "the waits begin anew");
});

test("a wish to connect and a network that is back do not wait", () => {
  const { feed } = opened();
  sockets[0].onclose();
  feed.retryNow();
  assert.equal(sockets.length, 2);
  feed.retryNow();
  assert.equal(sockets.length, 2, "it is connecting");
  sockets[1].onclose();
  listeners.get("online")();
  assert.equal(sockets.length, 3);
});

test("what is final ends the feed; an error that may pass does not", () => {
  const passing = opened();
  sockets[0].say({ type: "error", message: "later", retry: true });
  assert.ok(!sockets[0].closed);
  sockets[0].say({ type: "gone", message: "deleted" });
  assert.ok(sockets[0].closed);
  assert.deepEqual(passing.seen.frames, ["error", "gone"]);
  sockets[0].onclose();
  mock.timers.tick(10000);
  assert.equal(sockets.length, 1);
  assert.equal(listeners.size, 0);
});

test("nothing is heard of a socket that was replaced or closed", () => {
  const { feed, seen } = opened();
  sockets[0].onclose();
  feed.retryNow();
  sockets[0].say({ type: "log", entries: [], more: false });
  feed.close();
  sockets[1].say({ type: "log", entries: [], more: false });
  assert.deepEqual(seen.frames, []);
});
