import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf } from "../../../../ui/session_list/js/session_key.js";
import { Sessions, STEP } from "../../../../ui/session_list/js/compact/sessions.js";
import { page, row } from "../rows.mjs";

function known(data, ...frames) {
  const sessions = new Sessions();
  sessions.takePage(data);
  for (const frame of frames) take(sessions, frame);
  return sessions;
}

const take = (sessions, frame, scope = "pipeline", words = "") =>
  sessions.takeFrame({ found: frame.rows?.length, ...frame }, sessions.query(scope, words, STEP));
const listing = (sessions, scope = "pipeline", words = "") => sessions.listing(sessions.query(scope, words, STEP));
const ids = (sessions, scope, words) => listing(sessions, scope, words).rows.map(({ id }) => id);
const many = (count) => Array.from({ length: count }, (_, i) => row(`s${i}`));

test("the page's rows are listed at once, the socket's replace them", () => {
  const sessions = known(page([row("s1"), row("s2")]));
  assert.deepEqual(ids(sessions), ["s1", "s2"]);
  take(sessions, { type: "list", rows: [row("s2"), row("s3"), row("s4", { pipeline: "q" })] });
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
  assert.equal(listing(sessions).older, 0);
  sessions.takePage(page([row("s1")]));
  assert.deepEqual(ids(sessions), ["s1"]);
});

test("an error changes nothing", () => {
  assert.deepEqual(ids(known(page([row("s1")]), { type: "error", message: "locked" })), ["s1"]);
});

test("until the server has answered a search, words are looked for in the rows that are known", () => {
  const sessions = known(page([]), { type: "list", rows: [...many(50), row("s900", { title: "A Baker in Bern" })] });
  assert.deepEqual(ids(sessions, "pipeline", " bern  bAK"), ["s900"]);
  assert.deepEqual(ids(sessions, "pipeline", "bern cake"), []);
  take(sessions, { type: "list", rows: [row("s7", { title: "Ｂｅｒｎ" })], found: 1 }, "pipeline", "bern");
  assert.deepEqual(ids(sessions, "pipeline", "bern"), ["s7"], "the server decides what a word is in");
});

test("a page is listed, the others are counted, and the open one stays in it", () => {
  const data = page([row("s140")], { session: "s140" });
  const sessions = known(data, { type: "list", rows: many(STEP), found: 3000 });
  const { rows, older, count } = listing(sessions);
  assert.deepEqual([rows.length, rows.at(-1).id, older, count], [STEP + 1, "s140", 3000 - STEP - 1, 3000]);
  assert.deepEqual(ids(sessions, "pipeline", "s7").includes("s140"), false, "a search finds what has the words");
});

test("what the page did not give is counted", () => {
  const sessions = known(page(many(100), { total: 120 }));
  assert.deepEqual([listing(sessions).older, listing(sessions).count], [20, 120]);
});

test("rows of one title are told apart by the minute, or by the second if that is the same", () => {
  const at = (id, title, updated) => row(id, { title, updated });
  const rows = [at("a", "tea", 600), at("b", "tea", 1200), at("c", "cake", 600), at("d", "cake", 601), at("e", "pie", 5)];
  assert.deepEqual([...listing(known(page(rows))).repeated], [["tea", "minute"], ["cake", "second"]]);
  const elsewhere = [row("s1", { title: "tea" }), row("s2", { title: "tea", pipeline: "q" })];
  const sessions = known(page([]), { type: "list", rows: elsewhere });
  assert.deepEqual(["pipeline", "all"].map((scope) => listing(sessions, scope).repeated.size), [0, 1]);
});

test("sessions of one name in two pipelines are two", () => {
  assert.notEqual(keyOf({ pipeline: "a", id: "b" }), keyOf({ pipeline: "ab", id: "" }));
});
