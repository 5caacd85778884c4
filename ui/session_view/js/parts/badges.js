// @ts-check
/** Badges: what was made to go wrong on purpose, and where answers come from. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { appBase } from "../../../browser/js/streamlit_page.js";
import { isSimulatedEvent, replayIn } from "../log/origin.js";
import { sessionPage } from "../../../browser/js/addresses.js";
import { clip } from "../words/format.js";

/** @import { EventBody } from "../log/entries.d.ts" */
/** @import { SessionPlace } from "../log/folds.d.ts" */

/**
 * The mark of what somebody made go wrong on purpose.
 * @param {string} about
 */
export function drawInjected(about) {
  return h("span.tag.injected", { title: about }, icon("injected"), "injected");
}

/**
 * Marks of where an event's answer comes from: a simulation in a run that has others too, a record that has drifted.
 * @param {EventBody} body
 * @param {boolean | undefined} mixed
 */
export function drawOrigin(body, mixed) {
  const drifted = replayIn(body)?.drifted ?? [];
  return [
    body.custom_metadata?.typed_by_person === true &&
    h("span.tag", { title: "A person answered in the model's place" }, "typed by a person"),
    mixed && isSimulatedEvent(body) &&
    h("span.tag.simulated", { title: "The built-in simulation answered, no language model" }, "simulated"),
    drifted.length > 0 &&
    h(
      "span.tag.drifted",
      { title: `Replayed, though the request is another one than was recorded: ${drifted.join(", ")}` },
      "drifted",
    ),
  ];
}

/**
 * Badges of the sessions whose records answer in a run, each a link to its session.
 * @param {SessionPlace[]} replays
 */
export function drawReplays(replays) {
  return replays.map((place) =>
    h(
      "span.tag.replayed",
      { title: `Answers come from the record of session ${place.session} of ${place.pipeline}, not from a model` },
      "replayed ",
      h(
        "a",
        { href: sessionPage(appBase(), place), "aria-label": `Session ${place.session}, which is replayed` },
        clip(place.session, 8),
      ),
    )
  );
}

/**
 * The mark of a record that tells again what happened when a session was recorded.
 * @param {{ replayed?: boolean }} record
 */
export function drawReplayed({ replayed }) {
  return replayed && h("span.tag.replayed", { title: "Told again from the record that is replayed" }, "replayed");
}
