import assert from "node:assert/strict";
import { test } from "node:test";
import { append, emptyLog, entryAt } from "../../../../ui/session_view/js/log/log.js";
import { callAt } from "../../../../ui/session_view/js/prompt/calls.js";
import { partText, promptOf } from "../../../../ui/session_view/js/prompt/prompt.js";
import { withoutRewound, withSummaries } from "../../../../ui/session_view/js/prompt/hidden.js";
import { entry, event, startAt } from "../log_entries.mjs";

const summary = (start, end, text) =>
  event("user", null, {
    content: undefined,
    actions: { compaction: { start_timestamp: start, end_timestamp: end, compacted_content: { parts: [{ text }] } } },
  });
const shown = (events) => withSummaries(events).map(({ body }) => body.content.parts.map(partText).join());

test("summaries that overlap both stand, and one within another does not", () => {
  startAt();
  const events = [event("user", "a"), event("user", "b"), summary(1001, 1002, "ab"), event("user", "c")];
  const more = [...events, summary(1002, 1004, "bc"), event("user", "d")];
  assert.deepEqual(shown(events), ["ab", "c"]);
  assert.deepEqual(shown(more), ["ab", "bc", "d"]);
  assert.deepEqual(shown([...more, summary(1001, 1006, "all"), summary(1001, 1006, "again")]), ["again"]);
});

test("what came after the last summary is sent whatever its time", () => {
  startAt();
  const events = [event("user", "a"), summary(1001, 1001, "so far"), event("user", "late", { timestamp: 1001 })];
  assert.deepEqual(shown(events), ["so far", "late"]);
});

test("a summary stands for the messages that it covers, which are shown beside the prompt", () => {
  startAt();
  const call = { function_call: { id: "x", name: "search" } };
  const answer = { function_response: { id: "x", name: "search", response: { found: 1 } } };
  const made = {
    start_timestamp: 1001,
    end_timestamp: 1004,
    compacted_content: { role: "model", parts: [{ text: "SUM" }] },
  };
  const summed = { start_timestamp: 1001, end_timestamp: 1001, compacted_content: { parts: [{ text: "older" }] } };
  const entries = [
    event("user", "one"),
    event("user", null, { content: undefined, actions: { compaction: summed } }),
    event("writer", null, { parts: [call] }),
    event("writer", "two"),
    event("user", "three"),
    event("user", null, { content: undefined, actions: { compaction: made } }),
    event("user", null, { parts: [answer] }),
    event("user", "four"),
    entry("model_started", {
      agent: "writer",
      call: 1,
      contents: { select: "default", until: 8, count: 5 },
      joined: true,
      quoted: true,
    }),
  ];
  const log = emptyLog();
  append(log, entries);
  const prompt = promptOf(log, callAt(log, entryAt(log, 9)), () => undefined);
  assert.deepEqual(prompt.contents.map(({ parts }) => parts.map(partText).join()), [
    "SUM",
    "three",
    "search({})",
    'search → {"found":1}',
    "four",
  ]);
  assert.deepEqual([prompt.parts[0].name, prompt.parts[0].seq, prompt.inexact], ["summary", 6, false]);
  assert.deepEqual(prompt.summedUp.map(({ text }) => text), ["one", "two"]);
});

const said = (id, text) => event("user", text, { invocation_id: id });
const back = (id, before) =>
  event("user", null, { content: undefined, invocation_id: id, actions: { rewind_before_invocation_id: before } });
const left = (events) => withoutRewound(events).map(({ body }) => body.content.parts[0].text);

test("a rewind takes back all from the first event of the invocation that it names", () => {
  const events = [said("1", "a"), said("2", "b"), said("2", "c"), back("3", "2"), said("4", "d"), said("5", "e")];
  assert.deepEqual(left(events), ["a", "d", "e"]);
  assert.deepEqual(left([...events, back("6", "5")]), ["a", "d"]);
  assert.deepEqual(left([...events, back("6", "2")]), ["a"]);
  assert.deepEqual(left([...events, back("6", "unknown"), said("7", "f")]), ["a", "d", "e", "f"]);
});

test("the Prompt tab shows what was sent after a rewind", () => {
  startAt();
  const started = {
    agent: "writer",
    call: 1,
    contents: { select: "default", until: 4, count: 2 },
    joined: true,
    quoted: true,
  };
  const log = emptyLog();
  append(log, [said("1", "a"), said("2", "b"), back("3", "2"), said("4", "c"), entry("model_started", started)]);
  const { contents, inexact } = promptOf(log, callAt(log, entryAt(log, 5)), () => undefined);
  assert.deepEqual([contents.map(({ parts }) => parts[0].text), inexact], [["a", "c"], false]);
});
