// @ts-check
/** The Lesson tab: what to look for in the run, ticked off as the log shows it, and the way back to the lesson. */

import { h } from "../../dom/elements.js";
import { icon } from "../../dom/icons.js";
import { appBase } from "../../dom/streamlit_page.js";
import { runStatus } from "../../log/log.js";
import { drawMarkdown } from "../../markdown/markdown_view.js";
import { lessonPage } from "../../page/addresses.js";

/** @import { Observation, Sighting } from "../../log/folds.d.ts" */
/** @import { Look } from "../types.d.ts" */

const NOT_OVER = new Set(["idle", "running", "paused"]);

/** @param {Look} look */
export function drawLessonTab({ lesson, log, select }) {
  if (!lesson) return null;
  const { text, pipeline, sightings } = lesson;
  const over = !NOT_OVER.has(runStatus(log));
  const seen = sightings.filter(({ seq }) => seq !== null).length;
  return [
    h("h3", {}, "What to look for", h("small", {}, `${seen} of ${sightings.length} seen`)),
    h("ul.sightings", {}, sightings.map((sighting, place) => drawSighting(sighting, place, over, select))),
    h("h3", {}, "The lesson in short"),
    h("div.in-short", {}, drawMarkdown(text)),
    h("p.note", {}, h("a.to-lesson", { href: lessonPage(appBase(), pipeline, location.search) }, "← The whole lesson")),
  ];
}

/**
 * @param {Sighting} sighting
 * @param {number} place
 * @param {boolean} over whether no run is at work that may still show it
 * @param {Look["select"]} select
 */
function drawSighting({ observation, seq }, place, over, select) {
  const { text } = observation;
  if (seq === null) {
    return h(
      "li",
      {},
      h("span.tick", { role: "img", "aria-label": over ? "Not seen" : "Not seen yet" }),
      h("div", {}, text, over && h("p.note.quiet", {}, "It did not happen. ", whatShows(observation))),
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

/** @param {Observation} observation */
function whatShows({ sample, break_title: title, needs }) {
  const what = title ? `“${title}” under Break it in the lesson` : `The sample “${sample}”`;
  return `${what} shows it with the simulated model${needs && ` and ${needs}`}.`;
}
