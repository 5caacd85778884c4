import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyBook } from "../../../../ui/session_view/js/rows/book.js";
import {
  closeAll,
  closeScope,
  laneOf,
  openBlocks,
  openLane,
  openLanes,
  openScope,
  railOf,
  twinBlockOf,
} from "../../../../ui/session_view/js/rows/scopes.js";

const kinds = (book) => book.scopes.map(({ kind, branch }) => `${kind} ${branch}`);

test("a row keeps the scopes that were open when it was made", () => {
  const book = emptyBook();
  openScope(book, { kind: "loop", agent: "L", branch: "", at: { iteration: 1 } });
  const before = book.scopes;
  openLane(book, "P.A");
  assert.deepEqual([before.length, book.scopes.length], [1, 2]);
});

test("a lane is opened once, and an event in a branch below it needs none of its own", () => {
  const book = emptyBook();
  openLane(book, "P.A");
  openLane(book, "P.A");
  openLanes(book, "P.A.Q");
  openLanes(book, "helper:1a");
  openLanes(book, "");
  assert.deepEqual(kinds(book), ["lane P.A"]);
  openLanes(book, "P.B");
  assert.deepEqual(kinds(book), ["lane P.A", "lane P.B"]);
});

test("a branch that ends leaves a gap while a sister goes on; with the last one all gaps close", () => {
  const book = emptyBook();
  for (const branch of ["P.A", "P.B", "P.C"]) openLane(book, branch);
  const end = (branch) => closeScope(book, (scope) => scope.branch === branch);
  end("P.A");
  assert.deepEqual(kinds(book), ["gap P.A", "lane P.B", "lane P.C"]);
  end("P.B");
  end("P.C");
  assert.deepEqual(kinds(book), []);
  end("P.C");
});

test("a block is told of once, is counted by agent, and settles when it ends", () => {
  const book = emptyBook();
  const told = [];
  openBlocks(book, "helper:1a.P.X", (block) => told.push(block));
  openBlocks(book, "helper:1a", (block) => told.push(block));
  openBlocks(book, "helper:2b", (block) => told.push(block));
  assert.deepEqual(told.map(({ branch, nth }) => [branch, nth]), [["helper:1a", 1], ["helper:2b", 2]]);
  closeScope(book, ({ branch }) => branch === "helper:1a");
  assert.deepEqual([told[0].open, told[0].version, told[1].open], [false, 1, true]);
  closeAll(book);
  assert.deepEqual([book.scopes, told[1].open], [[], false]);
});

test("a row says what it stands in: its lane, and its block where another one of the same agent is open", () => {
  const book = emptyBook();
  openBlocks(book, "helper:1a", () => {});
  openBlocks(book, "helper:2b", () => {});
  const row = { scopes: book.scopes, branch: "helper:1a" };
  assert.equal(twinBlockOf(row).nth, 1);
  assert.equal(laneOf(row), null);
  assert.deepEqual(railOf(row).map(({ inside }) => inside), [true, false]);
  openLane(book, "helper:2b.P.X");
  assert.equal(laneOf({ scopes: book.scopes, branch: "helper:2b.P.X" }).agent, "X");
});

test("a lane that goes on after a gap keeps its place; it is named by the node, without the number of its run", () => {
  const book = emptyBook();
  for (const branch of ["a@1", "b@1"]) openLane(book, branch);
  assert.deepEqual(book.scopes.map(({ agent }) => agent), ["a", "b"]);
  closeScope(book, (scope) => scope.branch === "a@1");
  openLane(book, "a@1");
  assert.deepEqual(kinds(book), ["lane a@1", "lane b@1"]);
});
