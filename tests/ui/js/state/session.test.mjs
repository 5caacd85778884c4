import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Session } from "../../../../ui/session_view/js/state/session.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

const hello = (events = 0) => ({ type: "hello", session: { events }, tree: null });
const log = (entries, more = false) => ({ type: "log", entries, more });

function sessionWith(...frames) {
  const session = new Session();
  for (const frame of frames) session.receive(frame);
  return session;
}

test("a log comes in parts: how much is here, and when all is", () => {
  const session = sessionWith(hello(4));
  assert.deepEqual([session.loading, session.done], [true, 0]);
  const added = session.receive(log([entry("run_started"), event("user", "hi")], true));
  assert.deepEqual([added.length, session.done, session.caughtUp], [2, 0.25, false]);
  session.receive(log([event("A", "x")]));
  assert.deepEqual([session.loading, session.caughtUp, session.log.events, session.book.rows.length], [false, true, 2, 3]);
});

test("nothing to come is known after a while, but not where something came", () => {
  const empty = sessionWith(hello());
  empty.settleEmpty();
  assert.equal(empty.caughtUp, true);
  const begun = sessionWith(hello(9), log([event("A", "x")], true));
  begun.settleEmpty();
  assert.equal(begun.caughtUp, false);
});

test("of a long log its end can be read while the rest is coming", () => {
  const many = Array.from({ length: 500 }, () => event("A", "x"));
  const session = sessionWith(hello(900), log(many, true));
  assert.equal(session.readable, false);
  session.receive({ type: "tail", entries: [event("A", "last")], events: 902 });
  assert.deepEqual([session.readable, session.preview.rows[0].ordinal], [true, 902], "two came since the greeting");
  assert.equal(sessionWith(hello(2), log([event("A", "x")], true)).readable, true, "a short one is laid out as it comes");
});

test("problems: what is final counts most, and a new greeting clears the others", () => {
  const session = sessionWith(hello(), { type: "waiting", message: "The disk is full.", queued: false });
  assert.deepEqual([session.problem, session.waits], ["The disk is full.", true]);
  session.receive({ type: "error", message: "Try later.", retry: true });
  assert.deepEqual([session.problem, session.waits], ["Try later.", false]);
  session.receive(hello());
  assert.deepEqual([session.problem, session.waits], [null, false]);
  session.receive({ type: "waiting", message: "", queued: false });
  assert.equal(session.problem, null);
  session.receive({ type: "gone", message: "It was deleted." });
  assert.deepEqual([session.problem, session.loading], ["It was deleted.", false]);
  assert.equal(sessionWith({ type: "error", message: "No.", retry: false }).problem, "No.");
});

test("a run that waits for its turn, until the server says that it does no more, or greets again", () => {
  const session = sessionWith(hello(), { type: "waiting", message: "It is next.", queued: true });
  assert.deepEqual([session.queued, session.problem, session.waits], [true, "It is next.", true]);
  session.receive({ type: "waiting", message: "", queued: false });
  assert.deepEqual([session.queued, session.problem], [false, null]);
  session.receive({ type: "waiting", message: "It is next.", queued: true });
  session.receive(hello());
  assert.deepEqual([session.queued, session.problem], [false, null]);
});

test("text being written goes with the event that it becomes, and with a lost run", () => {
  const piece = { type: "partial", id: "e2", author: "A", offset: 0, text: "one", thought: false };
  const session = sessionWith(hello(), log([entry("run_started")]), piece);
  assert.equal(session.partials.get("e2").text, "one");
  session.receive(log([event("A", "one two")]));
  assert.equal(session.partials.size, 0);
  session.receive({ ...piece, id: "other" });
  session.receive({ type: "lost", invocation: "run", message: "Its end could not be stored." });
  assert.deepEqual([session.partials.size, session.status, session.problem], [
    0,
    "interrupted",
    "Its end could not be stored.",
  ]);
  session.receive(log([entry("run_started", { invocation_id: "next" })]));
  assert.equal(session.problem, null, "a new run is no lost one");
});

test("what the lesson says to look for is seen as the log comes, once", () => {
  const look = (kind) => ({ text: `A ${kind}.`, kind, body: {}, count: 1, sample: "", break_title: "" });
  const session = new Session({ pipeline: "p", text: "", observations: [look("event"), look("transfer")] });
  const first = session.receive(log([entry("run_started"), event("A", "x")]));
  assert.deepEqual(session.seenIn(first), ["A event."]);
  const second = session.receive(log([event("A", "y")]));
  assert.deepEqual(session.seenIn(second), []);
  assert.deepEqual(session.lesson.sightings.map(({ seq }) => seq), [2, null]);
  const plain = sessionWith(hello());
  assert.deepEqual([plain.lesson, plain.seenIn(plain.receive(log([event("A", "x")])))], [null, []]);
});

test("the page hears of a run once for each change, and not of what it knows", () => {
  const session = sessionWith(hello(), log([entry("run_started")]));
  assert.equal(session.changedRun(true), null, "it took it to be running");
  assert.equal(session.changedRun(true), null);
  session.receive(log([entry("run_finished", { status: "completed" })]));
  assert.deepEqual([session.changedRun(true), session.changedRun(true)], ["completed", null]);
  assert.equal(sessionWith(hello(), log([entry("run_started")])).changedRun(false), "running");
  assert.equal(sessionWith(hello()).changedRun(null), null);
});

test("who was at work right after an entry, and now", () => {
  const session = sessionWith(
    hello(),
    log([
      entry("run_started"),
      entry("agent_started", { agent: "A" }),
      event("A", "x"),
      entry("agent_finished", { agent: "A" }),
    ]),
  );
  const past = session.activityAt(session.log.entries[2]);
  assert.equal(past.running.get("A"), 1);
  assert.equal(session.activityAt(session.log.entries[2]), past);
  assert.equal(session.activityAt(null).running.get("A"), 0);
});
