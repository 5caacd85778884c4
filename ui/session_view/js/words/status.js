// @ts-check
/** What the status line says. */

import { CALLS_LIMIT } from "../log/failures.js";
import { workedInAll } from "../log/folds/runs.js";
import { duration } from "./format.js";
import { loadingWords, tryingWords } from "./models.js";
import { iterationLabel } from "./records.js";
import { sumsLine } from "./usage.js";

/** @import { Activity, Log } from "../log/folds.d.ts" */
/** @import { PriceRow } from "../log/prices.js" */

/** @type {Record<string, string>} */
const WORDS = { idle: "ready", queued: "waiting for its turn", paused: "waiting for you" };

/**
 * How a session stands: a word, and what it looks like. The limit of model calls is a plain stop.
 * @param {string} status
 * @param {string | null | undefined} error of the last run
 */
export function statusWord(status, error) {
  if (status === "failed" && error === CALLS_LIMIT) return { word: "stopped at its limit", look: "stopped" };
  return { word: WORDS[status] ?? status, look: status };
}

/**
 * Where a run stands: its innermost open loop, and who is at work, or what they wait for.
 * @param {Activity} activity
 * @param {number} now in seconds since the epoch
 */
export function whereWords(activity, now) {
  const loop = [...activity.loops.values()].findLast(({ open }) => open);
  const tries = [...activity.retrying.values()];
  const last = tries.at(-1);
  const trying = new Set(tries.map(({ agent }) => agent));
  const busy = [...activity.models, ...activity.tools].filter(([, n]) => n > 0).map(([key]) => key.split("/")[0]);
  const who = [...new Set(busy)].filter((name) => !trying.has(name));
  const loads = [...activity.loading].map(([model, progress]) => loadingWords({ model, progress }));
  return [
    loop && iterationLabel({ iteration: loop.iteration, max_iterations: loop.max }),
    last && tryingWords(last, now),
    tries.length > 1 && `${tries.length - 1} more`,
    who.length > 3 ? `${who.length} agents` : who.join(", "),
    ...loads,
  ].filter(Boolean).join(" · ");
}

/**
 * What all runs used so far: tokens, cost and time; while one is running, time in whole seconds.
 * @param {Log} log
 * @param {boolean} running
 * @param {PriceRow[]} prices
 * @param {number} now in seconds since the epoch
 */
export function spentWords(log, running, prices, now) {
  const seconds = workedInAll(log.runs, now);
  const time = seconds === null ? "" : running ? `${Math.floor(seconds)} s` : duration(seconds);
  return [...sumsLine(log.usage.total, prices), time].filter(Boolean).join(" · ");
}
