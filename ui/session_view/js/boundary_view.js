/** Rows that are one line: where runs, passes and agents at work as tools begin and end, and what was decided. */

import { drawError, drawInjected, drawReplayed, drawReplays } from "./chips.js";
import { h, icon, markIcon } from "./dom.js";
import { argumentsLine, clip, clock, duration, plural } from "./format.js";
import { isReplay, modelsOf, originOf } from "./origin.js";
import { givenWords } from "./playbook.js";
import { markOf } from "./tree.js";
import { endWords, faultWords, iterationLabel, loopEnding, pauseWords, plannedFault, routeWords } from "./wording.js";

const ENDINGS = { completed: "check", stopped: "stop", failed: "cross_out", interrupted: "bolt", paused: "pause", limit: "stop" };

/** By type: fills `element` with a row, given the tree's `index`, `folded(branch)` and `onFold(branch)` for blocks. */
export const BOUNDARIES = {
  run: drawRun, end: drawEnd, iteration: drawIteration, loop_end: drawLoopEnd, note: drawNote,
  route: drawRoute, transfer: drawTransfer, fault: drawFault, block: drawBlock, given: drawGiven,
};

function fill(element, spoken, ...lines) {
  element.append(...lines.filter(Boolean));
  element.setAttribute("aria-label", spoken);
}

function coloured(index, name) {
  return h(`b.who.c-${markOf(index, name).colour}`, {}, name);
}

function drawRun(element, { entry: { body }, number }, { index }) {
  const faults = (body.faults ?? []).map(plannedFault);
  const { own } = modelsOf(body);
  const { simulated, partly, replays } = originOf(body);
  const line = h("div.rule", {},
    h("span.title", {}, `Run ${number}`),
    body.model && !isReplay(body.model) && h("span.quiet", {}, body.model),
    drawReplays(replays),
    simulated && body.model !== "simulated" && h("span.tag.simulated", {}, partly ? "partly simulated" : "simulated"),
    h("span.stroke"),
    h("span.quiet", {}, clock(body.timestamp)));
  const planned = faults.length > 0 && h("div.planned", {}, drawInjected("Faults that somebody asked for"), h("span", {}, faults.join("; ")));
  const models = own.length > 0 && h("div.planned.own-models", {}, own.map(([agent, name]) => h("span", {}, coloured(index, agent), ` asks ${name}`)));
  const asked = own.map(([agent, name]) => `, ${agent} asks ${name}`).join("");
  fill(element, `Run ${number}${body.model ? `, ${body.model}` : ""}${asked}${faults.length ? `, injected: ${faults.join("; ")}` : ""}`, h("div.body", {}, line, models, planned));
}

function drawEnd(element, { entry: { body }, told, limit, live }) {
  const used = (body.tokens?.input ?? 0) + (body.tokens?.output ?? 0);
  const facts = [body.calls != null && plural(body.calls, "model call"), used > 0 && plural(used, "token"), duration(body.duration)].filter(Boolean);
  const { title, look } = endWords(body, limit, told);
  const pause = live && pauseWords(live);
  const injected = body.error_code === "INJECTED_FAULT";
  element.classList.add(look);
  const line = h("div.rule", {}, h("span.ending", {}, icon(ENDINGS[look] ?? "stop"), pause ? `run ${title}` : title), pause && h("span.pause", {}, pause),
    injected && drawInjected("The error was asked for"), h("span.quiet", {}, facts.join(" · ")), h("span.stroke"));
  // The event right above may have told the same error already.
  const why = !told && look !== "limit" && (body.error_code || body.error_message) ? drawError(body.error_code, body.error_message) : null;
  const hint = body.status === "interrupted" && !why ? h("div.hint", {}, "The server went away during this run. What is above was kept; run it again to go on.") : null;
  fill(element, `Run ${title}${pause ? `: ${pause}` : ""}. ${facts.join(", ")}. ${body.error_message ?? ""}`, h("div.body", {}, line, why, hint));
}

function drawIteration(element, { entry: { body } }) {
  fill(element, `${body.agent}, ${iterationLabel(body)}`, h("div.rule", {}, h("span.title", {}, iterationLabel(body)), h("span.quiet", {}, body.agent)));
}

