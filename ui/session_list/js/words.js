// @ts-check
/** Times as a row says them: how long ago, and when. */

/** @import { Precision } from "./types.d.ts" */

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86400;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * How long ago, in the words of `ui.text.labels.ago`.
 * @param {number} timestamp in seconds since the epoch, like `now`
 * @param {number} now
 */
export function ago(timestamp, now) {
  const passed = Math.max(0, now - timestamp);
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  return passed < 2 * DAY ? "yesterday" : day(timestamp, now);
}

/**
 * The clock time, with the date if that is not today.
 * @param {number} timestamp
 * @param {{ now: number; precision: Precision }} how
 */
export function timeOf(timestamp, { now, precision }) {
  const today = date(timestamp).toDateString() === date(now).toDateString();
  return `${today ? "" : `${day(timestamp, now)}, `}${clock(timestamp, precision)}`;
}

/**
 * The whole time, for a tooltip.
 * @param {number} timestamp
 */
export function fullTime(timestamp) {
  const at = date(timestamp);
  return `Last change: ${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}, ${clock(timestamp, "second")}`;
}

/**
 * @param {number} timestamp
 * @param {Precision} precision
 */
function clock(timestamp, precision) {
  const at = date(timestamp);
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()].slice(0, precision === "second" ? 3 : 2);
  return parts.map((n) => String(n).padStart(2, "0")).join(":");
}

/**
 * @param {number} timestamp
 * @param {number} now
 */
function day(timestamp, now) {
  const at = date(timestamp);
  const year = at.getFullYear() === date(now).getFullYear() ? "" : ` ${at.getFullYear()}`;
  return `${at.getDate()} ${MONTHS[at.getMonth()]}${year}`;
}

/** @param {number} timestamp */
function date(timestamp) {
  return new Date(timestamp * 1000);
}
