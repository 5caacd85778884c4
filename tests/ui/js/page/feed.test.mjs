import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { openFeed } from "../../../../ui/session_view/js/page/feed.js";
import { openPage, page } from "../fake_sockets.mjs";

beforeEach(openPage);

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
  assert.equal(page.sockets[0].url.href, "ws://here:1/api/log?pipeline=p&session=s&after=0");
  page.sockets[0].say({ type: "hello" });
  page.sockets[0].say({ type: "log", entries: [], more: false });
  assert.deepEqual(seen, { frames: ["hello", "log"], states: ["connecting", "open"], last: 0 });
});

test("a lost connection is tried again where it left off, and only a greeting is a success", () => {
  const { seen } = opened();
  page.sockets[0].onclose();
  seen.last = 7;
  mock.timers.tick(250);
  assert.equal(page.sockets[1].url.searchParams.get("after"), "7");
  assert.equal(seen.states.at(-1), "lost");
  page.sockets[1].say({ type: "error", message: "later", retry: true });
  page.sockets[1].onclose();
  mock.timers.tick(250);
  assert.equal(page.sockets.length, 2, "the second wait is longer");
  mock.timers.tick(250);
  page.sockets[2].say({ type: "hello" });
  assert.equal(seen.states.at(-1), "open");
  page.sockets[2].onclose();
  mock.timers.tick(250);
  assert.equal(page.sockets.length, 4, "the waits begin anew");
});

test("what is final ends the feed; an error that may pass does not", () => {
  const passing = opened();
  page.sockets[0].say({ type: "error", message: "later", retry: true });
  assert.ok(!page.sockets[0].closed);
  page.sockets[0].say({ type: "gone", message: "deleted" });
  assert.ok(page.sockets[0].closed);
  assert.deepEqual(passing.seen.frames, ["error", "gone"]);
  page.sockets[0].onclose();
  mock.timers.tick(10000);
  assert.equal(page.sockets.length, 1);
});
