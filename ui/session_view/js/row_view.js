/** How a row of the event list looks. Knows the row, not the list around it. */

import { CALLS_LIMIT } from "./activity.js";
import { BOUNDARIES } from "./boundary_view.js";
import { drawCommitChip } from "./change_view.js";
import { drawArtifacts, drawChip, drawCited, drawError, drawInjected, drawOrigin, picturesOf } from "./chips.js";
import { h, icon, markIcon, setText } from "./dom.js";
import { clip, clock, count } from "./format.js";
import { MODEL_ROWS } from "./model_rows.js";
import { outputOf } from "./outputs.js";
import { commitIn } from "./playbook.js";
import { laneOf, railOf, twinBlockOf } from "./scopes.js";
import { sourcesOf } from "./sources.js";
import { drawCode, drawSources } from "./sources_view.js";
import { markOf } from "./tree.js";
import { injectedInto, limitWords, settingValue } from "./wording.js";

const LONG_TEXT = 900;
const LONG_LINES = 12;
/** Rows that hold buttons: an option of a list may not. */
const GROUPS = new Set(["card", "block", "thumbs"]);

/**
 * @param index the tree's index, for colours and shapes
 * @param place whose files are shown: () => {pipeline, session}
 * @param onToggle called with a row's key when its "show all" or its thoughts are clicked
 * @param blocks {folded(branch), onFold(branch)} of agents at work as tools
 * @param drawCard fills the row of a call that waits
 * @param drawThumbs fills the row below an answer
 * @param onResize called when a row turned out to be of another height
 */
