/** Small things inside a row: calls and responses, pictures, files, errors, badges. Knows parts of an event, not rows. */

import { artifactUrl, artifactsOf, plainName } from "./artifacts.js";
import { h, icon } from "./dom.js";
import { appBase } from "./feed.js";
import { argumentsLine, clip, imageUrl, oneLine, plural, responseLine } from "./format.js";
import { isSimulatedEvent, replayIn } from "./origin.js";
import { sessionPage, settingsPage } from "./pages.js";
import { CONFIRMATION, decisionOf } from "./pending.js";
import { decidedWords, isReview, REVIEW } from "./review.js";
import { leadsToSettings } from "./wording.js";

const MOST_CITED = 8;

/**
 * A part's chip: a call or a response, in a list that is empty for text.
 * @param calls the calls that ever waited for a person, by id
 */
export function drawChip(part, { calls, later = [] }) {
  const { function_call: call, function_response: answer } = part;
  if (call) {
    const { originalFunctionCall: asked } = (call.name === CONFIRMATION && call.args) || {};
    if (asked) return [chip("asks", "pause", argumentsLine(asked.args), "asks for approval", asked.name)];
    if (call.name === REVIEW && Array.isArray(call.args?.operations)) return [chip("asks", "pause", "A person decides on each", "asks for a review", `${plural(call.args.operations.length, "change")} of ${call.args.playbook}`)];
    const title = later.includes(call.id) ? "A call that may be answered later" : "Tool call";
    return [h("div.chip.call", { title }, icon("tool"), h("b", {}, call.name), h("span", {}, `(${argumentsLine(call.args)})`))];
  }
  if (!answer) return [];
  const held = calls?.get(answer.id);
  if (answer.name === CONFIRMATION) return [drawDecision(held)];
  if (held?.answer && isReview(held)) return [chip("answer.approved", "answer", "A person's decisions", "reviewed", decidedWords(held))];
  const failed = answer.response?.error !== undefined;
  const said = failed ? oneLine(answer.response.error, 300) : responseLine(answer.response);
  return [chip(failed ? "answer.failed" : "answer", failed ? "alert" : "answer", failed ? "The tool failed" : "The tool's answer", answer.name, said || "returned nothing")];
}

function chip(look, sign, title, name, text) {
  return h(`div.chip.${look}`, { title }, icon(sign), h("b", {}, name), h("span", {}, text));
}

function drawDecision(call) {
  if (!call?.answer) return chip("answer", "answer", "An answer", "answered", "a question that is not shown here");
  const { verdict, reason, edits } = decisionOf(call);
  const approved = verdict === "approved";
  const about = [edits.length > 0 && "with other arguments", reason && clip(reason, 160)].filter(Boolean).join(": ");
  return chip(approved ? "answer.approved" : "answer.rejected", approved ? "check" : "cross_out", "A person's decision", verdict, `${call.tool}${about ? `, ${about}` : ""}`);
}

/** The bullets that an answer says it rests on. */
export function drawCited(ids) {
  const shown = ids.slice(0, MOST_CITED).map((id) => h("div.chip.cites", { title: "The answer says that it rests on this bullet" }, icon("check"), h("b", {}, id)));
  return ids.length > MOST_CITED ? [...shown, h("div.chip", {}, h("span", {}, `and ${ids.length - MOST_CITED} more`))] : shown;
}

/** The pictures in parts: shown inline or given back by a tool; of types that we show. */
export function picturesOf(parts) {
  const found = parts.flatMap((part) => [part.inline_data, ...(part.function_response?.parts ?? []).map((inner) => inner.inline_data)]);
  return found.filter(Boolean).map(({ mime_type: type, data }) => {
    const url = imageUrl(type, data);
    return url ? h("img", { src: url, alt: "Picture from this event", loading: "lazy", decoding: "async" }) : h("span.quiet", {}, `${type ?? "data"}, not shown`);
  });
}

/**
 * The files that an event saved: a chip for each, and what is to be seen of them.
 * @param place whose files they are: {pipeline, session}
 * @param onResize called when a picture turned out to be none
 * @returns {{chips: Element[], pictures: Element[]}}
 */
export function drawArtifacts(actions, place, onResize) {
  const files = artifactsOf(actions).map((file) => ({ ...file, url: artifactUrl(appBase(), { ...place, ...file }) }));
  const pictures = files.filter(({ look }) => look !== "file").map(({ name, version, url, look }) => {
    const image = h("img.saved", { src: url, alt: `${name}, version ${version}`, title: name, loading: "lazy", decoding: "async" });
    image.onerror = () => {
      image.replaceWith(look === "picture" ? h("span.quiet", {}, `${name} cannot be shown`) : "");
      onResize();
    };
    return image;
  });
  const chips = files.map(({ name, version, url }) =>
    h("a.chip.file", { href: url, download: plainName(name), title: `Download ${name}, version ${version}` }, icon("file"), h("b", {}, name), h("span", {}, `v${version}`)));
  return { chips, pictures };
}

export function drawError(code, message) {
  return h("div.error", {}, icon("alert"), h("div", {}, code && h("b", {}, code), h("div.text", {}, clip(message ?? "No message was given.", 4000)), leadsToSettings(code) && drawSettingsLink("Open Settings")));
}

/** A link to where keys, servers, models and prices are set. */
export function drawSettingsLink(words, section) {
  return h("a.to-settings", { href: settingsPage(appBase(), section, location.search) }, words);
}

/** The mark of what somebody made go wrong on purpose. */
export function drawInjected(about) {
  return h("span.tag.injected", { title: about }, icon("injected"), "injected");
}

/** Marks of where an event's answer comes from: a simulation in a run that has others too, a record that has drifted. */
export function drawOrigin(body, mixed) {
  const drifted = replayIn(body)?.drifted ?? [];
  return [
    mixed && isSimulatedEvent(body) && h("span.tag.simulated", { title: "The built-in simulation answered, no language model" }, "simulated"),
    drifted.length > 0 && h("span.tag.drifted", { title: `Replayed, though the request is another one than was recorded: ${drifted.join(", ")}` }, "drifted"),
  ];
}

/** Badges of the sessions whose records answer in a run, each a link to its session. */
export function drawReplays(replays) {
  return replays.map((place) => h("span.tag.replayed", { title: `Answers come from the record of session ${place.session} of ${place.pipeline}, not from a model` },
    "replayed ", h("a", { href: sessionPage(appBase(), place), "aria-label": `Session ${place.session}, which is replayed` }, clip(place.session, 8))));
}

/** The mark of a record that tells again what happened when a session was recorded. */
export function drawReplayed({ replayed }) {
  return replayed && h("span.tag.replayed", { title: "Told again from the record that is replayed" }, "replayed");
}
