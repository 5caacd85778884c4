/** The inspector: tabs on the selected entry, or on the end of the log. Knows the log, not the list. */

import { h, setAttribute, replace } from "./dom.js";
import { drawEventTab } from "./inspect_event.js";
import { drawJsonTab } from "./inspect_json.js";
import { drawPlaybookTab } from "./inspect_playbook.js";
import { drawStateTab } from "./inspect_state.js";
import { drawTimelineTab } from "./inspect_timeline.js";
import { drawUsageTab } from "./inspect_usage.js";

export const TABS = [
  { name: "state", label: "State", draw: drawStateTab },
  { name: "event", label: "Event", draw: drawEventTab },
  { name: "timeline", label: "Timeline", draw: drawTimelineTab },
  { name: "usage", label: "Usage", draw: drawUsageTab },
  { name: "playbook", label: "Playbook", draw: drawPlaybookTab, only: ({ learns }) => learns },
  { name: "json", label: "JSON", draw: drawJsonTab },
];

/**
 * @param onTab called with a tab's name when a person changes it
 * @param context what the tabs need: {log, index, prices, bullets, learns, selected, select(seq), …}
 */
export function createInspector({ onTab, onClose, context }) {
  let tab = "state"; // the one that is wanted: it may not be there yet
  const open = new Set(); // values that a person opened in full
  const buttons = TABS.map(({ name, label }) =>
    h("button.tab", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "tab-panel", onclick: () => choose(name), onkeydown: move }, label));
  const panel = h("div.panel", { role: "tabpanel", id: "tab-panel", tabindex: "0" });
  const element = h("section.inspector", { "aria-label": "Inspector" },
    h("div.tabs", { role: "tablist", "aria-label": "Inspector" }, buttons,
      h("button.plain.close", { type: "button", title: "Close (Esc)", onclick: onClose }, "Close")),
    panel);

  function choose(name) {
    if (!TABS.some((t) => t.name === name)) return;
    if (name !== tab) onTab(name);
    show(name);
  }

  function show(name) {
    tab = TABS.some((t) => t.name === name) ? name : "state";
    panel.scrollTop = 0;
    draw();
  }

  function move(event) {
    const there = TABS.filter((_, i) => !buttons[i].hidden);
    const at = there.findIndex((t) => t.name === shown(context()).name);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? there.length - 1 : step ? (at + step + there.length) % there.length : -1;
    if (to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    choose(there[to].name);
    buttons[TABS.indexOf(there[to])].focus();
  }

  function shown(view) {
    return TABS.find((t) => t.name === tab && isThere(t, view)) ?? TABS[0];
  }

  function draw() {
    const view = context();
    const now = shown(view);
    TABS.forEach((each, i) => {
      setAttribute(buttons[i], "hidden", !isThere(each, view));
      setAttribute(buttons[i], "aria-selected", String(each === now));
      setAttribute(buttons[i], "tabindex", each === now ? "0" : "-1");
    });
    setAttribute(panel, "aria-labelledby", `tab-${now.name}`);
    const kept = panel.scrollTop;
    replace(panel, now.draw({ ...view, isOpen: (key) => open.has(key), toggle }));
    panel.scrollTop = kept;
  }

  function toggle(key) {
    if (!open.delete(key)) open.add(key);
    draw();
  }

  draw();
  return { element, show, choose, draw, get tab() { return tab; } };
}

/** Whether a tab is there for what is looked at. */
function isThere({ only }, view) {
  return !only || only(view);
}