export function createRowView({ index, place, onToggle, blocks, drawCard, drawThumbs, onResize }) {
  const marked = (name) => `c-${markOf(index(), name).colour}`;
  const inside = { ...BOUNDARIES, ...MODEL_ROWS, event: drawEvent, partial: drawPartial, card: drawCard, thumbs: drawThumbs };

  function draw(row, open) {
    const role = GROUPS.has(row.type) ? "group" : "option";
    const element = h(`div.row.${row.type}`, { role, id: `row-${row.key}`, "data-key": row.key });
    element.append(drawRail(row));
    inside[row.type](element, row, { open, index: index(), onToggle, ...blocks });
    return element;
  }

  function drawRail(row) {
    const rail = h("div.rail", { "aria-hidden": "true" });
    const scopes = railOf(row);
    for (const scope of scopes) {
      rail.append(h(`span.line.${scope.kind}.${scope.inside ? "in" : "out"}.${scope.kind === "loop" ? "c-flow" : marked(scope.agent)}`));
    }
    if (scopes.length > 6) rail.classList.add("tight");
    return rail;
  }

  function drawEvent(element, row, { open }) {
    const { body } = row.entry;
    const parts = body.content?.parts ?? [];
    const body_ = h("div.body");
    element.classList.add(marked(row.to ?? body.author));
    if (body.author === "user") element.classList.add(row.to ? "request" : row.settings ? "setting" : "from-user");
    element.append(h("div.glyph", {}, row.to ? icon("handover") : row.settings ? icon("setting") : markIcon(markOf(index(), body.author))), body_);
    body_.append(drawHead(row, body));
    const output = outputOf(body);
    const thoughts = [...parts.filter((part) => part.text && part.thought).map((part) => part.text), output?.thought].filter(Boolean).join("\n");
    if (thoughts) body_.append(drawThought(thoughts, row, open));
    const text = output ? output.text : parts.filter((part) => part.text && !part.thought).map((part) => part.text).join("");
    if (text) body_.append(...drawText(text, row, open));
    body_.append(...parts.flatMap(drawCode));
    const sources = drawSources(body);
    if (sources) body_.append(sources);
    if (row.settings) body_.append(drawSettings(row.settings));
    const files = drawArtifacts(body.actions, place(), onResize);
    const commit = commitIn(row.entry);
    const chips = [...parts.flatMap((part) => drawChip(part, { calls: row.calls, later: body.long_running_tool_ids })), ...files.chips, ...drawCited(output?.cited ?? []), ...(commit ? [drawCommitChip(commit)] : [])];
    if (chips.length) body_.append(row.step?.acts ? h("div.acts", {}, h("span.step", { title: "What the model asked for is done" }, "ACT"), h("div.chips", {}, chips)) : h("div.chips", {}, chips));
    const pictures = [...picturesOf(parts), ...files.pictures];
    if (pictures.length) body_.append(h("div.pictures", {}, pictures));
    if (body.error_code === CALLS_LIMIT) body_.append(h("div.plain-end", {}, icon("stop"), `It was ${limitWords(row.limit)}.`));
    else if (body.error_code || body.error_message) body_.append(drawError(body.error_code, body.error_message));
    if (body_.children.length === 1) body_.append(drawQuiet(body));
    element.setAttribute("aria-label", spoken(row, body, text || thoughts));
  }

  function drawHead(row, body) {
    const { state_delta: delta, escalate, transfer_to_agent: target } = body.actions ?? {};
    const keys = Object.keys(delta ?? {});
    const lane = laneOf(row);
    const twin = twinBlockOf(row);
    const injected = injectedInto(body);
    return h("div.head", {},
      h("span.name", {}, row.to ? `Request to ${row.to}` : body.author),
      row.step && drawStep(row.step),
      lane && lane.agent !== body.author && h(`span.tag.${marked(lane.agent)}`, { title: `In the parallel branch ${body.branch}` }, lane.agent),
      twin && h("span.tag", { title: `Of ${twin.agent} as a tool` }, `call ${twin.nth}`),
      injected && drawInjected(injected),
      drawOrigin(body, row.live?.mixed),
      escalate && h("span.tag.escalate", { title: "Ends the nearest loop" }, icon("exit"), "escalates"),
      target && h("span.tag", { title: "Hands over" }, `to ${target}`),
      body.interrupted && h("span.tag.warn", {}, "cut short"),
      ["max_tokens", "safety"].includes(body.stop_reason) && h("span.tag.warn", {}, body.stop_reason === "safety" ? "blocked" : "cut at the token limit"),
      h("span.space"),
      keys.length > 0 && !row.settings && h("span.delta", { title: `Changes ${keys.join(", ")}` }, `+${keys.length} state`),
      h("span.number", { title: clock(body.timestamp) }, String(row.ordinal)));
  }

  function drawThought(text, row, open) {
    const first = clip(text.replace(/\s+/g, " "), 110);
    const shown = open ? h("div.text", {}, text) : h("span.gist", {}, first);
    return h(`div.thought${open ? ".open" : ""}`, { onclick: () => onToggle(row.key) }, h("span.fold", {}, icon("thought"), "thought"), shown);
  }

  function drawText(text, row, open) {
    const lines = text.split("\n", LONG_LINES + 3);
    const long = text.length > LONG_TEXT + 200 || lines.length > LONG_LINES + 2;
    if (!long || open) return [h("div.text", {}, text), long && open ? drawMore("show less", row) : ""];
    return [h("div.text", {}, clip(lines.slice(0, LONG_LINES).join("\n"), LONG_TEXT)), drawMore(`show all ${count(text.length)} characters`, row)];
  }

  function drawMore(label, row) {
    // Not a control of its own: the row is the option, and Enter on it does the same.
    return h("span.more", { onclick: (event) => (event.stopPropagation(), onToggle(row.key)) }, label);
  }

  function drawPartial(element, row) {
    const { author } = row.partial;
    const words = document.createTextNode("");
    const musing = document.createTextNode("");
    const doing = h("span.tag.live");
    const gist = h("span.gist");
    const stream = h("div.stream", {}, h("div.text", {}, musing));
    const thinking = h("div.thought", {}, h("span.fold", {}, icon("thought"), "thought"), gist, stream);
    const answer = h("div.text", {}, words, h("span.caret", { "aria-hidden": "true" }));
    element.classList.add(marked(author), "event");
    element.append(
      h("div.glyph.busy", {}, markIcon(markOf(index(), author))),
      h("div.body", {}, h("div.head", {}, h("span.name", {}, author), doing, h("span.space")), thinking, answer));
    // Thoughts are dimmed and stream until the answer begins; then they fold to what they began with.
    element.update = ({ partial: { text, thought } }) => {
      writeOn(words, text);
      if (!text) writeOn(musing, thought);
      setText(gist, clip(thought.slice(0, 200).replace(/\s+/g, " "), 110));
      thinking.hidden = !thought;
      gist.hidden = !text;
      stream.hidden = Boolean(text);
      answer.hidden = !text;
      thinking.classList.toggle("now", !text);
      setText(doing, text ? "writing" : "thinking");
      element.setAttribute("aria-label", `${author} is ${text ? "writing" : "thinking"}`);
      return true;
    };
    element.update(row);
  }

  /** Height in px before a row was measured: near enough that the scroll bar does not jump. */
  function guess(row) {
    if (row.type === "card") return 190;
    if (row.type === "thumbs") return 30;
    if (row.type === "route") return 72;
    if (row.type !== "event" && row.type !== "partial") return row.type === "end" ? 40 : 32;
    const { content, actions } = row.entry?.body ?? {};
    let height = 44;
    for (const part of content?.parts ?? []) {
      if (part.text) height += part.thought ? 24 : 20 * Math.min(LONG_LINES, Math.ceil(part.text.length / 80));
      else if (part.function_call || part.function_response) height += 26;
      if (part.inline_data || part.function_response?.parts?.length) height += 160;
      if (part.executable_code || part.code_execution_result) height += 60;
    }
    if (row.entry) height += 22 * sourcesOf(row.entry.body).length;
    return actions?.artifact_delta ? height + 26 : height;
  }

  return { draw, guess };
}

