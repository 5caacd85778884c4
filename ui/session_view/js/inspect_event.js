/** The Event tab: the facts of one entry. */

import { requestTo } from "./branches.js";
import { drawPlaybookValue } from "./change_view.js";
import { drawError, drawInjected, drawSettingsLink, picturesOf } from "./chips.js";
import { h } from "./dom.js";
import { appBase } from "./feed.js";
import { runOf } from "./fold.js";
import { argumentsLine, clock, count, duration, pretty } from "./format.js";
import { drawValue } from "./inspect_state.js";
import { bare } from "./money.js";
import { isSimulatedEvent, replayIn } from "./origin.js";
import { sessionPage } from "./pages.js";
import { isReference, PLAYBOOK } from "./playbook.js";
import { modelCallOf } from "./spans.js";
import { markOf } from "./tree.js";
import { retriesOf } from "./usage.js";
import { callWords } from "./usage_words.js";
import { codeWords, injectedInto } from "./wording.js";

const SECONDS = new Set(["duration", "delay", "seconds", "first_token"]);

export function drawEventTab(view) {
  const { selected } = view;
  if (!selected) return drawNothing();
  return selected.kind === "event" ? drawEvent(selected, view) : drawRecord(selected, view);
}

export function drawNothing() {
  return h("div.lesson", {}, h("b", {}, "Select an event."),
    h("p", {}, "Click one in the list, or step through with ", h("kbd", {}, "j"), " and ", h("kbd", {}, "k"), ". Its facts appear here; the State tab then shows the state right after it, and the graph who was at work."));
}

function drawEvent(entry, view) {
  const { body } = entry;
  const { actions = {} } = body;
  const call = body.author === "user" ? null : modelCallOf(view.log, entry);
  const parts = body.content?.parts ?? [];
  const pictures = picturesOf(parts);
  const to = requestTo(body);
  const injected = injectedInto(body);
  return [
    h("p.where", {}, to && "Request to ", h(`b.c-${markOf(view.index, to ?? body.author).colour}`, {}, to ?? body.author), `, event ${view.ordinal} of ${count(view.log.events)}`),
    injected && h("p.note", {}, drawInjected(injected), ` ${injected}`),
    drawWhence(body, view.log),
    (body.error_code || body.error_message) && drawError(body.error_code, body.error_message),
    facts([
      ["time", clock(body.timestamp, true)],
      ["branch", body.branch],
      ["stop reason", body.stop_reason],
      !call && ["model", body.model_version],
      ["actions", actionsText(actions)],
      ["event id", body.id, true],
      ["invocation", body.invocation_id, true],
      ["seq", String(entry.seq), true],
    ]),
    call && section("Model call", drawCall(call, body, view)),
    parts.filter((p) => p.text && p.thought).map((p) => section("Thought", h("div.value.string", {}, p.text))),
    parts.filter((p) => p.function_call).map(({ function_call: c }) => section(`Calls ${c.name}`, drawValue(`call:${c.id}`, c.args ?? {}, view))),
    parts.filter((p) => p.function_response).map(({ function_response: r }) => section(`${r.name} answered`, drawValue(`answer:${r.id}`, r.response ?? {}, view))),
    pictures.length > 0 && section("Pictures", h("div.pictures.large", {}, pictures)),
    Object.entries(actions.state_delta ?? {}).map(([key, value]) => key === PLAYBOOK && isReference(value) ? section("Commits to the playbook", drawPlaybookValue(`sets:${key}`, value, view)) : section(`Sets ${key}`, drawValue(`sets:${key}`, value, view))),
    drawMetadata(body),
  ];
}

