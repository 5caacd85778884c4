// @ts-check
/** A row of an event: who said what, what it called and saved, and how it came about. */

import { h } from "../../../browser/js/elements.js";
import { icon, markIcon } from "../dom/icons.js";
import { drawMissingKey } from "../forks/what_if.js";
import { QUESTIONS } from "../log/folds/pending.js";
import { markOf } from "../log/agent_tree.js";
import { CALLS_LIMIT, hasError } from "../log/failures.js";
import { drawChip, drawCited } from "../parts/chips.js";
import { drawCommitChip } from "../parts/commit_view.js";
import { drawError } from "../parts/errors.js";
import { drawArtifacts, picturesOf } from "../parts/files.js";
import { drawTerm } from "../page/glossary.js";
import { drawCode, drawSources } from "../parts/sources.js";
import { drawRefusal } from "../cards/refusal.js";
import { drawTraceback, tracebacksIn } from "../parts/traceback.js";
import { commitIn } from "../playbook/commits.js";
import { outputOf } from "../playbook/outputs.js";
import { clip } from "../words/format.js";
import { injectedInto, limitWords, settingValue } from "../words/records.js";
import { drawHead } from "./event_head.js";
import { drawLongText } from "./long_text.js";

/** @import { EventBody, Part } from "../log/entries.d.ts" */
/** @import { Draw, Drawing, EventRow, Setting } from "../rows/types.d.ts" */

/** Characters; the tab State has all of them. */
const LONGEST_TRUTH = 600;

/** @type {Draw<"event">} */
export function drawEvent(element, row, drawing) {
  const { body } = row.entry;
  const summary = body.actions?.compaction;
  const parts = (summary?.compacted_content ?? body.content)?.parts ?? [];
  const mark = markOf(drawing.index, row.to ?? body.author);
  element.classList.add(`c-${mark.colour}`);
  const isSetting = Boolean(row.settings || summary);
  if (body.author === "user") element.classList.add(row.to ? "request" : isSetting ? "setting" : "from-user");
  const output = outputOf(body);
  const thoughts = [textOf(parts, true, "\n"), output?.thought].filter(Boolean).join("\n");
  const text = output ? output.text : textOf(parts, false, "");
  const files = drawArtifacts(body.actions, drawing.place, drawing.onResize);
  const pictures = [...picturesOf(parts), ...files.pictures];
  const truth = truthOf(body, drawing);
  const content = [
    thoughts && drawThought(thoughts, row, drawing),
    text && drawLongText(text, row, { ...drawing, raw: drawing.raw || body.author === "user" }),
    truth && h("p.truth", {}, h("b", {}, "Right answer:"), " ", h("span", {}, truth)),
    parts.map(drawCode),
    drawSources(body),
    drawGiven(body),
    row.settings && drawSettings(row.settings),
    drawChips(row, [...files.chips, ...drawCited(output?.cited ?? [])]),
    pictures.length > 0 && h("div.pictures", {}, pictures),
    drawFailure(body, row.limit),
    drawMissingKey(row.entry),
    drawRefusal(body),
    tracebacksIn(body).map((found) => drawTraceback(found, drawing.onResize)),
  ];
  const told = h("div.body", {}, drawHead(row, drawing), content);
  if (told.children.length === 1) told.append(drawQuiet(body));
  element.append(
    h("div.glyph", {}, row.to ? icon("handover") : isSetting ? icon(summary ? "file" : "setting") : markIcon(mark)),
    told,
  );
  element.setAttribute("aria-label", spoken(row, text || thoughts, truth));
}

/**
 * What is taken as the right answer to a message of the user: from the field beside it, or from a label in it.
 * @param {EventBody} body
 * @param {Pick<Drawing, "index">} drawing
 */
function truthOf({ author, actions, content }, { index: { truthKey } }) {
  const truth = author === "user" && content?.parts?.length && truthKey && actions?.state_delta?.[truthKey];
  return truth ? clip(String(truth), LONGEST_TRUTH) : "";
}

/**
 * The texts of an event's parts, thoughts and others apart.
 * @param {Part[]} parts
 * @param {boolean} thought
 * @param {string} joint
 */
function textOf(parts, thought, joint) {
  return parts.filter((part) => part.text && Boolean(part.thought) === thought).map(({ text }) => text).join(joint);
}

