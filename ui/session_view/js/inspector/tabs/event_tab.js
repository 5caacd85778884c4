// @ts-check
/** The Event tab: the facts of one entry. */

import { h } from "../../../../browser/js/elements.js";
import { appBase } from "../../../../browser/js/streamlit_page.js";
import { drawMissingKey, drawOtherResult, drawWhatIf } from "../../forks/what_if.js";
import { markOf } from "../../log/agent_tree.js";
import { requestTo } from "../../log/branches.js";
import { hasError } from "../../log/failures.js";
import { runOf } from "../../log/log.js";
import { modelCallOf } from "../../log/model_call.js";
import { isSimulatedEvent, replayIn } from "../../log/origin.js";
import { isReference, PLAYBOOK } from "../../log/references.js";
import { drawMarkdown, hasMarkdown, MOST_READ } from "../../markdown/markdown_view.js";
import { sessionPage } from "../../../../browser/js/addresses.js";
import { drawInjected } from "../../parts/badges.js";
import { drawPlaybookValue } from "../../parts/commit_view.js";
import { drawError } from "../../parts/errors.js";
import { picturesOf } from "../../parts/files.js";
import { drawTerm } from "../../page/glossary.js";
import { drawOutput } from "../../parts/output_view.js";
import { drawTraceback, tracebacksIn } from "../../parts/traceback.js";
import { outputOf } from "../../playbook/outputs.js";
import { argumentsLine, clip, clock, count, pretty } from "../../words/format.js";
import { injectedInto } from "../../words/records.js";
import { drawNothing, facts, section } from "../facts.js";
import { drawOneSwitch, drawTextSwitch } from "../text_switch.js";
import { drawValue } from "../values.js";
import { drawCall, drawRecord } from "./record_tab.js";

/** @import { Json } from "../../../../browser/js/types.d.ts" */
/** @import { Actions, EventBody, EventEntry, Part } from "../../log/entries.d.ts" */
/** @import { Log } from "../../log/folds.d.ts" */
/** @import { Look } from "../types.d.ts" */

/** @param {Look} view */
export function drawEventTab(view) {
  const { selected } = view;
  if (!selected) return drawNothing();
  return selected.kind === "event" ? drawEvent(selected, view) : [drawWhatIf(selected), drawRecord(selected, view)];
}

/**
 * @param {EventEntry} entry
 * @param {Look} view
 */
function drawEvent(entry, view) {
  const { body } = entry;
  const { actions = {} } = body;
  const call = body.author === "user" ? null : modelCallOf(view.log, entry);
  const parts = body.content?.parts ?? [];
  const pictures = picturesOf(parts);
  const to = requestTo(body);
  const injected = injectedInto(body);
  const said = markdownIn(body);
  return [
    h(
      "p.where",
      {},
      to && "Request to ",
      h(`b.c-${markOf(view.index, to ?? body.author).colour}`, {}, to ?? body.author),
      `, event ${view.ordinal} of ${count(view.log.events)}`,
    ),
    drawWhatIf(entry),
    injected && h("p.note", {}, drawInjected(injected), ` ${injected}`),
    drawWhence(body, view.log),
    hasError(body) && drawError(body.error_code, body.error_message),
    drawMissingKey(entry),
    tracebacksIn(body).map((found) => drawTraceback(found)),
    facts([
      ["time", clock(body.timestamp, true)],
      ["branch", body.branch],
      ["stop reason", body.stop_reason && drawTerm(body.stop_reason, body.stop_reason)],
      !call && ["model", body.model_version],
      ["actions", actionsText(actions)],
      ["event id", body.id, true],
      ["invocation", body.invocation_id, true],
      ["seq", String(entry.seq), true],
    ]),
    call && section("Model call", drawCall(call, body, view)),
    said && drawSaid(entry, said, view),
    parts.map((part) => drawPart(part, entry, view)),
    pictures.length > 0 && section("Pictures", h("div.pictures.large", {}, pictures)),
    Object.entries(actions.state_delta ?? {}).map(([key, value]) => drawSet(key, value, said, view)),
    drawMetadata(body),
  ];
}

/**
 * What an agent says, and switches to see it as it was written.
 * @param {EventEntry} entry
 * @param {string} said
 * @param {Look} view
 */
