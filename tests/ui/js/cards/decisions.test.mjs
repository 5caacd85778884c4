import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createDecisions, hindranceOfAnswers, hindranceOfVerdicts } from "../../../../ui/session_view/js/cards/decisions.js";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { append, emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { emptyBook } from "../../../../ui/session_view/js/rows/book.js";
import { extendRows } from "../../../../ui/session_view/js/rows/rows.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

const ASK = { function_call: { id: "c", name: "lookup", args: { n: 1 } } };
const LEARNER = { name: "Root", type: "ApplyDelta", kind: "BaseAgent", children: [] };

function sessionOf(...entries) {
  const log = emptyLog();
  const book = emptyBook();
  extendRows(book, append(log, entries));
  return { log, book, caughtUp: true, index: indexTree(LEARNER), props: { answerable: true, judgeable: true } };
}

function asking() {
  return sessionOf(
    entry("run_started"),
    event("A", null, { parts: [ASK], long_running_tool_ids: ["c"] }),
    entry("run_finished", { status: "paused" }),
  );
}

test("a call can be answered once all is here and the run waits, where the page takes answers", () => {
  const session = asking();
  assert.equal(hindranceOfAnswers(session), "");
  assert.match(hindranceOfAnswers({ ...session, props: {} }), /cannot be answered here/);
  assert.match(hindranceOfAnswers({ ...session, caughtUp: false }), /still being loaded/);
  assert.match(hindranceOfAnswers(sessionOf(entry("run_started"))), /still at work/);
});

test("an answer can be judged once its run has ended and no question is open", () => {
  const ended = sessionOf(entry("run_started"), entry("run_finished", { status: "completed" }));
  assert.equal(hindranceOfVerdicts(ended), "");
  assert.match(hindranceOfVerdicts({ ...ended, caughtUp: false }), /still being loaded/);
  assert.match(hindranceOfVerdicts(sessionOf(entry("run_started"))), /still at work/);
  assert.match(hindranceOfVerdicts(asking()), /question is open/);
});

test("a card is drawn again when something else can be done with it; other rows say nothing", () => {
  const session = asking();
  const decisions = createDecisions({ session: () => session, bullets: null, send: () => {}, onChange: () => {} });
  const card = session.book.rows.find(({ type }) => type === "card");
  assert.equal(decisions.stamp(card), "idle ");
  session.caughtUp = false;
  assert.match(decisions.stamp(card), /being loaded/);
  card.call.state = "answered";
  assert.equal(decisions.stamp(card), "");
  assert.equal(decisions.stamp(session.book.rows[0]), "");
  decisions.settle();
  decisions.clear();
});
