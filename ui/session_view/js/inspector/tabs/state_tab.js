// @ts-check
/** The State tab: every key by scope, who wrote it, and what the selected event changed. */

import { h } from "../../../../browser/js/elements.js";
import { markOf } from "../../log/agent_tree.js";
import { byScope, changesBetween, stateAt } from "../../log/folds/state.js";
import { ordinalAt } from "../../log/log.js";
import { isReference, PLAYBOOK } from "../../log/references.js";
import { drawPlaybookValue } from "../../parts/commit_view.js";
import { drawDiff } from "../../parts/diff.js";
import { breakable } from "../../parts/names.js";
import { drawOutput } from "../../parts/output_view.js";
import { count, pretty, stateImage } from "../../words/format.js";
import { drawTextSwitch } from "../text_switch.js";
import { drawValue } from "../values.js";

/** @import { Json } from "../../../../browser/js/types.d.ts" */
/** @import { Entry, PlaybookPlace } from "../../log/entries.d.ts" */
/** @import { Held, Log, StateChange } from "../../log/folds.d.ts" */
/** @import { Look } from "../types.d.ts" */

const SCOPES = {
  session: { title: "Session", about: "this session only" },
  user: { title: "User", about: "all sessions of this person" },
  app: { title: "App", about: "all sessions of this pipeline" },
};

/** @param {Look} view */
export function drawStateTab(view) {
  const { log, selected, running } = view;
  const { state, changes: here } = stateAt(log, selected?.seq ?? null);
  const changes = view.sinceSeq === null ? here : changesBetween(log, view.sinceSeq, selected?.seq ?? log.lastSeq);
  const starting = log.runs.length ? null : view.starting;
  const groups = byScope(state).filter(({ items }) => items.length);
  const playbook = state.get(PLAYBOOK)?.value;
  const place = isReference(playbook) ? playbook : null;
  return [
    h(
      "div.bar",
      {},
      h("p.where", {}, whereText(log, selected, view.ordinal, running)),
      state.size > 0 && drawTextSwitch(view),
    ),
    log.events > 0 && drawSince(view),
    (changes.length > 0 || view.sinceSeq !== null) && h(
      "section.changes",
      {},
      h("h3", {}, changesTitle(view)),
      changes.length === 0 && h("p.quiet.note", {}, "No key has another value."),
      changes.map((change) => drawChange(change, place, view)),
    ),
    groups.length === 0 && !starting && drawEmpty(log),
    groups.map(({ scope, items }) =>
      h(
        "section.scope",
        {},
        h("h3", {}, SCOPES[scope].title, h("small", {}, SCOPES[scope].about)),
        items.map((item) => drawItem(item, place, view)),
      )
    ),
    starting &&
    h(
      "section.scope",
      {},
      h("h3", {}, SCOPES.app.title, h("small", {}, SCOPES.app.about)),
      h(
        "div.item",
        {},
        h("div.key", {}, h("code", {}, "playbook"), h("span.by", {}, "from the start")),
        drawPlaybookValue("start:playbook", starting, view),
      ),
    ),
  ];
}

/**
 * What the changes are counted from, and a way to pin the selected event.
 * @param {Look} view
 */
function drawSince({ log, since, sinceSeq, selected, ordinal, compare }) {
  const pinned = sinceSeq !== null && since !== "start";
  /**
   * @param {string | null} to
   * @param {string} label
   * @param {boolean} on
   */
  const choice = (to, label, on) =>
    h("button.choice", {
      type: "button",
      "aria-pressed": String(on),
      "data-fold": `since:${to}`,
      onclick: () => compare(to),
    }, label);
  const isHere = pinned && sinceSeq === selected?.seq;
  return h(
    "div.since",
    { role: "group", "aria-label": "Changes since" },
    h("span.quiet", { "aria-hidden": "true" }, "Changes since"),
    choice(null, "event before", sinceSeq === null),
    choice("start", "start", since === "start"),
    pinned && choice(since, `event ${count(ordinalAt(log, sinceSeq))}, pinned`, true),
    selected && !isHere &&
      h(
        "button.plain.pin",
        { type: "button", "data-fold": "since:here", title: "Compare with this event", onclick: () => compare("here") },
        `Pin event ${count(ordinal)}`,
      ),
  );
}

