import assert from "node:assert/strict";
import { test } from "node:test";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { Choices } from "../../../../ui/session_view/js/state/choices.js";
import { contextOf } from "../../../../ui/session_view/js/state/context.js";
import { Session } from "../../../../ui/session_view/js/state/session.js";
import { entry, event, startAt } from "../log_entries.mjs";

test("the inspector looks at the cursor's entry, what was used by then, and what state is compared with", () => {
  startAt();
  const session = new Session();
  const used = (call) => entry("model_finished", { agent: "A", call, model: "m", usage: { input: 10, output: 1 } });
  session.receive({
    type: "log",
    entries: [entry("run_started"), event("user", "go"), used(1), event("A", "one"), used(2), event("A", "two")],
    more: false,
  });
  const choices = new Choices();
  const done = [];
  const navigation = { compare: (since) => done.push(since) };
  const look = () => contextOf(session, choices, navigation, { index: indexTree(null), props: { prices: [] } });
  assert.deepEqual([look().selected, look().ordinal, look().usage().total.calls], [null, 3, 2]);
  choices.selected = 4;
  choices.since = "start";
  const { selected, ordinal, usage, since, sinceSeq, running, compare } = look();
  assert.deepEqual([selected.seq, ordinal, usage().total.calls, since, sinceSeq, running], [4, 2, 1, "start", 1, true]);
  compare("here");
  assert.deepEqual(done, ["here"]);
});
