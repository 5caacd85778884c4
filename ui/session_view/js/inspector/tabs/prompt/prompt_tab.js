// @ts-check
/** The Prompt tab: what the model of the selected entry was sent, coloured by source, and what came back. */

import { drawCopy } from "../../../dom/clipboard.js";
import { h } from "../../../../../browser/js/elements.js";
import { markOf } from "../../../log/agent_tree.js";
import { drawError } from "../../../parts/errors.js";
import { callAt, callsBefore, textsOf } from "../../../prompt/calls.js";
import { partText, promptOf } from "../../../prompt/prompt.js";
import { contextWindow } from "../../../prompt/windows.js";
import { asCommand, asJson, asText } from "../../../prompt/wire.js";
import { count, plural } from "../../../words/format.js";
import { facts, section } from "../../facts.js";
import { drawValue } from "../../values.js";
import { drawChanges } from "./prompt_changes.js";
import { drawParts, drawShares, drawWindow } from "./prompt_parts.js";
import { writeJson } from "../../../../../browser/js/json.js";

/** @import { Child } from "../../../../../browser/js/types.d.ts" */
/** @import { ModelFinished } from "../../../log/entries.d.ts" */
/** @import { CallRecord, Prompt } from "../../../prompt/types.d.ts" */
/** @import { Look } from "../../types.d.ts" */

const AGAINST = "prompt:against:";
/** So many earlier calls can be compared with. */
const MOST_EARLIER = 50;

/**
 * @param {Look} view
 * @returns {Child}
 */
export function drawPromptTab(view) {
  const record = callAt(view.log, view.selected);
  if (!record) return drawLesson(view);
  const earlier = callsBefore(view.log, record, MOST_EARLIER);
  const against = earlier.find(({ started }) => view.isOpen(`${AGAINST}${started.seq}`)) ?? null;
  const { found, error, ready } = view.texts.of([...textsOf(record), ...(against ? textsOf(against) : [])]);
  if (error) return [drawWhere(record, view), drawProblem(error, view)];
  if (!ready) return [drawWhere(record, view), h("p.quiet.note", { role: "status" }, "Reading what was sent …")];
  const read = (/** @type {CallRecord} */ one) => promptOf(view.log, one, (name) => found.get(name) ?? undefined);
  const prompt = read(record);
  const estimate = prompt.parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return [
    drawWhere(record, view),
    drawFacts(prompt, estimate),
    drawShares(prompt, estimate),
    drawWindow(prompt, estimate, contextWindow(view.log, record, view.windows)),
    h(
      "div.copies",
      {},
      h("span.quiet", {}, "Copy as"),
      drawCopy("Text", () => asText(prompt)),
      drawCopy("JSON", () => asJson(prompt)),
      drawCopy("curl", () => asCommand(prompt)),
    ),
    drawChoice(earlier, against, view),
    against ? drawChanges(read(against), prompt, estimate, view) : section("Sent", drawParts(prompt.parts, estimate, view)),
    prompt.summedUp.length > 0 && section("Sent as a summary", drawParts(prompt.summedUp, estimate, view, "summed-up")),
    prompt.leftOut.length > 0 && section("Left out by a callback", drawParts(prompt.leftOut, estimate, view, "left-out")),
    section("Came back", drawAnswer(prompt, view)),
  ];
}

/** @param {Look} view */
function drawLesson({ log, selected, select }) {
  const calls = log.entries.filter(({ kind }) => kind === "model_started");
  const some = calls.length > 0;
  const next = selected && (calls.find(({ seq }) => seq > selected.seq) ?? calls.at(-1));
  return h(
    "div.lesson",
    {},
    h("b", {}, selected && some ? "This event comes from no model call." : "No model has been called yet."),
    h(
      "p",
      {},
      "Select an answer of an agent: here is then what its model was sent, word by word, each with where it comes from: " +
        "the agent's instruction, a key of the state, a bullet of the playbook, an earlier event, a tool.",
    ),
    next && h("p", {}, h("button.plain", { type: "button", onclick: () => select(next.seq) }, "Go to a model call")),
  );
}

