import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf } from "../../../ui/session_list/js/session_key.js";
import { Sessions, SHOWN } from "../../../ui/session_list/js/sessions.js";
import { page, row } from "./rows.mjs";

function known(data, ...frames) {
  const sessions = new Sessions();
  sessions.takePage(data);
  for (const frame of frames) sessions.takeFrame(frame);
  return sessions;
}

const ids = (sessions, scope = "pipeline", words = "") => sessions.listing(scope, words).rows.map(({ id }) => id);
const many = (count) => Array.from({ length: count }, (_, i) => row(`s${i}`));

test("the page's rows are listed at once, the socket's replace them", () => {
  const sessions = known(page([row("s1"), row("s2")]));
  assert.deepEqual(ids(sessions), ["s1", "s2"]);
  sessions.takeFrame({ type: "list", rows: [row("s2"), row("s3"), row("s4", { pipeline: "q" })] });
  assert.deepEqual(ids(sessions), ["s2", "s3"]);
  assert.deepEqual(ids(sessions, "all"), ["s2", "s3", "s4"]);
});

test("changes add, change and remove rows; the last changed comes first", () => {
  const list = { type: "list", rows: [row("s1"), row("s2"), row("s3")] };
  const changes = { type: "changes", rows: [row("s3", { updated: 2e6, title: "new" }), row("s0")], gone: [["p", "s1"]] };
  const sessions = known(page([]), list, changes);
  assert.deepEqual(ids(sessions), ["s3", "s0", "s2"]);
  assert.equal(sessions.get(keyOf({ pipeline: "p", id: "s3" })).title, "new");
});

test("an older page brings nothing back while the socket is open, a newer one counts after it is lost", () => {
  const sessions = known(page([row("s1")]), { type: "list", rows: [] });
  sessions.takePage(page([row("s1")]));
  assert.deepEqual(ids(sessions), []);
  sessions.lose();
  assert.equal(sessions.listing("pipeline", "").older, 0);
  sessions.takePage(page([row("s1")]));
  assert.deepEqual(ids(sessions), ["s1"]);
});

test("an error changes nothing", () => {
  assert.deepEqual(ids(known(page([row("s1")]), { type: "error", message: "locked" })), ["s1"]);
});

test("all words are searched for, in any case and order, in all rows that are known", () => {
  const sessions = known(page([]), { type: "list", rows: [...many(150), row("s900", { title: "A Baker in Bern" })] });
  assert.deepEqual(ids(sessions, "pipeline", " bern  bAK"), ["s900"]);
  assert.deepEqual(ids(sessions, "pipeline", "bern cake"), []);
  assert.equal(sessions.listing("pipeline", "no such").count, 151);
});

test("a long list is cut, the others are counted, and the open one stays in it", () => {
  const sessions = known(page([], { session: "s140" }), { type: "list", rows: many(150) });
  const { rows, older } = sessions.listing("pipeline", "");
  assert.deepEqual([rows.length, rows.at(-1).id, older], [SHOWN + 1, "s140", 49]);
});

test("what the page did not give is counted until the socket says it", () => {
  const sessions = known(page(many(100), { total: 120 }));
  assert.deepEqual([sessions.listing("pipeline", "").older, sessions.listing("pipeline", "").count], [20, 120]);
  sessions.takeFrame({ type: "list", rows: many(120) });
  assert.equal(sessions.listing("pipeline", "").older, 20);
});

test("rows of one title are told apart by the minute, or by the second if that is the same", () => {
  const at = (id, title, updated) => row(id, { title, updated });
  const rows = [at("a", "tea", 600), at("b", "tea", 1200), at("c", "cake", 600), at("d", "cake", 601), at("e", "pie", 5)];
  assert.deepEqual([...known(page(rows)).listing("pipeline", "").repeated], [["tea", "minute"], ["cake", "second"]]);
  const elsewhere = [row("s1", { title: "tea" }), row("s2", { title: "tea", pipeline: "q" })];
  const sessions = known(page([]), { type: "list", rows: elsewhere });
  assert.deepEqual(["pipeline", "all"].map((scope) => sessions.listing(scope, "").repeated.size), [0, 1]);
});

test("sessions of one name in two pipelines are two", () => {
  assert.notEqual(keyOf({ pipeline: "a", id: "b" }), keyOf({ pipeline: "ab", id: "" }));
});
