/** The State tab: every key by scope, who wrote it, and what the selected event changed. */

import { drawPlaybookValue } from "./change_view.js";
import { drawDiff } from "./diff_view.js";
import { h } from "./dom.js";
import { byScope, stateAt } from "./fold.js";
import { clip, count, pretty, stateImage } from "./format.js";
import { isReference, PLAYBOOK } from "./playbook.js";
import { markOf } from "./tree.js";

const SHOWN = 600;
const SCOPES = {
  session: { title: "Session", about: "this session only" },
  user: { title: "User", about: "all sessions of this person" },
  app: { title: "App", about: "all sessions of this pipeline" },
};

export function drawStateTab(view) {
  const { log, selected, running } = view;
  const { state, changes } = stateAt(log, selected?.seq ?? null);
  const starting = log.runs.length ? null : view.starting;
  const groups = byScope(state).filter(({ items }) => items.length);
  return [
    h("p.where", {}, whereText(log, selected, view.ordinal, running)),
    changes.length > 0 && h("section.changes", {}, h("h3", {}, "Changed here"), changes.map((change) => drawChange(change, view))),
    groups.length === 0 && !starting && drawEmpty(log),
    groups.map(({ scope, items }) => h("section.scope", {},
      h("h3", {}, SCOPES[scope].title, h("small", {}, SCOPES[scope].about)),
      items.map((item) => drawItem(item, view)))),
    starting && h("section.scope", {},
      h("h3", {}, SCOPES.app.title, h("small", {}, SCOPES.app.about)),
      h("div.item", {},
        h("div.key", {}, h("code", {}, "playbook"), h("span.by", {}, "from the start")),
        drawPlaybookValue("start:playbook", starting, view))),
  ];
}

function whereText(log, selected, ordinal, running) {
  if (!log.entries.length) return "No session yet";
  if (!selected) return running ? `State now, after event ${count(log.events)}` : `State at the end, after event ${count(log.events)} of ${count(log.events)}`;
  return ordinal ? `State after event ${count(ordinal)} of ${count(log.events)}` : "State before the first event";
}

function drawEmpty(log) {
  return h("div.lesson", {},
    h("b", {}, log.entries.length ? "Nothing is in state here." : "State is what agents share."),
    h("p", {}, "An agent with an output key writes its answer into state; the next agent reads it through {key} in its instruction. Each key shows up here with who wrote it, and what each event changed."));
}

function drawChange({ key, before, after, had, same }, view) {
  const body = isPlaybook(key, after) ? [drawPlaybookValue(`change:${key}`, after, view)]
    : !had ? [h("span.tag.new", {}, "new"), drawValue(`change:${key}`, after, view)]
    : same ? [h("span.quiet", {}, "written again, same value")]
    : stateImage(after) || stateImage(before) ? [h("div.pair", {}, drawValue(`old:${key}`, before, view), h("span.quiet", {}, "→"), drawValue(`change:${key}`, after, view))]
    : [drawDiff(pretty(before), pretty(after), view.isOpen(`diff:${key}`), () => view.toggle(`diff:${key}`))];
  return h("div.item", {}, h("div.key", {}, h("code", {}, key)), body);
}

function drawItem({ key, name, value, seq, author, kind }, view) {
  const changed = seq === view.selected?.seq;
  return h(`div.item${changed ? ".changed" : ""}`, {},
    h("div.key", {}, h("code", {}, name), drawWriter({ seq, author, kind }, view)),
    isPlaybook(key, value) ? drawPlaybookValue(`value:${key}`, value, view) : drawValue(`value:${key}`, value, view));
}

/** The log has what was done to a playbook, not the playbook: its bullets are asked for where they are wanted. */
function isPlaybook(key, value) {
  return key === PLAYBOOK && isReference(value);
}

function drawWriter({ seq, author, kind }, { log, index, select }) {
  if (kind === "session_created") return h("span.by", {}, "from the start");
  if (kind === "run_started") return h("span.by", {}, "from another session");
  const mark = markOf(index, author);
  return h("button.plain.by", { type: "button", title: "Go to this event", onclick: () => select(seq) },
    "by ", h(`b.c-${mark.colour}`, {}, author), `, event ${log.ordinals.get(seq)}`);
}

export function drawValue(key, value, { isOpen, toggle }) {
  const picture = stateImage(value);
  if (picture) return h("img.picture", { src: picture, alt: `Picture in ${key.slice(key.indexOf(":") + 1)}` });
  const text = pretty(value);
  const type = typeof value === "string" ? "string" : value === null ? "null" : typeof value;
  if (text.length <= SHOWN + 80) return h(`div.value.${type}`, {}, text === "" ? h("span.quiet", {}, "empty text") : text);
  const open = isOpen(key);
  return h(`div.value.${type}`, {}, open ? text : clip(text, SHOWN),
    h("button.plain.more", { type: "button", onclick: () => toggle(key) }, open ? "show less" : `show all ${count(text.length)} characters`));
}
