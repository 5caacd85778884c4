// @ts-check
/** The Lesson tab: what to look for in the run, ticked off as the log shows it, and the way back to the lesson. */

import { h } from "../../../../browser/js/elements.js";
import { icon } from "../../dom/icons.js";
import { appBase } from "../../../../browser/js/streamlit_page.js";
import { runStatus } from "../../log/log.js";
import { drawMarkdown } from "../../markdown/markdown_view.js";
import { lessonPage } from "../../../../browser/js/addresses.js";

/** @import { Log, Observation, Sighting } from "../../log/folds.d.ts" */
/** @import { Look } from "../types.d.ts" */
/** @typedef {{ faulty: boolean; why: string; message: string }} About */

/** @type {Record<string, string>} */
const HINDERED = {
  failed: ", as the run failed",
  stopped: ", as the run was stopped",
  interrupted: ", as the run was interrupted",
};
const NOT_OVER = new Set(["idle", "running", "paused"]);

/** @param {Look} look */
export function drawLessonTab({ lesson, log, select }) {
  if (!lesson) return null;
  const { text, pipeline, sightings } = lesson;
  const about = NOT_OVER.has(runStatus(log)) ? null : aboutRun(log);
  const seen = sightings.filter(({ seq }) => seq !== null).length;
  return [
    h("h3", {}, "What to look for", h("small", {}, `${seen} of ${sightings.length} seen`)),
    h("ul.sightings", {}, sightings.map((sighting, place) => drawSighting(sighting, place, about, select))),
    h("h3", {}, "The lesson in short"),
    h("div.in-short", {}, drawMarkdown(text)),
    h("p.note", {}, h("a.to-lesson", { href: lessonPage(appBase(), pipeline, location.search) }, "← The whole lesson")),
  ];
}

/**
 * @param {Sighting} sighting
 * @param {number} place
 * @param {About | null} about the last run; null while one is at work that may still show it
 * @param {Look["select"]} select
 */
function drawSighting({ observation, seq }, place, about, select) {
  const { text } = observation;
  if (seq === null) {
    return h(
      "li",
      {},
      h("span.tick", { role: "img", "aria-label": about ? "Not seen" : "Not seen yet" }),
      h("div", {}, text, about && h("p.note.quiet", {}, `Not seen${about.why}. ${whatShows(observation, about)}`)),
    );
  }
  const attributes = { type: "button", title: "Select what shows it", "data-fold": `seen:${place}` };
  return h(
    "li.seen",
    {},
    h("span.tick", { role: "img", "aria-label": "Seen" }, icon("check")),
    h("button.plain", { ...attributes, onclick: () => select(seq) }, text),
  );
}

/**
 * What may have kept the last run from showing it.
 * @param {Log} log
 * @returns {About}
 */
function aboutRun({ runs, entries }) {
  const run = runs.at(-1);
  const faulty = Boolean(run?.faults.length);
  const events = entries.filter((entry) => entry.kind === "event");
  const asked = events.findLast(({ body }) => body.author === "user" && body.content?.parts?.length);
  const text = (asked?.body.content?.parts ?? []).map((part) => part.text ?? "").join("");
  const why = faulty ? ", as faults were injected" : HINDERED[run?.status ?? ""] ?? "";
  return { faulty, why, message: text.replace(/\s+/g, " ").trim() };
}

/**
 * @param {Observation} observation
 * @param {About} about
 */
function whatShows({ sample, break_title: title, needs }, { faulty, message }) {
  const own = sample !== "" && message.startsWith(sample.replace(/…$/, "").trim());
  const what = title ? `“${title}” under Break it in the lesson` : own ? "This sample" : `The sample “${sample}”`;
  const without = faulty && !title ? "without faults, " : "";
  return `${what} shows it ${without}with the simulated model${needs && ` and ${needs}`}.`;
}
