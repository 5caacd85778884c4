/** The inspector: four tabs on the selected entry, or on the end of the log. Knows the log, not the list. */

import { h, setAttribute, replace } from "./dom.js";
import { drawEventTab } from "./inspect_event.js";
import { drawJsonTab } from "./inspect_json.js";
import { drawStateTab } from "./inspect_state.js";
import { drawTimelineTab } from "./inspect_timeline.js";

export const TABS = [
  { name: "state", label: "State", draw: drawStateTab },
  { name: "event", label: "Event", draw: drawEventTab },
  { name: "timeline", label: "Timeline", draw: drawTimelineTab },
  { name: "json", label: "JSON", draw: drawJsonTab },
];

/**
 * @param onTab called with a tab's name when a person changes it
 * @param context what the tabs need: {log, index(), select(seq)}
 */
export function createInspector({ onTab, onClose, context }) {
  let tab = "state";
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
    TABS.forEach(({ name: at }, i) => {
      setAttribute(buttons[i], "aria-selected", String(at === tab));
      setAttribute(buttons[i], "tabindex", at === tab ? "0" : "-1");
    });
    setAttribute(panel, "aria-labelledby", `tab-${tab}`);
    panel.scrollTop = 0;
    draw();
  }

  function move(event) {
    const at = TABS.findIndex((t) => t.name === tab);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? TABS.length - 1 : step ? (at + step + TABS.length) % TABS.length : -1;
    if (to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    choose(TABS[to].name);
    buttons[to].focus();
  }

  function draw() {
    const kept = panel.scrollTop;
    replace(panel, TABS.find((t) => t.name === tab).draw({ ...context(), isOpen: (key) => open.has(key), toggle }));
    panel.scrollTop = kept;
  }

  function toggle(key) {
    if (!open.delete(key)) open.add(key);
    draw();
  }

  show(tab);
  return { element, show, draw, get tab() { return tab; } };
}
