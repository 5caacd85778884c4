// @ts-check
/** What the records of the log read as. */

import { CALLS_LIMIT } from "../log/failures.js";
import { clip, count, duration, listing, oneLine, plural } from "./format.js";
import { phrase, said } from "./vocabulary.js";

/** @import { CaseRun, CasesTried } from "../log/entries.d.ts" */
/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { EventBody, FaultInjected, Forked, LoopFinished, RouteDecided } from "../log/entries.d.ts" */
/** @import { RunFinished, TranscriptNote } from "../log/entries.d.ts" */

/** Characters of a note's text that are shown. */
const NOTE = 500;

/** Reasons that have words of their own. */
const ENDINGS = new Set(["escalated", "max_iterations", "empty", "ended"]);

/**
 * Why a loop ended, in words.
 * @param {Pick<LoopFinished, "reason" | "by" | "iterations">} body
 * @param {{ author: string; tool: string | null } | null} escalation
 */
export function loopEnding({ reason, by, iterations }, escalation) {
  const who = by ?? escalation?.author ?? "an agent";
  const tool = escalation && (!by || escalation.author === by) ? escalation.tool : null;
  if (reason === "escalated" && tool) return said("loop_finished", "called", { by: who, tool });
  const name = ENDINGS.has(reason) ? reason : reason ? "other" : "ended";
  return said("loop_finished", name, { by: who, iterations: plural(iterations, "iteration"), reason });
}

/**
 * "iteration 2 of 5", or without the end where there is none.
 * @param {{ iteration: number; max_iterations?: number | null }} body
 */
export function iterationLabel({ iteration, max_iterations: most }) {
  return said("loop_iteration", most ? "limited" : "unlimited", { iteration, most });
}

/**
 * A routing decision: who chose, what, and what came before it. A fault's error says in its name that it was injected.
 * @param {RouteDecided} body
 */
export function routeWords({ router, agent, level, key, failed = [], error, reason }) {
  const who = router || agent || "The router";
  const before = failed.length > 0 && said("route_decided", "after", { failed: listing(failed) });
  return {
    who,
    verb: said("route_decided", key == null ? "none" : "chosen"),
    key: key ?? "",
    about: [level === "model" && said("route_decided", "model", { agent }), before].filter(Boolean).join(", "),
    reason: reason ?? "",
    error: error ?? "",
    injected: String(error ?? "").includes("InjectedFaultError"),
  };
}

/**
 * The origin of a fork, and what is different in it.
 * @param {Forked} body
 */
export function forkWords({ origin, what }) {
  return said("forked", what ? "changed" : "plain", { origin, changes: what });
}

/**
 * What the file of a coding agent says beside its messages.
 * @param {TranscriptNote} body
 */
export function transcriptNoteWords({ note, text, line }) {
  const fields = { note, line, text: clip(text.replace(/\s+/g, " ").trim(), NOTE) };
  return phrase("transcript_note", note, fields) ?? said("transcript_note", "other", fields);
}

/**
 * A case that was run, and what it said.
 * @param {CaseRun} body
 */
export function caseWords({ case: name, outcome, what }) {
  return said("case_run", outcome === "held" || outcome === "failed" ? outcome : "error", { case: name, what });
}

/**
 * The cases that a delta was tried on.
 * @param {CasesTried} body
 */
export function triedWords({ tried = 0, broken = [], problems = [], why }) {
  if (why) return said("cases_tried", "unable", { why });
  const cases = `${tried} case${tried === 1 ? "" : "s"}`;
  const words = said("cases_tried", broken.length > 0 ? "broken" : "passed", { cases, broken: broken.join(", ") });
  return problems.length > 0 ? said("cases_tried", "some", { said: words, problems: problems.join("; ") }) : words;
}

/**
 * What a fault does, as the rest of a sentence about the model.
 * @param {string | undefined} fault
 */
function faultDoes(fault = "") {
  return phrase("fault_injected", fault) ?? String(fault).replaceAll("_", " ");
}

/**
 * A tool of a fork that was not called.
 * @param {{ tool: string }} body
 */
export function recordedWords({ tool }) {
  return said("tool_recorded", "used", { tool });
}

/**
 * An agent that handed over.
 * @param {{ agent: string; to: string }} body
 */
export function transferWords({ agent, to }) {
  return said("transfer", "done", { agent, to });
}

/**
 * A fault that happened.
 * @param {Pick<FaultInjected, "fault" | "target" | "agent" | "seconds">} body
 */
export function faultWords({ fault, target, agent, seconds }) {
  const who = target && target !== "*" ? target : agent || "the model";
  return `${who} ${faultDoes(fault)}${seconds ? `: ${duration(seconds)}` : ""}`;
}

/**
 * A fault that a run was told to have, "TARGET:KIND:CALL".
 * @param {unknown} text
 */
export function plannedFault(text) {
  const [target, kind, call, seconds] = String(text).split(":");
  const long = seconds ? ` for ${seconds} s` : "";
  const when = call === "0" ? ", every call" : call ? `, call ${call}` : "";
  return `${target === "*" ? "every agent" : target} ${faultDoes(kind)}${long}${when}`;
}

/**
 * The revision of the team that ran, and the one that the team has now if it was changed since; "" for another pipeline.
 * @param {number | null | undefined} ran
 * @param {number | null} now
 */
export function teamWords(ran, now) {
  if (!ran) return "";
  return `Revision ${ran} of the team${now && now !== ran ? `, which has revision ${now} now` : ""}`;
}

/**
 * The fault that an event is the work of, as text; null for an ordinary event.
 * @param {EventBody} body
 * @returns {string | null}
 */
export function injectedInto(body) {
  const told = body.custom_metadata?.injected_fault;
  if (!told && body.error_code !== "INJECTED_FAULT") return null;
  if (typeof told === "string") return told.includes(":") ? plannedFault(told) : (phrase("fault_injected", told) ?? told);
  return told?.fault ? faultWords(told) : "somebody asked for this fault";
}

/**
 * How a run ended: a title, and what it looks like. The limit of model calls is a plain end; `told`: the row above says it.
 * One that was cut off has not ended: another server goes on with it.
 * @param {Pick<RunFinished, "status" | "error_code" | "cut_off">} body
 * @param {number | null} limit
 * @param {boolean} told
 */
export function endWords({ status, error_code: code, cut_off: cutOff }, limit, told = false) {
  if (cutOff) return { title: "cut off, as its server was gone", look: "interrupted" };
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

/** @param {string | null | undefined} code */
export function leadsToSettings(code) {
  return SETTINGS.has(String(code));
}
