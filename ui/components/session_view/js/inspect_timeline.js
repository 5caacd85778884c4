/** The Timeline tab: what took how long in one run, as a waterfall. */

import { h, icon, markIcon } from "./dom.js";
import { runOf } from "./fold.js";
import { count, duration, plural } from "./format.js";
import { spansOf, windowOf } from "./spans.js";
import { markOf } from "./tree.js";

const MOST = 120;
const STATUS = { paused: "waiting for you" };

export function drawTimelineTab(view) {
  const { log, selected } = view;
  const run = selected ? runOf(log, selected) ?? log.runs.at(-1) : log.runs.at(-1);
  if (!run) {
    return h("div.lesson", {}, h("b", {}, "No run yet."), h("p", {}, "Once something runs, this shows what took how long: agents, model calls, tools."));
  }
  const { spans, start, end, pauses } = spansOf(log, run);
  const { shown, before, after } = windowOf(spans, selected?.seq ?? null, MOST);
  const part = before + after > 0;
  const from = part && shown.length ? Math.min(...shown.map((s) => s.start)) : start;
  const to = part && shown.length ? Math.max(...shown.map((s) => s.end ?? s.start)) : end;
  const used = run.tokens.input + run.tokens.output;
  const facts = [STATUS[run.status] ?? run.status, duration(run.duration ?? end - start), plural(run.calls, "model call"), used > 0 && plural(used, "token")].filter(Boolean);
  return [
    h("p.where", {}, h("b", {}, `Run ${run.number}`), ` ${facts.join(" · ")}`),
    part && h("p.quiet.note", {}, `${shown.length} of ${count(spans.length)} spans, around ${selected ? "the selected event" : "the end"}`),
    pauses.map((pause) => h("p.quiet.note.waited", {}, icon("pause"), `Waited ${pause.waited == null ? "for an answer since" : `${duration(pause.waited)} for an answer, after`} ${duration(pause.at - start)} of work`)),
    h("div.axis", { "aria-hidden": "true" }, h("span", {}, duration(from - start)), h("span", {}, duration((from + to) / 2 - start)), h("span", {}, duration(to - start))),
    h("ol.spans", {}, shown.map((span) => drawSpan(span, from, Math.max(to - from, 1e-6), view))),
  ];
}

function drawSpan(span, from, width, { index, selected, pickSpan }) {
  const mark = markOf(index, span.agent);
  const left = ((span.start - from) / width) * 100;
  const size = Math.max(0, ((span.end ?? span.start) - span.start) / width) * 100;
  const bar = h(`i.bar${span.open ? ".open" : ""}`);
  bar.style.left = `${Math.min(99, Math.max(0, left)).toFixed(2)}%`;
  bar.style.width = `${Math.min(size, 100 - Math.max(0, left)).toFixed(2)}%`;
  const holds = selected && span.seq <= selected.seq && selected.seq <= (span.endSeq ?? Infinity) && span.agent === (selected.body.author ?? selected.body.agent);
  const used = span.usage ? (span.usage.input ?? 0) + (span.usage.output ?? 0) : 0;
  const facts = [duration((span.end ?? span.start) - span.start), used > 0 && plural(used, "token"), span.firstToken != null && `first word after ${duration(span.firstToken)}`, span.reason, span.outcome && span.outcome !== "ok" && span.outcome].filter(Boolean);
  const step = { model: ["THINK", span.turn].filter(Boolean).join(" "), tool: "ACT" }[span.kind];
  const label = h("span.what", {}, step ? h("span.step", {}, step) : markIcon(mark), span.name);
  label.style.paddingLeft = `${Math.min(span.depth, 8) * 10}px`;
  const state = span.outcome === "error" ? ".failed" : "";
  return h("li", {},
    h(`button.span.${span.kind}.c-${mark.colour}${holds ? ".holds" : ""}${state}`, { type: "button", title: `${span.name}: ${facts.join(", ")}`, onclick: () => pickSpan(span) },
      label, h("span.track", {}, bar), h("span.took", {}, span.open ? "…" : duration((span.end ?? span.start) - span.start))));
}