/**
 * @param {CallRecord} record
 * @param {Look} view
 */
function drawWhere({ started }, { index, select }) {
  const { agent, call, model } = started.body;
  return h(
    "p.where",
    {},
    h(
      "button.plain",
      { type: "button", title: "Go to this record", onclick: () => select(started.seq) },
      `Model call ${call}`,
    ),
    " of ",
    h(`b.c-${markOf(index, agent).colour}`, {}, agent),
    `, to ${model}`,
  );
}

/**
 * @param {Prompt} prompt
 * @param {number} estimate of its tokens
 */
function drawFacts({ record: { finished }, inexact, config }, estimate) {
  const { input = 0, cached = 0 } = finished?.body.usage ?? {};
  const settings = Object.entries(config).map(([name, value]) => `${name} ${writeJson(value)}`).join(", ");
  return [
    facts([
      ["sent", input ? `${plural(input, "token")}, counted by the model${cached ? `, ${count(cached)} cached` : ""}` : ""],
      ["estimate", `about ${plural(estimate, "token")}, from the texts`],
      ["settings", settings],
      ["limits", limitWords(finished?.body.limits)],
    ]),
    inexact && h("p.note.warned", {}, "The history below may not be exact: it has not as many messages as were sent."),
  ];
}

/**
 * The limits that were added to the schema of the answer; a log may come from elsewhere.
 * @param {ModelFinished["limits"]} limits
 */
function limitWords(limits) {
  const { characters, items } = limits ?? {};
  const added = [
    Number.isFinite(characters) && `texts ≤ ${count(Number(characters))} characters`,
    Number.isFinite(items) && `lists ≤ ${count(Number(items))} items`,
  ].filter(Boolean).join(", ");
  return added && `${added}; added for the server's grammar, which needs some`;
}

/**
 * @param {string} error
 * @param {Look} look
 */
function drawProblem(error, { texts }) {
  const again = h("button.plain", { type: "button", onclick: () => texts.retry() }, "Try again");
  return h("p.note.problem", { role: "alert" }, error, " ", again);
}

/**
 * Which earlier call of the agent the prompt is compared with.
 * @param {CallRecord[]} earlier
 * @param {CallRecord | null} against
 * @param {Look} look
 */
function drawChoice(earlier, against, { toggle, log }) {
  if (!earlier.length) return null;
  const select = h(
    "select",
    { "data-fold": "prompt:against", "aria-label": "Compare with" },
    h("option", { value: "" }, "nothing"),
    earlier.map(({ started, answer }, i) => {
      const event = answer && log.ordinals.get(answer.seq);
      const words = [`call ${started.body.call}`, event && `event ${event}`, i === 0 && "the one before"].filter(Boolean);
      return h("option", { value: String(started.seq), selected: started === against?.started }, words.join(", "));
    }),
  );
  select.onchange = () => {
    if (against) toggle(`${AGAINST}${against.started.seq}`);
    if (select.value) toggle(`${AGAINST}${select.value}`);
  };
  return h("label.against", {}, h("span.quiet", {}, "Compare with"), select);
}

/**
 * @param {Prompt} prompt
 * @param {Look} view
 */
function drawAnswer({ record: { answer, finished, started }, answer: kept }, view) {
  const failed = finished?.body.error;
  const parts = answer?.body.content?.parts ?? kept;
  const event = answer && view.log.ordinals.get(answer.seq);
  return [
    answer && h(
      "p.note",
      {},
      h("button.plain", { type: "button", onclick: () => view.select(answer.seq) }, `event ${event}`),
      answer.body.stop_reason && `, ${answer.body.stop_reason}`,
    ),
    failed && drawError(finished.body.error_code, failed),
    !finished && !answer && h("p.quiet.note", {}, "Nothing yet."),
    finished && !failed && !parts.length && h("p.quiet.note", {}, "An answer without content."),
    parts.length > 0 && drawValue(`prompt:answer:${started.seq}`, parts.map(partText).join("\n"), view),
  ];
}
