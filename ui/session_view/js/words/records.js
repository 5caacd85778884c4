// @ts-check
/** What the records of the log read as. */

import { CALLS_LIMIT } from "../log/activity.js";
import { count, duration, listing, oneLine, plural } from "./format.js";

/** @import { EventBody, FaultInjected, Json, LoopFinished, RouteDecided, RunFinished } from "../log/entries.d.ts" */

/**
 * Why a loop ended, in words.
 * @param {Pick<LoopFinished, "reason" | "by" | "iterations">} body
 * @param {{ author: string; tool: string | null } | null} escalation
 */
export function loopEnding({ reason, by, iterations }, escalation) {
  if (reason === "escalated") {
    const who = by ?? escalation?.author ?? "an agent";
    const tool = escalation && (!by || escalation.author === by) ? escalation.tool : null;
    return tool ? `${who} called ${tool}` : `${who} escalated`;
  }
  if (reason === "max_iterations") return `${iterations} ${iterations === 1 ? "iteration" : "iterations"} reached`;
  if (reason === "empty") return "it has no agents to run";
  return reason && reason !== "ended" ? reason : "nothing left to do";
}

/**
 * "iteration 2 of 5", or without the end where there is none.
 * @param {{ iteration: number; max_iterations?: number | null }} body
 */
export function iterationLabel({ iteration, max_iterations: most }) {
  return most ? `iteration ${iteration} of ${most}` : `iteration ${iteration}`;
}

/**
 * A routing decision: who chose, what, and what came before it. A fault's error says in its name that it was injected.
 * @param {RouteDecided} body
 */
export function routeWords({ router, agent, level, key, failed = [], error, reason }) {
  const who = router || agent || "The router";
  const before = failed.length ? `after ${listing(failed)} failed` : "";
  return {
    who,
    verb: key == null ? "chose none" : "chose",
    key: key ?? "",
    about: [level === "model" && `model of ${agent}`, before].filter(Boolean).join(", "),
    reason: reason ?? "",
    error: error ?? "",
    injected: String(error ?? "").includes("InjectedFaultError"),
  };
}

/** @type {Record<string, string>} */
const FAULTS = {
  fail_before: "fails before its first word",
  fail_after: "fails after its first word",
  delay: "is slow to begin",
  malformed_json: "answers with broken JSON",
  unknown_tool: "calls a tool that does not exist",
  refuse: "refuses to answer",
};

/**
 * A fault that happened.
 * @param {Pick<FaultInjected, "fault" | "target" | "agent" | "seconds">} body
 */
export function faultWords({ fault, target, agent, seconds }) {
  const who = target && target !== "*" ? target : agent || "the model";
  return `${who} ${FAULTS[fault] ?? String(fault).replaceAll("_", " ")}${seconds ? `: ${duration(seconds)}` : ""}`;
}

/**
 * A fault that a run was told to have, "TARGET:KIND:CALL".
 * @param {unknown} text
 */
export function plannedFault(text) {
  const [target, kind, call, seconds] = String(text).split(":");
  const long = seconds ? ` for ${seconds} s` : "";
  const when = call === "0" ? ", every call" : call ? `, call ${call}` : "";
  return `${target === "*" ? "every agent" : target} ${FAULTS[kind] ?? (kind ?? "").replaceAll("_", " ")}${long}${when}`;
}

/**
 * The fault that an event is the work of, as text; null for an ordinary event.
 * @param {EventBody} body
 * @returns {string | null}
 */
export function injectedInto(body) {
  const told = body.custom_metadata?.injected_fault;
  if (!told && body.error_code !== "INJECTED_FAULT") return null;
  if (typeof told === "string") return told.includes(":") ? plannedFault(told) : (FAULTS[told] ?? told);
  return told?.fault ? faultWords(told) : "somebody asked for this fault";
}

/**
 * How a run ended: a title, and what it looks like. The limit of model calls is a plain end; `told`: the row above says it.
 * @param {Pick<RunFinished, "status" | "error_code">} body
 * @param {number | null} limit
 * @param {boolean} told
 */
export function endWords({ status, error_code: code }, limit, told = false) {
  if (code === CALLS_LIMIT) return { title: told ? "stopped at the limit" : limitWords(limit), look: "limit" };
  return { title: status ?? "ended", look: status ?? "ended" };
}

/** @param {number | null} limit */
export function limitWords(limit) {
  return limit
    ? `stopped after ${plural(limit, "model call")}, the limit of this run`
    : "stopped at the limit of model calls";
}

/**
 * A pause: what it waits for, or how it went on.
 * @param {{ waiting: number; waited: number | null; over: boolean }} pause
 */
export function pauseWords({ waiting, waited, over }) {
  if (waited != null) return `went on after ${duration(waited)}`;
  return over ? "given up by a later message" : waitingWords(waiting);
}

/** @param {number} n */
export function waitingWords(n) {
  return `${count(n)} ${n === 1 ? "call waits" : "calls wait"} for an answer`;
}

/**
 * A setting's value: a switch is on or off.
 * @param {Json} value
 */
export function settingValue(value) {
  if (value === undefined) return "not set";
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "string" && value !== "" ? value : oneLine(value, 80);
}

/** Errors that a user mends on the Settings page: keys, servers, names and files of models. */
const SETTINGS = new Set([
  "API_KEY_MISSING",
  "API_KEY_INVALID",
  "API_KEY_WITHHELD",
  "401",
  "403",
  "404",
  "429",
  "CONNECTION_FAILED",
  "EXTRA_MISSING",
  "MODEL_FILE",
]);

/** @param {string | undefined} code */
export function leadsToSettings(code) {
  return SETTINGS.has(String(code));
}
