// @ts-check
/** Rows of one line: what was decided, handed over, given, or made to go wrong. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { drawInjected, drawReplayed } from "../parts/badges.js";
import { givenWords } from "../playbook/commits.js";
import { clip } from "../words/format.js";
import { faultWords, recordedWords, routeWords, transferWords } from "../words/records.js";
import { phraseParts } from "../words/vocabulary.js";
import { coloured, fill } from "./lines.js";

/** @import { RouteDecided } from "../log/entries.d.ts" */
/** @import { Draw } from "../rows/types.d.ts" */

/** @type {Draw<"route">} */
export function drawRoute(element, { entry: { body } }) {
  const { who, verb, key, about, reason, error, injected } = routeWords(body);
  const line = h(
    "div.rule.wraps",
    {},
    icon("choice"),
    h("span.title", {}, who, ` ${verb}`, key && " ", key && h("b.route-key", {}, key), reason && ":"),
    reason && h("span.reason", {}, clip(reason, 240)),
    about && h("span.quiet", {}, about),
    drawReplayed(body),
  );
  const { candidates: names = [] } = body;
  const candidates = names.length > 1 && h("div.candidates", {}, names.map((name) => drawCandidate(name, body)));
  const cause = error && h("div.cause", {}, injected && drawInjected("The error was asked for"), clip(error, 300));
  element.classList.toggle("none", body.key == null);
  fill(
    element,
    [`${who} ${verb} ${key}`, reason, about, error].filter(Boolean).join(". "),
    h("div.body", {}, line, candidates, cause),
  );
}

/**
 * @param {string} name
 * @param {RouteDecided} route
 */
function drawCandidate(name, { key, failed = [] }) {
  const [look, sign, said] = name === key
    ? ["chosen", "check", "chosen"]
    : failed.includes(name)
    ? ["failed", "cross_out", "failed before"]
    : ["left", null, "not chosen"];
  return h(`span.candidate.${look}`, { title: said }, sign && icon(sign), name);
}

/** @type {Draw<"recorded">} */
export function drawRecorded(element, { entry: { body } }, { index }) {
  const words = recordedWords(body);
  const line = h("div.rule.wraps", {}, icon("tool"), coloured(index, body.agent), h("span.title", {}, clip(words, 300)));
  fill(element, `${body.agent}: ${words}`, line);
}

/** @type {Draw<"transfer">} */
export function drawTransfer(element, { entry: { body } }, { index }) {
  fill(
    element,
    transferWords(body),
    h(
      "div.rule.wraps",
      {},
      icon("handover"),
      h(
        "span.title",
        {},
        phraseParts("transfer", "done", { agent: coloured(index, body.agent), to: coloured(index, body.to) }),
      ),
    ),
  );
}

/** @type {Draw<"fault">} */
export function drawFault(element, { entry: { body } }) {
  const words = faultWords(body);
  const where = [
    body.agent && body.agent !== body.target && body.agent,
    body.model && body.model !== body.target && body.model,
    body.call && `model call ${body.call}`,
  ].filter(Boolean).join(" · ");
  fill(
    element,
    `Injected: ${words}. ${where}`,
    h(
      "div.rule.wraps",
      {},
      drawInjected("Somebody asked for this fault"),
      h("span.title", {}, words),
      h("span.quiet", {}, where),
      drawReplayed(body),
    ),
  );
}

/** @type {Draw<"given">} */
export function drawGiven(element, { entry: { body } }, { index }) {
  const words = givenWords(body);
  fill(
    element,
    `${words}, by ${body.agent}`,
    h("div.rule.wraps", {}, icon("book"), h("span.title", {}, words), "by ", coloured(index, body.agent)),
  );
}
