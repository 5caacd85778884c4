/** What changed between two texts, as runs of kept, removed and added words. Pure. */

const TOKENS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
const MOST_EDITS = 600;

/**
 * Differences of two texts by words.
 * @returns {Array<{op: "=" | "-" | "+", text: string}>} Runs in order; leaving out "-" gives `after`, leaving out "+" `before`.
 */
export function diffWords(before, after) {
  const a = before.match(TOKENS) ?? [];
  const b = after.match(TOKENS) ?? [];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) endA--, endB--;
  const middle = shortestEdits(a.slice(start, endA), b.slice(start, endB));
  return tidy([
    ...a.slice(0, start).map((text) => ({ op: "=", text })),
    ...middle,
    ...a.slice(endA).map((text) => ({ op: "=", text })),
  ]);
}

/** Myers' greedy algorithm (An O(ND) Difference Algorithm, 1986); past MOST_EDITS the whole stretch counts as replaced. */
function shortestEdits(a, b) {
  const replaced = [...a.map((text) => ({ op: "-", text })), ...b.map((text) => ({ op: "+", text }))];
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

function walkBack(a, b, trace) {
  const edits = [];
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    const at = (k) => trace[d][k + d + 1];
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(fromK);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) edits.push({ op: "=", text: a[--x] }), y--;
    if (d === 0) break;
    if (down) edits.push({ op: "+", text: b[--y] });
    else edits.push({ op: "-", text: a[--x] });
  }
  return edits.reverse();
}

/** Joins edits to runs; in a changed stretch what went stands before what came. */
function tidy(edits) {
  let runs = joined(edits);
  // A word or two that happens to stay between two larger changes makes both hard to read: it counts as changed.
  for (let again = true; again; ) {
    again = false;
    for (let i = 1; i < runs.length - 1; i++) {
      if (runs[i].op !== "=" || !isChaff(runs, i)) continue;
      const { text } = runs[i];
      runs.splice(i, 1, { op: "-", text }, { op: "+", text });
      again = true;
    }
    if (again) runs = joined(runs);
  }
  return runs;
}

function isChaff(runs, i) {
  const size = (from, step) => {
    const sizes = { "-": 0, "+": 0 };
    for (let at = from; runs[at] && runs[at].op !== "="; at += step) sizes[runs[at].op] += runs[at].text.length;
    return Math.max(sizes["-"], sizes["+"]);
  };
  const kept = runs[i].text.trim().length;
  return kept <= size(i - 1, -1) && kept <= size(i + 1, 1) && kept < 24;
}

function joined(edits) {
  const runs = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed) runs.push({ op: "-", text: removed });
    if (added) runs.push({ op: "+", text: added });
    removed = added = "";
  };
  for (const { op, text } of edits) {
    if (op === "-") removed += text;
    else if (op === "+") added += text;
    else {
      flush();
      const last = runs.at(-1);
      if (last?.op === "=") last.text += text;
      else runs.push({ op: "=", text });
    }
  }
  flush();
  return runs;
}

/** Whether so little stayed that the two texts are better read one after the other. */
export function isRewrite(runs) {
  const size = (op) => runs.reduce((sum, run) => (run.op === op ? sum + run.text.length : sum), 0);
  return size("=") < 0.3 * (size("=") + Math.max(size("-"), size("+")));
}

/** Shortens long kept runs to their ends, so that a small change in a long text is seen at once. */
export function focusDiff(runs, around = 90) {
  return runs.map((run, i) => {
    if (run.op !== "=" || run.text.length <= 2 * around + 40) return run;
    const head = i === 0 ? "" : run.text.slice(0, around);
    const tail = i === runs.length - 1 ? "" : run.text.slice(-around);
    return { op: "=", text: `${head} … ${tail}`.trim(), cut: true };
  });
}
