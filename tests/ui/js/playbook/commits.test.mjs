import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  changesOf,
  commitIn,
  givenWords,
  isCommit,
  operationWords,
  rejectionsOf,
  signsOf,
  startOf,
  tallyOf,
  wordsOf,
} from "../../../../ui/session_view/js/playbook/commits.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

const commit = (applied, more = {}) => ({
  playbook: "ace",
  revision: 7,
  by: "curator",
  reasoning: "",
  applied,
  rejected: [],
  ...more,
});
const ADD = { type: "ADD", bullet_id: "for-00003", section: "FORMULAS", content: "a = b" };
const UPDATE = { type: "UPDATE", bullet_id: "for-00001", content: "new", before: "old" };
const REMOVE = { type: "REMOVE", bullet_id: "for-00002", bullet: { id: "for-00002", section: "FORMULAS", content: "gone" } };
const MERGE = {
  type: "MERGE",
  bullet_id: "for-00009",
  bullet_ids: ["a", "b"],
  section: "S",
  content: "both",
  merged: [{ id: "a", content: "one" }, { id: "b", content: "two" }],
};
const TAG = { type: "TAG", bullet_id: "for-00001", tag: "helpful" };
const CITE = { type: "CITE", bullet_ids: ["for-00001"], query: 3 };

test("a commit is found in an event's delta, and nothing else is taken for one", () => {
  const made = commit([ADD]);
  assert.equal(commitIn(event("ApplyDelta", "x", { delta: { "app:playbook": made } })), made);
  for (
    const other of [null, "text", 4, [], {}, { playbook: "ace", revision: 7 }, { playbook: 3, revision: 7, applied: [] }, {
      playbook: "ace",
      revision: "7",
      applied: [],
    }]
  ) {
    assert.equal(commitIn(event("A", "x", { delta: { "app:playbook": other } })), null);
    assert.equal(isCommit(other), false);
  }
  assert.equal(commitIn(event("A", "x")), null);
  assert.equal(commitIn(entry("run_started", { shared: { "app:playbook": made } })), null, "a run notes what there was");
});

test("a commit in signs: what came, went and changed, tags apart", () => {
  const rejected = [{ operation: {}, reason: "no" }];
  assert.deepEqual(tallyOf(commit([ADD, UPDATE, REMOVE, MERGE, TAG, CITE], { rejected })), {
    added: 1,
    removed: 1,
    changed: 2,
    tagged: 1,
    rejected: 1,
  });
  assert.deepEqual(
    [[ADD, UPDATE, MERGE], [TAG], [TAG, TAG, CITE], [], [CITE]].map((applied) => signsOf(commit(applied))),
    ["+1 −0 ~2", "1 tag", "2 tags", "unchanged", "query counted"],
  );
  assert.equal(signsOf(commit([ADD, TAG], { rejected })), "+1 −0 ~0, 1 tag, 1 rejected");
});

test("a commit in words", () => {
  assert.equal(
    wordsOf(commit([ADD, ADD, REMOVE, TAG], { rejected: [{}, {}] })),
    "Playbook ace, revision 7, by curator: 2 bullets added, 1 bullet removed, 1 bullet tagged; 2 operations rejected",
  );
  assert.equal(wordsOf(commit([], { by: "" })), "Playbook ace, revision 7: nothing changed");
});

test("each change says what it is by a sign and a word, with its texts", () => {
  const shown = changesOf(commit([ADD, UPDATE, REMOVE, MERGE, TAG, CITE]));
  assert.deepEqual(shown.map(({ sign, word, id, before, after }) => [sign, word, id, before, after]), [
    ["+", "added", "for-00003", undefined, "a = b"],
    ["~", "changed", "for-00001", "old", "new"],
    ["−", "removed", "for-00002", "gone", undefined],
    ["~", "merged from 2 bullets", "for-00009", undefined, "both"],
    ["▲", "tagged helpful", "for-00001", undefined, undefined],
  ]);
  assert.equal(shown[2].section, "FORMULAS");
  assert.deepEqual(shown[3].merged.map(({ id }) => id), ["a", "b"]);
});

test("changes by refinement say so and why; those of an undo and of an import are told", () => {
  const [removed, adjusted, back, moved, imported, archived, odd] = changesOf(commit([
    { ...REMOVE, by: "refinement", reason: "It harmed." },
    { type: "ADJUST", bullet_id: "a", helpful: -1, harmful: 2 },
    { type: "RESTORE", bullet_id: "a", bullet: { section: "S", content: "again" } },
    { type: "RESTORE", bullet_id: "a", bullet: {}, was: "x-1" },
    { type: "RESTORE", bullet_id: "a", bullet: {}, imported: true },
    { type: "ARCHIVE", bullet_id: "a" },
    { type: "NEWLY_INVENTED", bullet_id: "a" },
  ]));
  assert.deepEqual([removed.by, removed.reason], ["refinement", "It harmed."]);
  assert.equal(adjusted.word, "counters: helpful −1, harmful +2");
  assert.deepEqual([back.word, back.after, back.section, moved.word], ["brought back", "again", "S", "imported, was x-1"]);
  assert.equal(imported.word, "imported");
  assert.match(archived.word, /^archived/);
  assert.equal(odd.word, "newly_invented");
});

test("what was rejected says what was asked, of which bullets, and why", () => {
  const rejected = [
    { operation: { type: "UPDATE", bullet_id: "x-1", content: "t" }, reason: "no such bullet" },
    { operation: { type: "TAG", bullet_id: "x-2", tag: "harmful" }, reason: "r" },
    { operation: { type: "MERGE", bullet_ids: ["a", "b"], content: "t" }, reason: "r" },
    { operation: { type: "", content: "words" }, reason: "r" },
    { reason: "r" },
  ];
  assert.deepEqual(rejectionsOf({ rejected }).map(({ what, ids, text }) => [what, ids.join(" "), text]), [
    ["change", "x-1", "t"],
    ["tag harmful", "x-2", ""],
    ["merge", "a b", "t"],
    ["something unreadable", "", "words"],
    ["something unreadable", "", ""],
  ]);
  assert.deepEqual(rejectionsOf({}), []);
  assert.equal(operationWords({ type: "ADD", section: "S", content: "c" }).section, "S");
});

test("what was given, in words", () => {
  assert.equal(givenWords({ playbook: "ace", revision: 7, bullets: 12 }), "given 12 bullets of ace, revision 7");
  assert.equal(
    givenWords({ playbook: "ace", revision: 7, bullets: 1, chosen: true }),
    "given the 1 most relevant bullet of ace, revision 7",
  );
  assert.match(givenWords({ playbook: "ace", revision: 0, bullets: 0 }), /is empty/);
});

test("what a session starts with is what the page gives", () => {
  assert.deepEqual(startOf(["ace", 3, 2]), { playbook: "ace", revision: 3, bullets: 2 });
  assert.equal(startOf(null), null);
});