function drawSaid({ seq }, said, view) {
  const key = `raw:${seq}`;
  const all = `text:${seq}`;
  const open = view.isOpen(all);
  const cut = said.length > MOST_READ;
  const label = open ? "show less" : `show all ${count(said.length)} characters`;
  const attributes = { type: "button", "aria-expanded": String(open), "data-fold": all, onclick: () => view.toggle(all) };
  return h(
    "section.part",
    {},
    h(
      "div.bar",
      {},
      h("h3", {}, "Text"),
      h("span.text-switches", {}, !view.raw && drawOneSwitch(key, view), drawTextSwitch(view)),
    ),
    h(
      "div.value.string",
      {},
      drawMarkdown(cut && !open ? clip(said, MOST_READ) : said, { raw: view.raw || view.isOpen(key), live: true }),
      cut && h("button.plain.more", attributes, label),
    ),
  );
}

/**
 * What an agent says in Markdown; "" for a plain text, which stands in the list as it is.
 * @param {EventBody} body
 */
function markdownIn(body) {
  const said = (body.content?.parts ?? []).filter(({ text, thought }) => text && !thought).map(({ text }) => text).join("");
  return body.author !== "user" && !outputOf(body) && hasMarkdown(said) ? said : "";
}

/**
 * What the event sets a key to.
 * @param {string} key
 * @param {Json} value
 * @param {string} said the text that is shown above
 * @param {Look} view
 */
function drawSet(key, value, said, view) {
  const fold = `sets:${key}`;
  if (key === PLAYBOOK && isReference(value)) {
    return section("Commits to the playbook", drawPlaybookValue(fold, value, view));
  }
  const shown = said && value === said ? h("p.quiet.note", {}, "The text above.") : drawValue(fold, value, view);
  return section(`Sets ${key}`, drawOutput(key, fold, value, null, view) ?? shown);
}

/**
 * A thought, a call or a response.
 * @param {Part} part
 * @param {EventEntry} entry
 * @param {Look} view
 */
function drawPart({ text, thought, function_call: call, function_response: response }, entry, view) {
  return [
    text && thought && section("Thought", h("div.value.string", {}, text)),
    call && section(`Calls ${call.name}`, drawValue(`call:${call.id}`, call.args ?? {}, view)),
    response && section(`${response.name} answered`, [
      drawValue(`answer:${response.id}`, response.response ?? {}, view),
      response.id && drawOtherResult(entry, response.id),
    ]),
  ];
}

/**
 * Where the answer comes from, if not from a language model.
 * @param {EventBody} body
 * @param {Log} log
 */
function drawWhence(body, log) {
  const replay = replayIn(body);
  const pipelines = (runOf(log, { body })?.origin.replays ?? []).filter(({ session }) => session === replay?.session);
  return [
    isSimulatedEvent(body) &&
    h(
      "p.note",
      {},
      h("span.tag.simulated", {}, "simulated"),
      " The built-in simulation worked this out, no language model.",
    ),
    replay &&
    h(
      "p.note",
      {},
      h("span.tag.replayed", {}, "replayed"),
      " From the record of session ",
      pipelines.length
        ? h("a.to-playbook", { href: sessionPage(appBase(), pipelines[0]) }, replay.session)
        : h("code", {}, replay.session),
      replay.where && `, ${replay.where}`,
      ".",
    ),
    replay && replay.drifted.length > 0 &&
    h(
      "p.note",
      {},
      h("span.tag.drifted", {}, "drifted"),
      ` The request is not the one that was recorded. What changed: ${replay.drifted.join(", ")}.`,
    ),
  ];
}

/**
 * What else is noted on an event; what is said above already is left out.
 * @param {Pick<EventBody, "custom_metadata">} body
 */
function drawMetadata({ custom_metadata: metadata }) {
  const { simulated: _s, replay: _r, traceback: _t, tracebacks: _a, missing_state_key: _k, ...rest } = metadata ?? {};
  return Object.keys(rest).length > 0 && section("Custom metadata", h("div.value", {}, pretty(rest)));
}

/** @param {Actions} actions */
function actionsText(actions) {
  const said = [];
  if (actions.escalate) said.push("ends the loop (escalate)");
  if (actions.transfer_to_agent) said.push(`hands over to ${actions.transfer_to_agent}`);
  if (actions.skip_summarization) said.push("the tool's answer is the answer");
  if (Object.keys(actions.artifact_delta ?? {}).length) said.push(`saves ${argumentsLine(actions.artifact_delta)}`);
  return said.join(", ");
}
