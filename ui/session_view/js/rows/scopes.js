// @ts-check
/**
 * What is open around a row: loops, parallel branches (lanes) and agents at work as tools. A book holds them in `scopes`,
 * a list that is replaced and never changed, so that each row keeps the one it was made with.
 */

import { contains, lastSegment, parentOf, toolAgent, toolBranches } from "../log/branches.js";

/** What counts the runs of a node, in a graph's branches: `write@2`. */
const RUN = /@\d+$/;

/** @import { Block, Book, Row, Scope } from "./types.d.ts" */

/**
 * @param {Book} book
 * @param {Scope} scope
 */
export function openScope(book, scope) {
  book.scopes = [...book.scopes, scope];
}

/**
 * @param {Book} book
 * @param {(scope: Scope) => boolean} matches
 */
export function closeScope(book, matches) {
  const found = book.scopes.findLast(matches);
  if (!found) return;
  if (found.block) settleBlock(found.block);
  const beside = found.kind === "loop" ? null : parentOf(found.branch);
  const open = book.scopes.some((scope) => scope !== found && isBeside(scope, beside));
  // A branch that ended keeps its place while its sisters go on, so that their rows do not move sideways.
  if (open) {
    /** @type {Scope} */
    const gap = { kind: "gap", agent: found.agent, branch: found.branch };
    book.scopes = book.scopes.map((scope) => (scope === found ? gap : scope));
  } else {
    book.scopes = book.scopes.filter((scope) =>
      scope !== found && !(scope.kind === "gap" && beside !== null && parentOf(scope.branch) === beside)
    );
  }
}

/**
 * @param {Scope} scope
 * @param {string | null} parent
 */
function isBeside(scope, parent) {
  return parent !== null && (scope.kind === "lane" || scope.kind === "tool") && parentOf(scope.branch) === parent;
}

/** @param {Book} book */
export function closeAll(book) {
  for (const { block } of book.scopes) if (block) settleBlock(block);
  if (book.scopes.length) book.scopes = [];
}

/** @param {Block} block */
function settleBlock(block) {
  block.open = false;
  block.version += 1;
}

/**
 * @param {Book} book
 * @param {string} branch
 */
export function openLane(book, branch) {
  const place = book.scopes.findIndex(({ kind, branch: its }) => (kind === "lane" || kind === "gap") && its === branch);
  /** @type {Scope} */
  const lane = { kind: "lane", agent: lastSegment(branch).replace(RUN, ""), branch };
  if (place < 0) openScope(book, lane);
  else if (book.scopes[place].kind === "gap") book.scopes = book.scopes.with(place, lane);
}

/**
 * An event in a branch that no agent was seen to open still gets its lane.
 * @param {Book} book
 * @param {string} branch
 */
export function openLanes(book, branch) {
  if (!branch || lastSegment(branch).includes(":")) return;
  const around = toolBranches(branch).at(-1) ?? "";
  const known = book.scopes.some((s) =>
    s.kind === "lane" && s.branch.length > around.length && contains(around, s.branch) && contains(s.branch, branch)
  );
  if (!known) openLane(book, branch);
}

/**
 * Opens the blocks of agents at work as tools that `branch` stands in.
 * @param {(block: Block) => void} onNew called with each block before it is opened for the first time
 * @param {Book} book
 * @param {string} branch
 */
export function openBlocks(book, branch, onNew) {
  for (const path of toolBranches(branch)) {
    if (book.scopes.some((s) => s.kind === "tool" && s.branch === path)) continue;
    let block = book.blocks.get(path);
    if (!block) {
      const agent = toolAgent(path);
      const nth = (book.calls.get(agent) ?? 0) + 1;
      book.calls.set(agent, nth);
      block = { branch: path, number: book.blocks.size, agent, nth, events: 0, open: true, failed: false, version: 0 };
      book.blocks.set(path, block);
      onNew(block);
    }
    block.open = true;
    openScope(book, { kind: "tool", agent: block.agent, branch: path, block });
  }
}

/**
 * The scopes of a row as its rail: what is open, and whether the row stands inside it. What is open in an agent at work as
 * a tool shows only beside rows of whoever called it, so that many at once do not push each other aside.
 * @param {Pick<Row, "scopes" | "branch">} row
 */
export function railOf(row) {
  const shown = row.scopes.filter(({ branch }) =>
    toolBranches(branch).every((path) => contains(parentOf(path), row.branch))
  );
  return shown.map((scope) => ({ ...scope, inside: scope.kind !== "gap" && contains(scope.branch, row.branch) }));
}

/**
 * The innermost parallel branch of a row, or null; inside an agent at work as a tool, only branches of its own count.
 * @param {Pick<Row, "scopes" | "branch">} row
 */
export function laneOf(row) {
  const scope = row.scopes.findLast(({ kind, branch }) =>
    (kind === "lane" || kind === "tool") && contains(branch, row.branch)
  );
  return scope?.kind === "lane" ? scope : null;
}

/**
 * The block that a row stands in, if another one of the same agent is open beside it; else null.
 * @param {Pick<Row, "scopes" | "branch">} row
 */
export function twinBlockOf(row) {
  const own = row.scopes.findLast((scope) => scope.kind === "tool" && contains(scope.branch, row.branch));
  const twin = own && row.scopes.some((scope) => scope !== own && scope.kind === "tool" && scope.agent === own.agent);
  return twin ? own.block : null;
}