/** The call of a model that an event came from: which model, what it used, how long it took. */
function drawCall(call, body, { log, prices }) {
  const words = callWords(withUsage(call, body.usage_metadata), retriesOf(log.usage, call), prices);
  const asked = call.model ?? "";
  const answered = call.answered_by ?? body.model_version;
  return facts([
    ["model", asked || answered],
    ["answered by", answered && asked && bare(answered) !== bare(asked) && answered],
    ["tokens", words.tokens],
    ["cost", words.cost === "no price" ? [`no price for ${answered ?? asked}. `, drawSettingsLink("Set one", "prices")] : words.cost],
    ["first word", words.first && `after ${words.first}`],
    ["duration", words.took],
    ["speed", words.speed],
    ["tries", words.tries],
    ["ended", call.error === "cancelled" ? "stopped" : call.error && `with an error${call.error_code ? ` (${codeWords(call.error_code)})` : ""}`],
  ]);
}

/** A call that tells no tokens, where its event does. */
function withUsage(call, usage) {
  if (!usage || call.usage?.input || call.usage?.output) return call;
  const { prompt_token_count: input = 0, candidates_token_count: output = 0, thoughts_token_count: thoughts = 0, cached_content_token_count: cached = 0 } = usage;
  return { ...call, usage: { input, output, thoughts, cached } };
}

/** Where the answer comes from, if not from a language model. */
function drawWhence(body, log) {
  const replay = replayIn(body);
  const pipelines = (runOf(log, { body })?.origin.replays ?? []).filter(({ session }) => session === replay?.session);
  return [
    isSimulatedEvent(body) && h("p.note", {}, h("span.tag.simulated", {}, "simulated"), " The built-in simulation worked this out, no language model."),
    replay && h("p.note", {}, h("span.tag.replayed", {}, "replayed"), " From the record of session ",
      pipelines.length ? h("a.to-playbook", { href: sessionPage(appBase(), pipelines[0]) }, replay.session) : h("code", {}, replay.session), replay.where && `, ${replay.where}`, "."),
    replay && replay.drifted.length > 0 && h("p.note", {}, h("span.tag.drifted", {}, "drifted"), ` The request is not the one that was recorded. What changed: ${replay.drifted.join(", ")}.`),
  ];
}

/** What else is noted on an event; what is said above already is left out. */
function drawMetadata({ custom_metadata: metadata }) {
  const { simulated: _s, replay: _r, ...rest } = metadata ?? {};
  return Object.keys(rest).length > 0 && section("Custom metadata", h("div.value", {}, pretty(rest)));
}

function drawRecord({ kind, seq, body }, view) {
  const { invocation_id: invocation, agent, branch, timestamp, ...rest } = body;
  const simple = Object.entries(rest).map(([key, value]) => [key.replaceAll("_", " "), factText(key, value)]);
  return [
    h("p.where", {}, h("b", {}, kind.replaceAll("_", " ")), agent && `, ${agent}`),
    facts([...simple, ["time", clock(timestamp, true)], ["branch", branch], ["invocation", invocation, true], ["seq", String(seq), true]]),
    kind === "model_finished" && section("Model call", drawCall(body, {}, view)),
  ];
}

function factText(key, value) {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
  if (value !== null && typeof value === "object") return pretty(value);
  return SECONDS.has(key) && typeof value === "number" ? duration(value) : String(value ?? "none");
}

function facts(rows) {
  return h("dl.facts", {}, rows.filter((row) => row && row[1]).map(([name, value, mono]) => [h("dt", {}, name), h(`dd${mono ? ".mono" : ""}`, {}, value)]));
}

function section(title, content) {
  return h("section.part", {}, h("h3", {}, title), content);
}

function actionsText(actions) {
  const said = [];
  if (actions.escalate) said.push("escalates");
  if (actions.transfer_to_agent) said.push(`transfers to ${actions.transfer_to_agent}`);
  if (actions.skip_summarization) said.push("the tool's answer is the answer");
  if (Object.keys(actions.artifact_delta ?? {}).length) said.push(`saves ${argumentsLine(actions.artifact_delta)}`);
  return said.join(", ");
}
