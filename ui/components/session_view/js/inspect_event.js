/** The Event tab: the facts of one entry. */

import { drawPlaybookValue } from "./change_view.js";
import { h } from "./dom.js";
import { argumentsLine, clock, count, duration, pretty } from "./format.js";
import { drawValue } from "./inspect_state.js";
import { picturesOf, drawError, drawInjected } from "./chips.js";
import { requestTo } from "./branches.js";
import { isReference, PLAYBOOK } from "./playbook.js";
import { modelCallOf } from "./spans.js";
import { markOf } from "./tree.js";
import { injectedInto } from "./wording.js";

export function drawEventTab(view) {
  const { selected } = view;
  if (!selected) return drawNothing();
  return selected.kind === "event" ? drawEvent(selected, view) : drawRecord(selected);
}

export function drawNothing() {
  return h("div.lesson", {}, h("b", {}, "Select an event."),
    h("p", {}, "Click one in the list, or step through with ", h("kbd", {}, "j"), " and ", h("kbd", {}, "k"), ". Its facts appear here; the State tab then shows the state right after it, and the graph who was at work."));
}

function drawEvent(entry, view) {
  const { body } = entry;
  const { actions = {}, usage_metadata: usage = {} } = body;
  const call = body.author === "user" ? null : modelCallOf(view.log, entry);
  const parts = body.content?.parts ?? [];
  const pictures = picturesOf(parts);
  const to = requestTo(body);
  const injected = injectedInto(body);
  return [
    h("p.where", {}, to && "Request to ", h(`b.c-${markOf(view.index, to ?? body.author).colour}`, {}, to ?? body.author), `, event ${view.ordinal} of ${count(view.log.events)}`),
    injected && h("p.note", {}, drawInjected(injected), ` ${injected}`),
    (body.error_code || body.error_message) && drawError(body.error_code, body.error_message),
    facts([
      ["time", clock(body.timestamp, true)],
      ["branch", body.branch],
      ["stop reason", body.stop_reason],
      ["model", body.model_version ?? call?.model],
      ["model call", call?.duration != null && `${duration(call.duration)}${call.first_token != null ? `, first word after ${duration(call.first_token)}` : ""}`],
      ["tokens", tokensText(usage, call)],
      ["actions", actionsText(actions)],
      ["event id", body.id, true],
      ["invocation", body.invocation_id, true],
      ["seq", String(entry.seq), true],
    ]),
    parts.filter((p) => p.text && p.thought).map((p) => section("Thought", h("div.value.string", {}, p.text))),
    parts.filter((p) => p.function_call).map(({ function_call: c }) => section(`Calls ${c.name}`, drawValue(`call:${c.id}`, c.args ?? {}, view))),
    parts.filter((p) => p.function_response).map(({ function_response: r }) => section(`${r.name} answered`, drawValue(`answer:${r.id}`, r.response ?? {}, view))),
    pictures.length > 0 && section("Pictures", h("div.pictures.large", {}, pictures)),
    Object.entries(actions.state_delta ?? {}).map(([key, value]) => key === PLAYBOOK && isReference(value) ? section("Commits to the playbook", drawPlaybookValue(`sets:${key}`, value, view)) : section(`Sets ${key}`, drawValue(`sets:${key}`, value, view))),
    body.custom_metadata && section("Custom metadata", h("div.value", {}, pretty(body.custom_metadata))),
  ];
}

function drawRecord({ kind, seq, body }) {
  const { invocation_id: invocation, agent, branch, timestamp, ...rest } = body;
  const simple = Object.entries(rest).map(([key, value]) => [key.replaceAll("_", " "), factText(key, value)]);
  return [
    h("p.where", {}, h("b", {}, kind.replaceAll("_", " ")), agent && `, ${agent}`),
    facts([...simple, ["time", clock(timestamp, true)], ["branch", branch], ["invocation", invocation, true], ["seq", String(seq), true]]),
  ];
}

function factText(key, value) {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
  if (value !== null && typeof value === "object") return pretty(value);
  return key === "duration" ? duration(value) : String(value ?? "none");
}

function facts(rows) {
  return h("dl.facts", {}, rows.filter(([, value]) => value).map(([name, value, mono]) => [h("dt", {}, name), h(`dd${mono ? ".mono" : ""}`, {}, value)]));
}

function section(title, content) {
  return h("section.part", {}, h("h3", {}, title), content);
}

function tokensText(usage, call) {
  const input = usage.prompt_token_count ?? call?.usage?.input;
  const output = usage.candidates_token_count ?? call?.usage?.output;
  const thoughts = usage.thoughts_token_count ?? call?.usage?.thoughts;
  if (input == null && output == null) return "";
  return `${count(input ?? 0)} in, ${count(output ?? 0)} out${thoughts ? `, ${count(thoughts)} thinking` : ""}`;
}

function actionsText(actions) {
  const said = [];
  if (actions.escalate) said.push("escalates");
  if (actions.transfer_to_agent) said.push(`transfers to ${actions.transfer_to_agent}`);
  if (actions.skip_summarization) said.push("the tool's answer is the answer");
  if (Object.keys(actions.artifact_delta ?? {}).length) said.push(`saves ${argumentsLine(actions.artifact_delta)}`);
  return said.join(", ");
}
