import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { createSharedValues } from "../../../../ui/session_view/js/page/shared_values.js";

const REST = 200;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.location = { href: "http://here/?session=s" };
  globalThis.history = { state: { a: 1 }, replaceState: (_, __, url) => (globalThis.location.href = url.href) };
});

function stage() {
  const now = { event: null, tab: "state" };
  const sent = [];
  const values = createSharedValues({ event: () => now.event, tab: () => now.tab }, (...what) => sent.push(what));
  const taken = [];
  const receive = (name, value) => values.receive(name, value, (given) => taken.push([name, given]));
  const choose = (name, value) => ((now[name] = value), values.send(name, value));
  return { values, sent, taken, receive, choose, now };
}

test("a value is sent once a user has come to rest, and stands in the address", () => {
  const { sent, choose } = stage();
  choose("event", 3);
  mock.timers.tick(REST - 1);
  choose("event", 4);
  mock.timers.tick(REST - 1);
  assert.deepEqual(sent, []);
  mock.timers.tick(1);
  assert.deepEqual(sent, [["event", 4]]);
  assert.equal(location.href, "http://here/?session=s&event=4");
  choose("event", null);
  mock.timers.tick(REST);
  assert.equal(location.href, "http://here/?session=s");
});

test("a change of the page is taken over once; the echo of a value that was sent is not", () => {
  const { taken, receive, choose } = stage();
  receive("event", null);
  receive("event", 3);
  receive("event", 3);
  choose("event", 5);
  mock.timers.tick(REST);
  receive("event", 5);
  assert.deepEqual(taken, [["event", 3]]);
  receive("event", 3);
  assert.deepEqual(taken.at(-1), ["event", 3], "the Back button");
});

test("a change of the page does not undo what a user is doing", () => {
  const { taken, receive, choose } = stage();
  choose("event", 5);
  receive("event", 3);
  assert.deepEqual(taken, []);
});

test("with a value the others go along that are not as they were last sent", () => {
  const { sent, choose, now } = stage();
  choose("event", 3);
  mock.timers.tick(REST);
  now.event = 9; // the page changed it since
  choose("tab", "json");
  mock.timers.tick(REST);
  assert.deepEqual(sent, [["event", 3], ["event", 9], ["tab", "json"]]);
});

test("a view that is closed sends nothing more", () => {
  const { values, sent, choose } = stage();
  choose("event", 3);
  values.stop();
  mock.timers.tick(REST);
  assert.deepEqual(sent, []);
});
