// @ts-check
/** What changed between two texts, as runs of kept, removed and added words. */

/** @typedef {{ op: "=" | "-" | "+"; text: string; cut?: boolean }} Run */

const TOKENS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
const MOST_EDITS = 600;

/** @type {(text: string) => Run} */
const kept = (text) => ({ op: "=", text });
/** @type {(text: string) => Run} */
const removed = (text) => ({ op: "-", text });
/** @type {(text: string) => Run} */
const added = (text) => ({ op: "+", text });

/**
 * Differences of two texts by words; leaving out "-" gives `after`, leaving out "+" gives `before`.
 * @param {string} before
 * @param {string} after
 * @returns {Run[]}
 */
export function diffWords(before, after) {
  return tidy(diffTexts(before.match(TOKENS) ?? [], after.match(TOKENS) ?? []));
}

/**
 * Differences of two lists of texts, a run for each text.
 * @param {string[]} a
 * @param {string[]} b
 * @returns {Run[]}
 */
export function diffTexts(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) endA--, endB--;
  const middle = shortestEdits(a.slice(start, endA), b.slice(start, endB));
  return [...a.slice(0, start).map(kept), ...middle, ...a.slice(endA).map(kept)];
}

/**
 * Myers' greedy algorithm (An O(ND) Difference Algorithm, 1986); past MOST_EDITS the whole stretch counts as replaced.
 * @param {string[]} a
 * @param {string[]} b
 * @returns {Run[]}
 */
function shortestEdits(a, b) {
  const replaced = [...a.map(removed), ...b.map(added)];
  if (!a.length || !b.length) return replaced;
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const trace = [];
  for (let d = 0; d <= most; d++) {
    trace.push(reach.slice(middle - d - 1, middle + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[middle + k - 1] < reach[middle + k + 1]);
      let x = down ? reach[middle + k + 1] : reach[middle + k - 1] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, trace);
    }
  }
  return replaced;
}

/**
 * @param {string[]} a
 * @param {string[]} b
 * @param {Int32Array[]} trace
 * @returns {Run[]}
 */
function walkBack(a, b, trace) {
  /** @type {Run[]} */
  const edits = [];
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    /** @param {number} k */
    const at = (k) => trace[d][k + d + 1];
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(fromK);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) edits.push(kept(a[--x])), y--;
    if (d === 0) break;
    if (down) edits.push(added(b[--y]));
    else edits.push(removed(a[--x]));
  }
  return edits.reverse();
}

/**
 * Joins edits to runs; in a changed stretch what went stands before what came.
 * @param {Run[]} edits
 */
function tidy(edits) {
  let runs = joined(edits);
  // A word or two that happens to stay between two larger changes makes both hard to read: it counts as changed.
  for (let again = true; again;) {
    again = false;
    for (let i = 1; i < runs.length - 1; i++) {
      if (runs[i].op !== "=" || !isChaff(runs, i)) continue;
      const { text } = runs[i];
      runs.splice(i, 1, removed(text), added(text));
      again = true;
    }
    if (again) runs = joined(runs);
  }
  return runs;
}

/**
 * @param {Run[]} runs
 * @param {number} i
 */
function isChaff(runs, i) {
  /**
   * @param {number} from
   * @param {number} step
   */
  const size = (from, step) => {
    const sizes = { "-": 0, "+": 0, "=": 0 };
    for (let at = from; runs[at] && runs[at].op !== "="; at += step) sizes[runs[at].op] += runs[at].text.length;
    return Math.max(sizes["-"], sizes["+"]);
  };
  const length = runs[i].text.trim().length;
  return length <= size(i - 1, -1) && length <= size(i + 1, 1) && length < 24;
}

/** @param {Run[]} edits */
function joined(edits) {
  /** @type {Run[]} */
  const runs = [];
  let before = "";
  let after = "";
  const flush = () => {
    if (before) runs.push(removed(before));
    if (after) runs.push(added(after));
    before = after = "";
  };
  for (const { op, text } of edits) {
    if (op === "-") before += text;
    else if (op === "+") after += text;
    else {
      flush();
      const last = runs.at(-1);
      if (last?.op === "=") last.text += text;
      else runs.push(kept(text));
    }
  }
  flush();
  return runs;
}

/**
 * Whether so little stayed that the two texts are better read one after the other.
 * @param {Run[]} runs
 */
export function isRewrite(runs) {
  const size = (/** @type {Run["op"]} */ op) => runs.reduce((sum, run) => (run.op === op ? sum + run.text.length : sum), 0);
  return size("=") < 0.3 * (size("=") + Math.max(size("-"), size("+")));
}

/**
 * Shortens long kept runs to their ends, so that a small change in a long text is seen at once.
 * @param {Run[]} runs
 * @param {number} around
 * @returns {Run[]}
 */
export function focusDiff(runs, around = 90) {
  return runs.map((run, i) => {
    if (run.op !== "=" || run.text.length <= 2 * around + 40) return run;
    const head = i === 0 ? "" : run.text.slice(0, around);
    const tail = i === runs.length - 1 ? "" : run.text.slice(-around);
    return { op: "=", text: `${head} … ${tail}`.trim(), cut: true };
  });
}