function drawLoopEnd(element, { entry: { body }, escalation }) {
  const why = `ended: ${loopEnding(body, escalation)}`;
  fill(element, `${body.agent} ${why}`, h("div.rule", {}, h("span.title", {}, why), h("span.quiet", {}, body.agent)));
}

function drawNote(element, { entry: { kind, body } }) {
  const { invocation_id: _i, agent, branch: _b, timestamp: _t, ...rest } = body;
  const facts = argumentsLine(rest, 200);
  const name = kind.replaceAll("_", " ");
  fill(element, `${name} ${agent ?? ""}`, h("div.rule", {}, h("span.title", {}, name), agent && h("span.quiet", {}, agent), facts && h("span.quiet.facts", {}, facts)));
}

function drawRoute(element, { entry: { body } }) {
  const { who, verb, key, about, reason, error, injected } = routeWords(body);
  const line = h("div.rule.wraps", {}, icon("choice"), h("span.title", {}, who, ` ${verb}`, key && " ", key && h("b.route-key", {}, key), reason && ":"),
    reason && h("span.reason", {}, clip(reason, 240)), about && h("span.quiet", {}, about), drawReplayed(body));
  const candidates = (body.candidates ?? []).length > 1 && h("div.candidates", {}, body.candidates.map((name) => drawCandidate(name, body)));
  const cause = error && h("div.cause", {}, injected && drawInjected("The error was asked for"), clip(error, 300));
  element.classList.toggle("none", body.key == null);
  fill(element, [`${who} ${verb} ${key}`, reason, about, error].filter(Boolean).join(". "), h("div.body", {}, line, candidates, cause));
}

function drawCandidate(name, { key, failed = [] }) {
  const [look, sign, said] = name === key ? ["chosen", "check", "chosen"] : failed.includes(name) ? ["failed", "cross_out", "failed before"] : ["left", null, "not chosen"];
  return h(`span.candidate.${look}`, { title: said }, sign && icon(sign), name);
}

function drawTransfer(element, { entry: { body } }, { index }) {
  fill(element, `${body.agent} handed over to ${body.to}`,
    h("div.rule.wraps", {}, icon("handover"), h("span.title", {}, coloured(index, body.agent), " handed over to ", coloured(index, body.to))));
}

function drawFault(element, { entry: { body } }) {
  const words = faultWords(body);
  const where = [body.agent && body.agent !== body.target && body.agent, body.model && body.model !== body.target && body.model, body.call && `model call ${body.call}`].filter(Boolean).join(" · ");
  fill(element, `Injected: ${words}. ${where}`, h("div.rule.wraps", {}, drawInjected("Somebody asked for this fault"), h("span.title", {}, words), h("span.quiet", {}, where), drawReplayed(body)));
}

function drawGiven(element, { entry: { body } }, { index }) {
  const words = givenWords(body);
  fill(element, `${words}, by ${body.agent}`, h("div.rule.wraps", {}, icon("book"), h("span.title", {}, words), "by ", coloured(index, body.agent)));
}

function drawBlock(element, { live, caller }, { index, folded, onFold }) {
  const { agent, nth, events, open, failed } = live;
  const closed = folded(live.branch);
  const state = [open ? "at work" : failed ? "failed" : "", plural(events, "event")].filter(Boolean).join(" · ");
  const button = h(`button.fold-block.c-${markOf(index, agent).colour}`, { type: "button", "aria-expanded": String(!closed), "data-takes-focus": true, title: caller ? `Called by ${caller}` : null, onclick: () => onFold(live.branch) },
    icon("chevron", "icon turn"), markIcon(markOf(index, agent)), h("b", {}, agent), h("span.quiet", {}, `as a tool${nth > 1 ? `, call ${nth}` : ""}`));
  element.classList.toggle("folded", closed);
  element.classList.toggle("open", open);
  fill(element, `${agent} as a tool${caller ? ` of ${caller}` : ""}${nth > 1 ? `, call ${nth}` : ""}`, h("div.rule", {}, button, h("span.quiet.tally", {}, state), h("span.stroke")));
}
