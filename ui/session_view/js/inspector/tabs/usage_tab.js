// @ts-check
/** The Usage tab: tokens, cost and time of the whole session, and by agent, model and run. */

import { h } from "../../../../browser/js/elements.js";
import { icon, markIcon } from "../../dom/icons.js";
import { markOf } from "../../log/agent_tree.js";
import { workedInAll, workedSeconds } from "../../log/folds/runs.js";
import { costOfSums } from "../../log/folds/usage.js";
import { runOf } from "../../log/log.js";
import { drawSettingsLink } from "../../parts/errors.js";
import { count, duration } from "../../words/format.js";
import { costWords, silentWords, sumsCells, totalFacts, unpricedWords } from "../../words/usage.js";

/** @import { Child } from "../../../../browser/js/types.d.ts" */
/** @import { Entry } from "../../log/entries.d.ts" */
/** @import { Log, Run, Sums, Usage } from "../../log/folds.d.ts" */
/** @import { PriceRow } from "../../log/prices.js" */
/** @import { Look } from "../types.d.ts" */
/** @typedef {{ name: Child; sums: Sums; here?: boolean; took?: string | null }} Group */
/** @typedef {Record<string, string> & ReturnType<typeof sumsCells>} Cells */

/** So many runs stand there at first, the latest, and at most. */
const SHOWN = 20;
const MOST = 200;
const COLUMNS = [["calls", "Calls"], ["input", "In"], ["output", "Out"], ["cost", "Cost"], ["first", "First word"], [
  "took",
  "Time",
]];

/** @param {Look} view */
export function drawUsageTab(view) {
  const { log, prices, selected } = view;
  const usage = view.usage();
  if (!usage.total.calls) return drawLesson(log, usage);
  const now = Date.now() / 1000;
  return [
    drawTotal(usage.total, prices, selected ? null : workedInAll(log.runs, now), whereWords(view)),
    drawTable(
      "By agent",
      "time in models",
      [...usage.agents].map(([name, sums]) => ({ name: agentName(view, name), sums })),
      prices,
    ),
    drawTable(
      "By model",
      "the one that answered",
      [...usage.models].map(([name, sums]) => ({ name: h("code", {}, name), sums })),
      prices,
    ),
    drawRuns(view, usage, now),
    h(
      "p.quiet.note",
      {},
      "Tokens are what the models report. ",
      drawSettingsLink("Prices", "prices"),
      " are in US dollars for a million tokens, and for a thousand Google searches beyond the free ones; " +
        "what runs on this machine costs nothing.",
    ),
  ];
}

/** @param {Look} look */
function whereWords({ selected, ordinal, log }) {
  return selected ? `Up to event ${count(ordinal)} of ${count(log.events)}` : "The whole session";
}

/**
 * @param {Log} log
 * @param {Usage} usage
 */
function drawLesson(log, usage) {
  return h(
    "div.lesson",
    {},
    h(
      "b",
      {},
      usage.open.size
        ? "The first call of a model is not over yet."
        : log.runs.length
        ? "No model has been called yet."
        : "Nothing has run yet.",
    ),
    h(
      "p",
      {},
      "Each call of a model takes time, and most cost money by the token: what is sent, and what comes back. Once there " +
        "are calls, they are added up here, by agent, by model and by run, so that you see which agent is slow and " +
        "which one is costly.",
    ),
    h(
      "p",
      {},
      "What a token costs stands in ",
      drawSettingsLink("Settings", "prices"),
      ". The simulated model and models on this machine cost nothing.",
    ),
  );
}

/**
 * @param {Sums} sums
 * @param {PriceRow[]} prices
 * @param {number | null} worked
 * @param {string} where
 */
