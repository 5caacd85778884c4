/** How a row of the event list looks. Knows the row, not the list around it. */

import { h, icon, markIcon } from "./dom.js";
import { argumentsLine, clip, clock, count, duration, imageUrl, oneLine, plural, responseLine } from "./format.js";
import { iterationLabel, laneOf, loopEnding, railOf } from "./rows.js";
import { markOf } from "./tree.js";

const LONG_TEXT = 900;
const LONG_LINES = 12;
const ENDINGS = { completed: "check", stopped: "stop", failed: "cross_out", interrupted: "bolt" };

/**
 * @param index the tree's index, for colours and shapes
 * @param onToggle called with a row's key when its "show all" or its thoughts are clicked
 */
export function createRowView({ index, onToggle }) {
  const marked = (name) => `c-${markOf(index(), name).colour}`;

  function draw(row, open) {
    const inside = { event: drawEvent, partial: drawPartial, run: drawRun, end: drawEnd, iteration: drawIteration, loop_end: drawLoopEnd, note: drawNote }[row.type];
    const element = h(`div.row.${row.type}`, { role: "option", id: `row-${row.key}`, "data-key": row.key });
    element.append(drawRail(row));
    inside(element, row, open);
    return element;
  }

  function drawRail(row) {
    const rail = h("div.rail", { "aria-hidden": "true" });
    for (const scope of railOf(row)) {
      rail.append(h(`span.line.${scope.kind}.${scope.inside ? "in" : "out"}.${scope.kind === "lane" ? marked(scope.agent) : "c-flow"}`));
    }
    if (row.scopes.length > 6) rail.classList.add("tight");
    return rail;
  }

  function drawEvent(element, row, open) {
    const { body } = row.entry;
    const parts = body.content?.parts ?? [];
    const body_ = h("div.body");
    element.classList.add(marked(body.author));
    if (body.author === "user") element.classList.add("from-user");
    element.append(h("div.glyph", {}, markIcon(markOf(index(), body.author))), body_);
    body_.append(drawHead(row, body));
    const thoughts = parts.filter((part) => part.text && part.thought).map((part) => part.text).join("\n");
    if (thoughts) body_.append(drawThought(thoughts, row, open));
    const text = parts.filter((part) => part.text && !part.thought).map((part) => part.text).join("");
    if (text) body_.append(...drawText(text, row, open));
    const chips = parts.flatMap((part) => drawChip(part));
    if (chips.length) body_.append(h("div.chips", {}, chips));
    const pictures = picturesOf(parts);
    if (pictures.length) body_.append(h("div.pictures", {}, pictures));
    if (body.error_code || body.error_message) body_.append(drawError(body.error_code, body.error_message));
    if (body_.children.length === 1) body_.append(drawQuiet(body));
    element.setAttribute("aria-label", spoken(row, body, text || thoughts));
  }

  function drawHead(row, body) {
    const { state_delta: delta, escalate, transfer_to_agent: target } = body.actions ?? {};
    const keys = Object.keys(delta ?? {});
    const lane = laneOf(row);
    return h("div.head", {},
      h("span.name", {}, body.author),
      lane && lane.agent !== body.author && h(`span.tag.${marked(lane.agent)}`, { title: `In the parallel branch ${body.branch}` }, lane.agent),
      escalate && h("span.tag.escalate", { title: "Ends the nearest loop" }, icon("exit"), "escalates"),
      target && h("span.tag", { title: "Hands over" }, `to ${target}`),
      body.interrupted && h("span.tag.warn", {}, "cut short"),
      ["max_tokens", "safety"].includes(body.stop_reason) && h("span.tag.warn", {}, body.stop_reason === "safety" ? "blocked" : "cut at the token limit"),
      h("span.space"),
      keys.length > 0 && h("span.delta", { title: `Changes ${keys.join(", ")}` }, `+${keys.length} state`),
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
    const { author, text, thought } = row.partial;
    const caret = h("span.caret", { "aria-hidden": "true" });
    const words = document.createTextNode(text);
    const musing = document.createTextNode(clip(thought.slice(-200), 200));
    const thinking = h("div.thought", {}, h("span.fold", {}, icon("thought"), "thinking"), h("span.gist", {}, musing));
    thinking.hidden = !thought;
    element.classList.add(marked(author), "event");
    element.setAttribute("aria-label", `${author} is writing`);
    element.append(
      h("div.glyph.busy", {}, markIcon(markOf(index(), author))),
      h("div.body", {}, h("div.head", {}, h("span.name", {}, author), h("span.tag.live", {}, "writing"), h("span.space")), thinking, h("div.text", {}, words, caret)));
    element.update = ({ partial }) => {
      if (words.data !== partial.text) {
        if (partial.text.startsWith(words.data)) words.appendData(partial.text.slice(words.data.length));
        else words.data = partial.text;
      }
      thinking.hidden = !partial.thought;
      musing.data = partial.thought.slice(-200);
      return true;
    };
  }

  function drawRun(element, { entry: { body }, number }) {
    element.append(h("div.rule", {},
      h("span.title", {}, `Run ${number}`),
      body.model && h("span.quiet", {}, body.model),
      body.simulated && body.model !== "simulated" && h("span.tag.simulated", {}, "simulated"),
      h("span.stroke"),
      h("span.quiet", {}, clock(body.timestamp))));
    element.setAttribute("aria-label", `Run ${number}${body.model ? `, ${body.model}` : ""}`);
  }

  function drawEnd(element, { entry: { body }, told }) {
    const used = (body.tokens?.input ?? 0) + (body.tokens?.output ?? 0);
    const facts = [body.calls != null && plural(body.calls, "model call"), used > 0 && plural(used, "token"), duration(body.duration)].filter(Boolean);
    element.classList.add(body.status);
    const line = h("div.rule", {}, h("span.ending", {}, icon(ENDINGS[body.status] ?? "stop"), body.status ?? "ended"), h("span.quiet", {}, facts.join(" · ")), h("span.stroke"));
    // The event right above may have told the same error already.
    const why = !told && (body.error_code || body.error_message) ? drawError(body.error_code, body.error_message) : null;
    const hint = body.status === "interrupted" && !why ? h("div.hint", {}, "The server went away during this run. What is above was kept; run it again to go on.") : null;
    element.append(h("div.body", {}, line, why, hint));
    element.setAttribute("aria-label", `Run ${body.status}. ${facts.join(", ")}. ${body.error_message ?? ""}`);
  }

  function drawIteration(element, { entry: { body } }) {
    element.append(h("div.rule", {}, h("span.title", {}, iterationLabel(body)), h("span.quiet", {}, body.agent)));
    element.setAttribute("aria-label", `${body.agent}, ${iterationLabel(body)}`);
  }

  function drawLoopEnd(element, { entry: { body }, escalation }) {
    const why = `ended: ${loopEnding(body, escalation)}`;
    element.append(h("div.rule", {}, h("span.title", {}, why), h("span.quiet", {}, body.agent)));
    element.setAttribute("aria-label", `${body.agent} ${why}`);
  }

  function drawNote(element, { entry: { kind, body } }) {
    const { invocation_id: _i, agent, branch: _b, timestamp: _t, ...rest } = body;
    const facts = argumentsLine(rest, 200);
    element.append(h("div.rule", {}, h("span.title", {}, kind.replaceAll("_", " ")), agent && h("span.quiet", {}, agent), facts && h("span.quiet.facts", {}, facts)));
    element.setAttribute("aria-label", `${kind.replaceAll("_", " ")} ${agent ?? ""}`);
  }

  /** Height in px before a row was measured: near enough that the scroll bar does not jump. */
  function guess(row) {
    if (row.type !== "event" && row.type !== "partial") return row.type === "end" ? 40 : 32;
    const parts = row.entry?.body.content?.parts ?? [];
    let height = 44;
    for (const part of parts) {
      if (part.text) height += part.thought ? 24 : 20 * Math.min(LONG_LINES, Math.ceil(part.text.length / 80));
      else if (part.function_call || part.function_response) height += 26;
      if (part.inline_data || part.function_response?.parts?.length) height += 160;
    }
    return height;
  }

  return { draw, guess };
}

function drawChip(part) {
  const { function_call: call, function_response: answer } = part;
  if (call) return [h("div.chip.call", { title: "Tool call" }, icon("tool"), h("b", {}, call.name), h("span", {}, `(${argumentsLine(call.args)})`))];
  if (!answer) return [];
  const failed = answer.response?.error !== undefined;
  const said = failed ? oneLine(answer.response.error, 300) : responseLine(answer.response);
  return [h(`div.chip.answer${failed ? ".failed" : ""}`, { title: failed ? "The tool failed" : "The tool's answer" }, icon(failed ? "alert" : "answer"), h("b", {}, answer.name), h("span", {}, said || "returned nothing"))];
}

/** The pictures in parts: shown inline or given back by a tool; of types that we show. */
export function picturesOf(parts) {
  const found = parts.flatMap((part) => [part.inline_data, ...(part.function_response?.parts ?? []).map((inner) => inner.inline_data)]);
  return found.filter(Boolean).map(({ mime_type: type, data }) => {
    const url = imageUrl(type, data);
    return url ? h("img", { src: url, alt: "Picture from this event", loading: "lazy", decoding: "async" }) : h("span.quiet", {}, `${type ?? "data"}, not shown`);
  });
}

export function drawError(code, message) {
  return h("div.error", {}, icon("alert"), h("div", {}, code && h("b", {}, code), h("div.text", {}, clip(message ?? "No message was given.", 4000))));
}

function drawQuiet({ actions, content }) {
  const keys = Object.keys(actions?.state_delta ?? {});
  const said = keys.length ? `set ${keys.join(", ")}` : actions?.escalate ? "asked the loop to end" : content?.parts?.length ? "sent something that is not shown here" : "said nothing";
  return h("div.quiet", {}, said);
}

function spoken(row, body, text) {
  const said = body.error_message ? `error: ${clip(body.error_message, 160)}` : clip(text.replace(/\s+/g, " "), 200);
  const calls = (body.content?.parts ?? []).flatMap(({ function_call: c, function_response: r }) => (c ? [`calls ${c.name}`] : r ? [`${r.name} answered`] : []));
  return [`Event ${row.ordinal}, ${body.author}`, said, ...calls].filter(Boolean).join(". ");
}
