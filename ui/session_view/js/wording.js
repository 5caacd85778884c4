/** What the records of the log read as. Pure; knows neither the page nor the log around a record. */

import { CALLS_LIMIT } from "./activity.js";
import { count, duration, fileSize, oneLine, plural } from "./format.js";
import { wordsOf } from "./origin.js";

/** Why a loop ended, in words. */
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

/** "iteration 2 of 5", or without the end where there is none. */
export function iterationLabel({ iteration, max_iterations: most }) {
  return most ? `iteration ${iteration} of ${most}` : `iteration ${iteration}`;
}

/** A routing decision: who chose, what, and what came before it. A fault's error says in its name that it was injected. */
export function routeWords({ router, agent, level, key, failed = [], error, reason }) {
  const who = router || agent || "The router";
  const before = failed.length ? `after ${listed(failed)} failed` : "";
  return {
    who, verb: key == null ? "chose none" : "chose", key: key ?? "",
    about: [level === "model" && `model of ${agent}`, before].filter(Boolean).join(", "),
    reason: reason ?? "", error: error ?? "", injected: String(error ?? "").includes("InjectedFaultError"),
  };
}

const FAULTS = {
  fail_before: "fails before its first word",
  fail_after: "fails after its first word",
  delay: "is slow to begin",
  malformed_json: "answers with broken JSON",
  unknown_tool: "calls a tool that does not exist",
  refuse: "refuses to answer",
};

/** A fault that happened. */
export function faultWords({ fault, target, agent, seconds }) {
  const who = target && target !== "*" ? target : agent || "the model";
  return `${who} ${FAULTS[fault] ?? String(fault).replaceAll("_", " ")}${seconds ? `: ${duration(seconds)}` : ""}`;
}

/** A fault that a run was told to have, "TARGET:KIND:CALL". */
export function plannedFault(text) {
  const [target, kind, call, seconds] = String(text).split(":");
  const long = seconds ? ` for ${seconds} s` : "";
  const when = call === "0" ? ", every call" : call ? `, call ${call}` : "";
  return `${target === "*" ? "every agent" : target} ${FAULTS[kind] ?? (kind ?? "").replaceAll("_", " ")}${long}${when}`;
}

/** The fault that an event is the work of, as text; null for an ordinary event. */
export function injectedInto(body) {
  const told = body.custom_metadata?.injected_fault;
  if (!told && body.error_code !== "INJECTED_FAULT") return null;
  if (typeof told === "string") return told.includes(":") ? plannedFault(told) : (FAULTS[told] ?? told);
  return told?.fault ? faultWords(told) : "somebody asked for this fault";
}

/** How a run ended: a title, and what it looks like. The limit of model calls is a plain end; `told`: the row above says it. */
export function endWords({ status, error_code: code }, limit, told = false) {
  if (code === CALLS_LIMIT) return { title: told ? "stopped at the limit" : limitWords(limit), look: "limit" };
  return { title: status ?? "ended", look: status ?? "ended" };
}

export function limitWords(limit) {
  return limit ? `stopped after ${plural(limit, "model call")}, the limit of this run` : "stopped at the limit of model calls";
}

/** A pause: what it waits for, or how it went on. */
export function pauseWords({ waiting, waited, over }) {
  if (waited != null) return `went on after ${duration(waited)}`;
  return over ? "given up by a later message" : waitingWords(waiting);
}

export function waitingWords(n) {
  return `${count(n)} ${n === 1 ? "call waits" : "calls wait"} for an answer`;
}

/** A setting's value: a switch is on or off. */
export function settingValue(value) {
  if (value === undefined) return "not set";
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "string" && value !== "" ? value : oneLine(value, 80);
}

// ---- models --------------------------------------------------------------------------------------------------------

/** A try of a model call that failed, and when the next one is made. */
export function retryWords({ model, attempt, delay, code, replayed }) {
  if (replayed) return `The model ${model ?? "called"} failed${codeIn(code)} when this was recorded, and was tried again`;
  return `The model ${model ?? "called"} failed${codeIn(code)}. Try ${(attempt ?? 1) + 1} ${delay > 0 ? `in ${duration(delay)}` : "at once"}`;
}

/** The same while it is waited for; `now` in seconds since the epoch. */
export function tryingWords({ agent, model, attempt, delay, code, at }, now) {
  const left = Math.min(delay ?? 0, (at ?? 0) + (delay ?? 0) - now);
  const next = `try ${(attempt ?? 1) + 1}`;
  return left > 0 ? `${agent}: ${model} failed${codeIn(code)}, ${next} in ${Math.ceil(left)} s` : `${agent}: ${next} of ${model}`;
}

function codeIn(code) {
  return code ? ` (${codeWords(code)})` : "";
}

/** An error's code inside a sentence: "503", "connection cut". */
export function codeWords(code) {
  return /^[A-Z][A-Z_]*$/.test(code) ? code.toLowerCase().replaceAll("_", " ") : String(code);
}

/** A model call that somebody stopped. */
export function stoppedWords({ first_token: first, duration: seconds }) {
  return `was stopped ${first == null ? "before its first word" : "in the middle of its answer"}${seconds == null ? "" : `, after ${duration(seconds)}`}`;
}

/** What a replayed model is asked now, and was not when it was recorded. */
export function driftWords({ drifted }) {
  const words = wordsOf(drifted);
  return `The request is not the recorded one${words.length ? `: ${listed(words)} changed` : ""}`;
}

const PROTOCOLS = { json: "Tools are called by JSON that the model writes", native: "Tools are called by the model's own tool calls" };

/** How tools are offered to a model. */
export function protocolWords({ protocol }) {
  return PROTOCOLS[protocol] ?? `Tools are called by the protocol ${String(protocol)}`;
}

/** A model that is loaded into this process; `progress` from 0 to 1. */
export function loadingWords({ model, seconds, bytes, progress, over }) {
  const size = fileSize(bytes);
  if (seconds != null) return `Loaded the model ${model} ${[`in ${duration(seconds)}`, size].filter(Boolean).join(", ")}`;
  if (over) return `The model ${model} was not loaded`;
  const far = [size, progress > 0 && `${Math.round(progress * 100)} %`].filter(Boolean).join(", ");
  return `Loading the model ${model}${far ? ` (${far})` : ""} …`;
}

/** Errors that a person mends on the Settings page: keys, servers, names and files of models. */
const SETTINGS = new Set(["API_KEY_MISSING", "API_KEY_INVALID", "API_KEY_WITHHELD", "401", "403", "404", "429", "CONNECTION_FAILED", "EXTRA_MISSING", "MODEL_FILE"]);

export function leadsToSettings(code) {
  return SETTINGS.has(String(code));
}

function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