/** Brings a text node up to date; what is only longer is added to. */
function writeOn(node, text) {
  if (node.data === text) return;
  if (text.startsWith(node.data)) node.appendData(text.slice(node.data.length));
  else node.data = text;
}

/** THINK, with its number in the turn and why the model stopped, or OBSERVE. */
function drawStep({ word, turn, reason, plain }) {
  if (plain) return h("span.step", { title: "Why the model stopped" }, reason);
  const title = word === "THINK" ? `The model was asked${turn ? ` for the ${turn}. time in this turn` : ""}, and stopped: ${reason}` : "What the calls gave, for the model to think on";
  return h("span.step", { title }, [word, turn, reason && "·", reason].filter(Boolean).join(" "));
}

function drawSettings(settings) {
  return h("div.settings", {}, settings.map(({ key, before, after }) =>
    h("div", {}, h("code", {}, key), ": ", before !== undefined && [h("del", {}, settingValue(before)), " → "], h("ins", {}, settingValue(after)))));
}

function drawQuiet({ actions, content }) {
  const keys = Object.keys(actions?.state_delta ?? {});
  const said = keys.length ? `set ${keys.join(", ")}` : actions?.escalate ? "asked the loop to end" : content?.parts?.length ? "sent something that is not shown here" : "said nothing";
  return h("div.quiet", {}, said);
}

function spoken(row, body, text) {
  const said = body.error_code === CALLS_LIMIT ? limitWords(row.limit) : body.error_message ? `error: ${clip(body.error_message, 160)}` : clip(text.replace(/\s+/g, " "), 200);
  const calls = (body.content?.parts ?? []).flatMap(({ function_call: c, function_response: r }) => (c ? [`calls ${c.name}`] : r ? [`${r.name} answered`] : []));
  const changed = (row.settings ?? []).map(({ key, after }) => `${key} is now ${settingValue(after)}`);
  const who = row.to ? `request to ${row.to}` : body.author;
  return [`Event ${row.ordinal}, ${who}`, injectedInto(body) && "injected", said, ...calls, ...changed].filter(Boolean).join(". ");
}
