import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { writeJson } from "../../../../ui/browser/js/json.js";
import { openSocket } from "../../../../ui/browser/js/socket.js";
import { openPage, page } from "../../js/fake_sockets.mjs";

beforeEach(openPage);

function opened() {
  const seen = { frames: [], tries: [], lost: [] };
  const socket = openSocket({
    address: () => `ws://here:1/api?try=${seen.tries.length}`,
    onFrame: ({ type }) => seen.frames.push(type) && type === "good",
    onConnect: (failures) => seen.tries.push(failures),
    onLost: (failures) => seen.lost.push(failures),
  });
  return { socket, seen };
}

test("it connects at once, and tells what comes", () => {
  const { seen } = opened();
  page.sockets[0].say({ type: "good" });
  assert.deepEqual(seen, { frames: ["good"], tries: [0], lost: [] });
});

test("a lost connection is tried again, later and later, until a good frame comes", () => {
  const { seen } = opened();
  [250, 500, 1000, 2000, 4000, 8000, 10000, 10000].forEach((ms, tries) => {
    page.sockets.at(-1).onclose();
    mock.timers.tick(ms - 1);
    assert.equal(page.sockets.length, tries + 1);
    mock.timers.tick(1);
    assert.equal(page.sockets.length, tries + 2);
  });
  assert.deepEqual(seen.tries, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(page.sockets.at(-1).url.search, "?try=9", "the URL is asked for at each try");
  page.sockets.at(-1).say({ type: "bad" });
  page.sockets.at(-1).onclose();
  assert.equal(seen.lost.at(-1), 9, "a bad frame is no success");
  mock.timers.tick(10000);
  page.sockets.at(-1).say({ type: "good" });
  page.sockets.at(-1).onclose();
  assert.equal(seen.lost.at(-1), 1);
});

test("a page out of sight does not try; it does once it is seen", () => {
  opened();
  document.hidden = true;
  page.sockets[0].onclose();
  mock.timers.tick(60_000);
  page.listeners.get("online")();
  assert.equal(page.sockets.length, 1);
  document.hidden = false;
  page.listeners.get("visibilitychange")();
  assert.equal(page.sockets.length, 2);
  page.listeners.get("visibilitychange")();
  assert.equal(page.sockets.length, 2, "it is connecting");
});

test("a wish to connect and a network that is back do not wait", () => {
  const { socket } = opened();
  page.sockets[0].onclose();
  socket.retryNow();
  assert.equal(page.sockets.length, 2);
  socket.retryNow();
  assert.equal(page.sockets.length, 2, "it is connecting");
  page.sockets[1].onclose();
  page.listeners.get("online")();
  assert.equal(page.sockets.length, 3);
  mock.timers.tick(60_000);
  assert.equal(page.sockets.length, 3);
});

test("nothing is heard of a socket that was replaced or closed, and nothing tried", () => {
  const { socket, seen } = opened();
  page.sockets[0].onclose();
  socket.retryNow();
  page.sockets[0].say({ type: "good" });
  socket.close();
  assert.ok(page.sockets[1].closed);
  page.sockets[1].say({ type: "good" });
  page.sockets[1].onclose();
  mock.timers.tick(60_000);
  socket.retryNow();
  assert.deepEqual([page.sockets.length, page.listeners.size, seen.frames], [2, 0, []]);
});

test("numbers in a frame keep every digit", () => {
  const frames = [];
  openSocket({ address: () => "ws://here:1/api", onFrame: (frame) => frames.push(frame), onConnect() {}, onLost() {} });
  page.sockets[0].onmessage({ data: '{"args":{"account":1234567890123456789,"amount":5.0}}' });
  assert.deepEqual(frames.map((frame) => writeJson(frame)), ['{"args":{"account":1234567890123456789,"amount":5.0}}']);
});
