import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { append, emptyLog, entryAt } from "../../../../ui/session_view/js/log/log.js";
import { bulletsOf, feedbackWords, keepsPlaybook, playbookAt } from "../../../../ui/session_view/js/playbook/run.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

const given = (ids, more = {}) =>
  entry("playbook_given", {
    agent: "StateInitializer",
    playbook: "ace",
    revision: 2,
    bullets: ids.length,
    bullet_ids: ids,
    chosen: false,
    ...more,
  });
const answer = (ids, more = {}) =>
  event("Generator", "{}", { delta: { generator_output: { final_answer: "1", bullet_ids: ids } }, ...more });
const commit = (author, applied, more = {}) =>
  event(author, "x", {
    delta: { "app:playbook": { playbook: "ace", revision: 3, by: "curator", applied, rejected: [], ...more } },
  });
const tag = (id, tag) => ({ type: "TAG", bullet_id: id, tag });

function logOf(...entries) {
  const log = emptyLog();
  append(log, entries);
  return log;
}

/** seq 1 run, 2 question, 3 given, 4 feedback, 5 answer, 6 tags, 7 delta, 8 end; 9 the next run begins. */
function cycle() {
  return logOf(
    entry("run_started"),
    event("user", "?"),
    given(["a", "b", "c"]),
    event("StateInitializer", "x", { delta: { feedback: "The right answer is: 2" } }),
    answer(["b", "b", "zzz"]),
    commit("TagBullets", [{ type: "CITE", bullet_ids: ["b"], query: 1 }, tag("b", "harmful")], {
      by: "reflector",
      cited: ["b"],
    }),
    commit("ApplyDelta", [{ type: "ADD", bullet_id: "d", section: "S", content: "new" }, {
      type: "UPDATE",
      bullet_id: "a",
      before: "x",
      content: "y",
    }, { type: "REMOVE", bullet_id: "b", bullet: {}, by: "refinement", reason: "harmed" }], { revision: 4 }),
    entry("run_finished", { status: "completed" }),
    entry("run_started", { invocation_id: "next" }),
    event("user", "and?", { invocation_id: "next" }),
  );
}

const at = (log, seq) => playbookAt(log, entryAt(log, seq));

test("it follows the selected event, within its run", () => {
  const log = cycle();
  const seen = [3, 5, 6, 7].map((seq) => at(log, seq)).map((
    { given: record, answer: said, feedback, commits },
  ) => [record.bullets, said?.cited.join(" "), feedback?.text, commits.length]);
  assert.deepEqual(seen, [[3, undefined, undefined, 0], [3, "b zzz", "The right answer is: 2", 0], [
    3,
    "b zzz",
    "The right answer is: 2",
    1,
  ], [3, "b zzz", "The right answer is: 2", 2]]);
  assert.equal(at(log, 7).run.number, 1);
});

test("before anything of the playbook it says where it comes in; another run has nothing of this one", () => {
  const log = cycle();
  assert.deepEqual([at(log, 2).given, at(log, 2).next], [null, 3]);
  assert.deepEqual([at(log, 10).given, at(log, 10).commits, at(log, 10).next], [null, [], null]);
  assert.equal(at(log, 5).next, null, "something is there already");
});

test("a commit that only opens a playbook is nothing yet; a curator that changes nothing says something", () => {
  const opened = logOf(
    entry("run_started"),
    commit("StateInitializer", [], { by: "StateInitializer" }),
    given([]),
    commit("ApplyDelta", []),
  );
  assert.deepEqual([at(opened, 2).commits.length, at(opened, 2).next, at(opened, 4).commits.length], [0, 3, 1]);
});

test("without a selection it is the last run; without a run nothing", () => {
  const log = cycle();
  assert.equal(playbookAt(log, null).run.invocation, "next");
  assert.equal(playbookAt(emptyLog(), null), null);
  append(log, [{ ...given(["a"], { invocation_id: "next" }) }]);
  assert.equal(playbookAt(log, null).given.bullets, 1);
});