/**
 * @param {string} text
 * @param {EventRow} row
 * @param {Drawing} drawing
 */
function drawThought(text, row, { open, onToggle }) {
  return h(
    `div.thought${open ? ".open" : ""}`,
    { onclick: () => onToggle(row.key) },
    h("span.fold", {}, icon("thought"), "thought"),
    open ? h("div.text", {}, text) : h("span.gist", {}, clip(text.replace(/\s+/g, " "), 110)),
  );
}

/**
 * Chips of calls and responses, then `more`, then that of a commit.
 * @param {EventRow} row
 * @param {HTMLElement[]} more
 */
function drawChips(row, more) {
  const { body } = row.entry;
  const about = { calls: row.calls, later: body.long_running_tool_ids };
  const commit = commitIn(row.entry);
  const chips = [
    ...(body.content?.parts ?? []).flatMap((part) => drawChip(part, about)),
    ...more,
    ...(commit ? [drawCommitChip(commit)] : []),
  ];
  if (!chips.length) return null;
  if (!row.step?.acts) return h("div.chips", {}, chips);
  const step = drawTerm("tools", "ACT", { look: ".step", inRow: true });
  return h("div.acts", {}, step, h("div.chips", {}, chips));
}

/**
 * @param {EventBody} body
 * @param {number | null} limit
 */
function drawFailure(body, limit) {
  const { error_code: code, error_message: message } = body;
  if (code === CALLS_LIMIT) return h("div.plain-end", {}, icon("stop"), `It was ${limitWords(limit)}.`);
  return hasError(body) ? drawError(code, message) : null;
}

/** @param {Setting[]} settings */
function drawSettings(settings) {
  const lines = settings.map(({ key, before, after }) =>
    h(
      "div",
      {},
      h("code", {}, key),
      ": ",
      before !== undefined && [h("del", {}, settingValue(before)), " → "],
      h("ins", {}, settingValue(after)),
    )
  );
  return h("div.settings", {}, lines);
}

/**
 * What a node of a graph gives to the next, and which edges it takes.
 * @param {EventBody} body
 */
function drawGiven({ output, actions }) {
  const given = output == null ? null : clip(typeof output === "string" ? output : JSON.stringify(output), LONGEST_TRUTH);
  const route = actions?.route == null ? null : [actions.route].flat().map(String).join(", ");
  return given === null && route === null ? null : h(
    "p.given",
    {},
    given !== null && ["→ ", h("span", {}, given)],
    route !== null && [given === null ? "" : " · ", "route ", h("b", {}, route)],
  );
}

/**
 * What stands for an event that has nothing to show.
 * @param {EventBody} body
 */
function drawQuiet({ actions, content }) {
  const keys = Object.keys(actions?.state_delta ?? {});
  const said = actions?.rewind_before_invocation_id
    ? "went back: agents no longer see what was said in between"
    : keys.length
    ? `set ${keys.join(", ")}`
    : actions?.escalate
    ? "asked the loop to end"
    : content?.parts?.length
    ? "sent something that is not shown here"
    : "said nothing";
  return h("div.quiet", {}, said);
}

/**
 * An event for those who listen instead of look.
 * @param {EventRow} row
 * @param {string} text
 * @param {string} truth
 */
function spoken({ entry: { body }, ordinal, limit, settings, to }, text, truth) {
  const said = body.error_code === CALLS_LIMIT
    ? limitWords(limit)
    : body.error_message
    ? `error: ${clip(body.error_message, 160)}`
    : clip(text.replace(/\s+/g, " "), 200);
  const calls = (body.content?.parts ?? []).flatMap(({ function_call: call, function_response: answer }) =>
    QUESTIONS.has((call ?? answer)?.name ?? "")
      ? [call ? "asks you" : "your answer"]
      : call
      ? [`calls ${call.name}`]
      : answer
      ? [`${answer.name} answered`]
      : []
  );
  const changed = (settings ?? []).map(({ key, after }) => `${key} is now ${settingValue(after)}`);
  const who = to ? `request to ${to}` : body.actions?.compaction ? "summary" : body.author;
  const event = `Event ${ordinal}, ${who}`, answer = truth && `right answer: ${truth}`;
  const sentences = [event, injectedInto(body) && "injected", said, answer, ...calls, ...changed];
  return sentences.filter(Boolean).join(". ");
}
