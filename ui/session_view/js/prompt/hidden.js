// @ts-check
/**
 * What of a log agents no longer see: what a rewind took back, and what a summary stands for. The same as
 * `agents.history.rewinds` and `agents.history.summaries`.
 */

import { placeUpTo } from "../log/places.js";
import { memo } from "./memo.js";

/** @import { Compaction, EventEntry, Part } from "../log/entries.d.ts" */

/** @typedef {{ place: number; entry: EventEntry; made: Compaction }} Summary */

/** The event of a summary with the summary as its content. */
const asMessage = memo((/** @type {EventEntry} */ entry) => {
  return /** @type {EventEntry} */ ({
    ...entry,
    body: { ...entry.body, content: entry.body.actions?.compaction?.compacted_content },
  });
});

/**
 * Whether an event brings a summary.
 * @param {EventEntry} entry
 */
export function isSummary({ body }) {
  return !body.content && Boolean(body.actions?.compaction);
}

/**
 * @param {EventEntry[]} events oldest first
 * @returns {EventEntry[]}
 */
export function withSummaries(events) {
  const standing = summariesIn(events);
  const last = standing.at(-1);
  if (!last) return events;
  const isCovered = coverage(standing);
  const waiting = standing.toSorted((a, b) => a.made.end_timestamp - b.made.end_timestamp || a.place - b.place);
  /** @type {EventEntry[]} */
  const kept = [];
  let next = 0;
  events.forEach((entry, place) => {
    const time = entry.body.timestamp;
    if (isSummary(entry) || (place < last.place && isCovered(time))) return;
    while (next < waiting.length && (place > last.place || waiting[next].made.end_timestamp < time)) {
      kept.push(asMessage(waiting[next++].entry));
    }
    kept.push(entry);
  });
  kept.push(...waiting.slice(next).map(({ entry }) => asMessage(entry)));
  return withCalls(kept, events);
}

/**
 * The summaries that stand, in the order of their events: without those whose range lies within that of another.
 * @param {EventEntry[]} events
 */
function summariesIn(events) {
  const found = events.flatMap((entry, place) => {
    const made = entry.body.actions?.compaction;
    return made && isSummary(entry) ? [/** @type {Summary} */ ({ place, entry, made })] : [];
  });
  const byRange = found.toSorted((a, b) =>
    a.made.start_timestamp - b.made.start_timestamp || b.made.end_timestamp - a.made.end_timestamp || b.place - a.place
  );
  /** @type {Set<Summary>} */
  const standing = new Set();
  let end = -Infinity;
  for (const one of byRange) {
    if (one.made.end_timestamp <= end) continue;
    standing.add(one);
    end = one.made.end_timestamp;
  }
  return found.filter((one) => standing.has(one));
}

/**
 * Whether a time is one that summaries cover.
 * @param {Summary[]} standing
 * @returns {(time: number) => boolean}
 */
function coverage(standing) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const { made } of standing.toSorted((a, b) => a.made.start_timestamp - b.made.start_timestamp)) {
    const before = ranges.at(-1);
    if (before && made.start_timestamp <= before[1]) before[1] = Math.max(before[1], made.end_timestamp);
    else ranges.push([made.start_timestamp, made.end_timestamp]);
  }
  return (time) => {
    const range = ranges[placeUpTo(ranges, time, ([start]) => start)];
    return range !== undefined && time <= range[1];
  };
}

/**
 * The kept events, before each response whose call is covered the event of the call, and the other responses to that.
 * @param {EventEntry[]} kept
 * @param {EventEntry[]} events
 */
function withCalls(kept, events) {
  /** @type {Map<string, EventEntry>} */
  const latest = new Map();
  /** @type {Map<Part, EventEntry>} */
  const calls = new Map();
  /** @type {Map<EventEntry, Map<string, EventEntry>>} */
  const answers = new Map();
  for (const entry of events) {
    for (const part of partsOf(entry)) {
      if (part.function_call?.id) latest.set(part.function_call.id, entry);
      const id = part.function_response?.id;
      const call = id && latest.get(id);
      if (!call) continue;
      calls.set(part, call);
      answers.set(call, (answers.get(call) ?? new Map()).set(id, entry));
    }
  }
  const there = new Set(kept);
  return kept.flatMap((entry) => {
    const before = partsOf(entry).flatMap((part) => {
      const call = calls.get(part);
      if (!call || there.has(call)) return [];
      const others = partsOf(call).flatMap(({ function_call: made }) => answers.get(call)?.get(made?.id ?? "") ?? []);
      const missing = [call, ...others].filter((one, i, all) => !there.has(one) && all.indexOf(one) === i);
      for (const one of missing) there.add(one);
      return missing;
    });
    return [...before, entry];
  });
}

/** @param {EventEntry} entry */
function partsOf({ body }) {
  return body.content?.parts ?? [];
}

/**
 * @param {EventEntry} event
 */
export function isRewind({ body }) {
  return body.actions?.rewind_before_invocation_id != null;
}

/**
 * The events without those that a rewind takes back, and without the events of rewinds.
 * @param {EventEntry[]} events oldest first
 */
export function withoutRewound(events) {
  if (!events.some(isRewind)) return events;
  /** @type {Map<string, number>} */
  const first = new Map();
  events.forEach(({ body: { invocation_id: id } }, place) => first.has(id) || first.set(id, place));
  /** @type {EventEntry[]} */
  const kept = [];
  for (let place = events.length - 1; place >= 0; place--) {
    const target = events[place].body.actions?.rewind_before_invocation_id;
    if (target == null) kept.push(events[place]);
    else place = Math.min(place, first.get(target) ?? place);
  }
  return kept.reverse();
}