test("an entry of no run belongs to the one before it", () => {
  const log = logOf(
    entry("run_started"),
    given(["a"]),
    entry("run_finished", { status: "completed" }),
    event("user", null, { invocation_id: "", delta: { top_k: 3 } }),
  );
  assert.equal(at(log, 4).given.bullets, 1);
});

test("bullets stand in the order cited, tagged, changed; the others follow", () => {
  const { marked, rest } = bulletsOf(at(cycle(), 7));
  assert.deepEqual(marked.map(({ id, given: is, cited, tags, changes }) => [id, is, cited, tags.join(), changes.join()]), [
    ["b", true, true, "harmful", "removed"],
    ["zzz", false, true, "", ""],
    ["a", true, false, "", "changed"],
  ]);
  assert.deepEqual(rest, ["c"], "a new bullet was not given");
});

test("where the record does not name all bullets, one that it does not name may have been given", () => {
  const found = {
    given: { bullets: 500, bullet_ids: ["a"], playbook: "ace", revision: 1 },
    answer: { cited: ["z"] },
    commits: [],
  };
  assert.equal(bulletsOf(found).marked[0].given, null);
});

test("bullets that are merged say into which", () => {
  const merge = {
    type: "MERGE",
    bullet_id: "m",
    bullet_ids: ["a", "c"],
    section: "S",
    content: "both",
    merged: [{ id: "a", content: "1" }, { id: "c", content: "2" }],
  };
  const { marked, rest } = bulletsOf({
    ...at(cycle(), 5),
    commits: [{ seq: 9, author: "x", commit: { applied: [merge] } }],
  });
  assert.deepEqual(marked.slice(2).map(({ id, changes }) => `${id} ${changes}`), ["a merged into m", "c merged into m"]);
  assert.deepEqual(rest, []);
});

test("a run that learns from a verdict is about the answer that the verdict names, else the last one", () => {
  const verdict = (more) => event("user", "👎", { invocation_id: "v", delta: { verdict: { right: false, ...more } } });
  const log = cycle();
  append(log, [
    answer(["c"], { invocation_id: "next" }),
    entry("run_started", { invocation_id: "v" }),
    verdict({ event: 5 }),
    given(["a"], { invocation_id: "v" }),
  ]);
  assert.deepEqual([playbookAt(log, null).answer, playbookAt(log, null).verdict.event], [{
    seq: 5,
    cited: ["b", "zzz"],
    judged: true,
  }, 5]);
  append(log, [
    entry("run_started", { invocation_id: "w" }),
    event("user", "👎", { invocation_id: "w" }),
    given(["a"], { invocation_id: "w" }),
  ]);
  assert.deepEqual(playbookAt(log, null).answer, { seq: 11, cited: ["c"], judged: true });
  assert.equal(bulletsOf(playbookAt(log, null)).marked[0].judged, true);
});

test("feedback says what it rests on, and when it is none", () => {
  assert.deepEqual(feedbackWords("The right answer is: 2"), { source: "the right answer", text: "The right answer is: 2" });
  assert.equal(feedbackWords("A person says the answer is wrong.").source, "a person's verdict");
  assert.equal(feedbackWords("Execution feedback: exit code 1").source, "the outcome of something executed");
  for (const none of ["None.", "none", "", null, undefined]) assert.deepEqual(feedbackWords(none), { source: "", text: "" });
});

test("a tree works with a playbook if one of its agents does", () => {
  const tree = (type) => indexTree({ name: "Root", type: "SequentialAgent", children: [{ name: "A", type, children: [] }] });
  assert.deepEqual([
    keepsPlaybook(tree("StateInitializer")),
    keepsPlaybook(tree("LlmAgent")),
    keepsPlaybook(indexTree(null)),
  ], [true, false, false]);
});