/** @param {Look} view */
function changesTitle({ log, sinceSeq, selected, ordinal }) {
  if (sinceSeq === null) return "Changed here";
  const there = ordinalAt(log, sinceSeq);
  const here = selected ? ordinal : log.events;
  const [first, last] = there <= here ? [there, here] : [here, there];
  return `Changed from ${first ? `event ${count(first)}` : "the start"} to event ${count(last)}`;
}

/**
 * @param {Log} log
 * @param {Entry | null} selected
 * @param {number} ordinal
 * @param {boolean} running
 */
function whereText(log, selected, ordinal, running) {
  if (!log.entries.length) return "No session yet";
  if (!selected) {
    return running
      ? `State now, after event ${count(log.events)}`
      : `State at the end, after event ${count(log.events)} of ${count(log.events)}`;
  }
  return ordinal ? `State after event ${count(ordinal)} of ${count(log.events)}` : "State before the first event";
}

/** @param {Log} log */
function drawEmpty(log) {
  return h(
    "div.lesson",
    {},
    h("b", {}, log.entries.length ? "Nothing is in state here." : "State is what agents share."),
    h(
      "p",
      {},
      "An agent with an output key writes its answer into state; the next agent reads it through {key} in its " +
        "instruction. Each key shows up here with who wrote it, and what each event changed.",
    ),
  );
}

/**
 * @param {StateChange} change
 * @param {PlaybookPlace | null} place
 * @param {Look} view
 */
function drawChange({ key, before, after, had, same }, place, view) {
  const output = same ? null : drawOutput(key, `change:${key}`, after, place, view);
  const body = isPlaybook(key, after)
    ? [drawPlaybookValue(`change:${key}`, after, view)]
    : output
    ? [output]
    : !had
    ? [h("span.tag.new", {}, "new"), drawValue(`change:${key}`, after, view)]
    : same
    ? [h("span.quiet", {}, "written again, same value")]
    : stateImage(after) || stateImage(before)
    ? [
      h(
        "div.pair",
        {},
        drawValue(`old:${key}`, before, view),
        h("span.quiet", {}, "→"),
        drawValue(`change:${key}`, after, view),
      ),
    ]
    : [drawDiff(pretty(before), pretty(after), view.isOpen(`diff:${key}`), () => view.toggle(`diff:${key}`))];
  return h("div.item", {}, h("div.key", {}, h("code", { title: key }, breakable(key))), body);
}

/**
 * @param {Held & { key: string; name: string }} item
 * @param {PlaybookPlace | null} place
 * @param {Look} view
 */
function drawItem({ key, name, value, seq, author, kind }, place, view) {
  const changed = seq === view.selected?.seq;
  return h(
    `div.item${changed ? ".changed" : ""}`,
    {},
    h("div.key", {}, h("code", { title: name }, breakable(name)), drawWriter({ seq, author, kind }, view)),
    isPlaybook(key, value)
      ? drawPlaybookValue(`value:${key}`, value, view)
      : drawOutput(key, `value:${key}`, value, place, view) ?? drawValue(`value:${key}`, value, view),
  );
}

/**
 * The log has what was done to a playbook, not the playbook: its bullets are asked for where they are wanted.
 * @param {string} key
 * @param {Json} value
 */
function isPlaybook(key, value) {
  return key === PLAYBOOK && isReference(value);
}

/**
 * @param {Pick<Held, "seq" | "author" | "kind">} held
 * @param {Look} look
 */
function drawWriter({ seq, author, kind }, { log, index, select }) {
  if (kind === "session_created") return h("span.by", {}, "from the start");
  if (kind === "run_started") return h("span.by", {}, "from another session");
  const mark = markOf(index, author);
  return h(
    "button.plain.by",
    { type: "button", title: "Go to this event", onclick: () => select(seq) },
    "by ",
    h(`b.c-${mark.colour}`, { title: author }, breakable(author)),
    `, event ${log.ordinals.get(seq)}`,
  );
}