function drawTotal(sums, prices, worked, where) {
  const found = costOfSums(sums, prices);
  const unpriced = unpricedWords(found);
  const silent = silentWords(found);
  return [
    h("p.where", {}, h("b", {}, where)),
    h(
      "dl.facts.usage-total",
      {},
      found.priced || found.unpriced.length ? [h("dt", {}, "cost"), h("dd", {}, h("b", {}, costWords(found)))] : null,
      totalFacts(sums, worked).filter(([, text]) => text).map((
        [name, text],
      ) => [h("dt", {}, name), h("dd", {}, text)]),
    ),
    unpriced &&
    h("p.note.missing", {}, icon("alert"), h("span", {}, unpriced, " ", drawSettingsLink("Set one in Settings", "prices"))),
    silent && h("p.quiet.note", {}, silent),
  ];
}

/**
 * @param {Group[]} rows [{name, sums, here, took}]: `name` an element or text; `took` in the place of the time in models
 * @param {string} title
 * @param {string} about
 * @param {PriceRow[]} prices
 * @param {Child} more
 */
function drawTable(title, about, rows, prices, more = null) {
  const caption = h("caption", {}, h("h3", {}, title, h("small", {}, about)));
  const head = h("thead", {}, h("tr", {}, COLUMNS.map(([name, label]) => h(`th.${name}`, { scope: "col" }, label))));
  return [h("table.usage", {}, caption, head, rows.map((row) => drawGroup(row, prices))), more];
}

/**
 * A name on a line of its own, and its numbers below it: so they stand in columns, however long the name is.
 * @param {Group} group
 * @param {PriceRow[]} prices
 */
function drawGroup({ name, sums, here = false, took = null }, prices) {
  const cells = sumsCells(sums, prices);
  if (took) cells.took = took;
  return h(
    `tbody${here ? ".here" : ""}`,
    {},
    h(
      "tr",
      {},
      h(
        "th.name",
        { scope: "rowgroup", colspan: COLUMNS.length },
        h("span.named", {}, name),
        cells.trouble && h("span.quiet.trouble", {}, cells.trouble),
      ),
    ),
    h(
      "tr",
      {},
      COLUMNS.map(([column]) =>
        h(`td.${column}`, { title: column === "cost" ? cells.missing || null : null }, drawCell(column, cells))
      ),
    ),
  );
}

/**
 * @param {string} column
 * @param {Cells} cells
 */
function drawCell(column, cells) {
  if (column === "cost" && cells.cost === "no price") return drawSettingsLink("no price", "prices");
  return cells[column] || h("span.quiet", { "aria-label": "unknown" }, "–");
}

/**
 * @param {Look} look
 * @param {string} name
 */
function agentName({ index }, name) {
  const mark = markOf(index, name);
  return h(`b.c-${mark.colour}`, {}, markIcon(mark), name);
}

/**
 * @param {Look} view
 * @param {Usage} usage
 * @param {number} now
 */
function drawRuns(view, usage, now) {
  const { log, prices, selected, select, isOpen, toggle } = view;
  const called = log.runs.flatMap((run) => {
    const sums = usage.runs.get(run.invocation);
    return sums ? { run, sums } : [];
  });
  const all = isOpen("usage:runs");
  const shown = called.slice(all ? -MOST : -SHOWN).toReversed();
  const here = selected && runOf(log, selected);
  const rows = shown.map(({ run, sums }) => ({
    name: h(
      "button.plain",
      { type: "button", title: "Go to this run", onclick: () => select(run.seq) },
      `Run ${run.number}`,
    ),
    here: run === here,
    sums,
    took: isPast(run, selected) ? null : duration(workedSeconds(run, now)),
  }));
  const more = called.length > SHOWN &&
    h(
      "button.plain.more-runs",
      { type: "button", "aria-expanded": String(all), onclick: () => toggle("usage:runs") },
      all
        ? "show fewer"
        : called.length > MOST
        ? `show the latest ${MOST} of ${count(called.length)} runs`
        : `show all ${count(called.length)} runs`,
    );
  return drawTable("By run", "time from start to end, pauses left out", rows, prices, more);
}

/**
 * Whether a run was still going on at the selected entry.
 * @param {Run} run
 * @param {Entry | null} selected
 */
function isPast({ endSeq }, selected) {
  return selected !== null && (endSeq ?? Infinity) > selected.seq;
}
