import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { connect } from "../../../../ui/classroom/js/link.js";
import { openPage, page } from "../../js/fake_sockets.mjs";

beforeEach(() => {
  openPage();
  globalThis.location = new URL("http://here:1/playground/join");
});

function connected() {
  const seen = { views: [], notices: [], lost: [] };
  const link = connect("phone", {
    view: (view) => seen.views.push(view.type),
    notice: (text) => seen.notices.push(text),
    lost: (lost) => seen.lost.push(lost),
  });
  const sent = watched(page.sockets[0]);
  return { link, seen, sent, open: () => page.sockets[0].say({ type: "phone" }) };
}

/** What is sent over a socket from now on. */
function watched(socket) {
  const sent = [];
  WebSocket.OPEN = socket.readyState = 1;
  socket.send = (text) => sent.push(JSON.parse(text));
  return sent;
}

function reconnected() {
  page.sockets.at(-1).onclose();
  mock.timers.tick(250);
  const sent = watched(page.sockets.at(-1));
  assert.deepEqual(sent, [], "the server may not listen yet");
  page.sockets.at(-1).say({ type: "phone" });
  return sent;
}

test("it connects below the page's base path and tells what the class shows", () => {
  const { seen } = connected();
  assert.equal(page.sockets[0].url.href, "ws://here:1/playground/api/class?view=phone");
  page.sockets[0].say({ type: "phone" });
  assert.deepEqual([seen.views, seen.lost], [["phone"], [false]]);
});

test("what has no answer is sent again after the connection was lost, and only then", () => {
  const { link, seen, sent, open } = connected();
  open();
  link.ask("add", { text: "one" });
  link.ask("add", { text: "two" });
  page.sockets[0].say({ type: "done", number: sent[0].number });
  assert.deepEqual(reconnected().map(({ text }) => text), ["two"]);
  page.sockets.at(-1).say({ type: "refused", number: sent[1].number, message: "Too late." });
  assert.deepEqual(seen.notices, ["", "Too late."]);
  assert.deepEqual(reconnected(), []);
});

test("of votes only the last one is sent again", () => {
  const { link, open } = connected();
  open();
  link.ask("vote", { question: 1, choice: 0 });
  link.ask("vote", { question: 1, choice: 2 });
  assert.deepEqual(reconnected().map(({ choice }) => choice), [2]);
});

test("what a teacher asks for is not done twice", () => {
  const { link, open } = connected();
  open();
  link.ask("next");
  assert.deepEqual(reconnected(), []);
});

test("what is asked before the server listens is sent once it does", () => {
  const { link, sent, open } = connected();
  link.ask("vote", { question: 1, choice: 0 });
  assert.deepEqual(sent, []);
  open();
  assert.deepEqual(sent.map(({ choice }) => choice), [0]);
});

test("no two messages have the same number", () => {
  const { link, sent, open } = connected();
  open();
  for (let asked = 0; asked < 50; asked += 1) link.ask("next");
  assert.equal(new Set(sent.map(({ number }) => number)).size, 50);
});
