// @ts-check
/** The Timeline tab: what took how long in one run, as a waterfall. */

import { h } from "../../../../browser/js/elements.js";
import { icon, markIcon } from "../../dom/icons.js";
import { markOf } from "../../log/agent_tree.js";
import { spansOf, windowOf } from "../../log/folds/spans.js";
import { modelName } from "../../log/folds/usage.js";
import { runOf } from "../../log/log.js";
import { bare } from "../../log/prices.js";
import { count, duration, plural } from "../../words/format.js";
import { callWords, sumsLine } from "../../words/usage.js";

/** @import { Run, Span } from "../../log/folds.d.ts" */
/** @import { PriceRow } from "../../log/prices.js" */
/** @import { Look } from "../types.d.ts" */

const MOST = 120;
/** @type {Record<string, string>} */
const STATUS = { paused: "waiting for you" };

/** @param {Look} view */
export function drawTimelineTab(view) {
  const { log, selected } = view;
  const run = selected ? runOf(log, selected) ?? log.runs.at(-1) : log.runs.at(-1);
  if (!run) {
    return h(
      "div.lesson",
      {},
      h("b", {}, "No run yet."),
      h("p", {}, "Once something runs, this shows what took how long: agents, model calls, tools."),
    );
  }
  const { spans, start, end, pauses } = spansOf(run);
  const { shown, before, after } = windowOf(spans, selected?.seq ?? null, MOST);
  const part = before + after > 0;
  const from = part ? Math.min(...shown.map((span) => span.start)) : start;
  const to = part ? Math.max(...shown.map((span) => span.end ?? span.start)) : end;
  const where = selected ? "the selected event" : "the end";
  return [
    h("p.where", {}, h("b", {}, `Run ${run.number}`), ` ${factsOf(run, end - start, view)}`),
    part && h("p.quiet.note", {}, `${shown.length} of ${count(spans.length)} spans, around ${where}`),
    pauses.map((pause) => drawPause(pause, start)),
    h(
      "div.axis",
      { "aria-hidden": "true" },
      [from, (from + to) / 2, to].map((at) => h("span", {}, duration(at - start))),
    ),
    h("ol.spans", {}, shown.map((span) => drawSpan(span, from, Math.max(to - from, 1e-6), view))),
  ];
}

/**
 * @param {Run} run
 * @param {number} seconds that its spans take
 * @param {Look} look
 */
function factsOf(run, seconds, { selected, usage, prices }) {
  const sums = usage().runs.get(run.invocation);
  if (selected && (run.endSeq ?? Infinity) > selected.seq) {
    return ["up to the cursor", plural(sums?.calls ?? 0, "model call"), ...(sums ? sumsLine(sums, prices) : [])].join(" · ");
  }
  return [
    STATUS[run.status] ?? run.status,
    duration(run.duration ?? seconds),
    plural(run.calls, "model call"),
    ...(sums ? sumsLine(sums, prices) : []),
  ].filter(Boolean).join(" · ");
}

/**
 * @param {{ at: number; waited: number | null }} pause
 * @param {number} start of the run
 */
function drawPause({ at, waited }, start) {
  const words = waited === null ? "for an answer since" : `${duration(waited)} for an answer, after`;
  return h("p.quiet.note.waited", {}, icon("pause"), `Waited ${words} ${duration(at - start)} of work`);
}

/**
 * @param {Span} span
 * @param {number} from
 * @param {number} width
 * @param {Look} look
 */
function drawSpan(span, from, width, { index, selected, pickSpan, prices }) {
  const mark = markOf(index, span.agent);
  const bar = placed(h(`i.bar${span.open ? ".open" : ""}`), span.start, span.end ?? span.start, from, width);
  const holds = selected && span.seq <= selected.seq && selected.seq <= (span.endSeq ?? Infinity) &&
    span.agent === (selected.kind === "event" ? selected.body.author : selected.body.agent);
  const used = usedIn(span, prices);
  const facts = [
    duration((span.end ?? span.start) - span.start),
    ...used,
    span.reason,
    span.outcome && span.outcome !== "ok" && span.outcome,
  ].filter(Boolean);
  const step = span.kind === "model" ? ["model", span.turn].filter(Boolean).join(" ") : span.kind === "tool" ? "tool" : "";
  const label = h("span.what", {}, step ? h("span.step", {}, step) : markIcon(mark), h("span.name", {}, span.name));
  const indent = `${Math.min(span.depth, 8) * 10}px`;
  label.style.paddingLeft = indent;
  const below = used.length > 0 && h("span.used", {}, used.join(" · "));
  if (below) below.style.paddingLeft = indent;
  const state = `${span.outcome === "error" ? ".failed" : ""}${selected && span.seq > selected.seq ? ".later" : ""}`;
  return h(
    "li",
    {},
    h(
      `button.span.${span.kind}.c-${mark.colour}${holds ? ".holds" : ""}${state}`,
      {
        type: "button",
        title: `${span.name}: ${facts.join(", ")}`,
        onclick: () => pickSpan(span),
      },
      label,
      h("span.track", {}, bar, waits(span, from, width)),
      h("span.took", {}, span.open ? "…" : duration((span.end ?? span.start) - span.start)),
      below,
    ),
  );
}

/**
 * What a model call used, where it is known.
 * @param {Span} span
 * @param {PriceRow[]} prices
 */
function usedIn({ call, retries, outcome }, prices) {
  if (!call) return retries.length ? [plural(retries.length + 1, "try", "tries")] : [];
  const words = callWords(call, retries, prices);
  const ended = outcome === "stopped" && "stopped";
  const answered = modelName(call);
  return [
    answered !== bare(call.model ?? "") && `answered by ${answered}`,
    words.tokens,
    words.cost,
    words.first && `first word ${words.first}`,
    words.speed,
    words.tries && `tries: ${words.tries}`,
    ended,
  ].filter(Boolean);
}

/**
 * Where a call waited to try again.
 * @param {Span} span
 * @param {number} from
 * @param {number} width
 */
function waits({ retries }, from, width) {
  return retries.map(({ at, delay }) => placed(h("i.wait"), at, at + (delay ?? 0), from, width));
}

/**
 * @param {HTMLElement} bar
 * @param {number} start
 * @param {number} end
 * @param {number} from
 * @param {number} width
 */
function placed(bar, start, end, from, width) {
  const left = ((start - from) / width) * 100;
  const size = Math.max(0, (end - start) / width) * 100;
  bar.style.left = `${Math.min(99, Math.max(0, left)).toFixed(2)}%`;
  bar.style.width = `${Math.min(size, 100 - Math.max(0, left)).toFixed(2)}%`;
  return bar;
}
