// @ts-check
/** The inspector: tabs on the selected entry, or on the end of the log. */

import { createCodes } from "../code/codes.js";
import { focusedIn, h, replace, setAttribute } from "../../../browser/js/elements.js";
import { getCode, hasCode } from "../page/server.js";
import { drawCodeTab } from "./tabs/code_tab.js";
import { drawEventTab } from "./tabs/event_tab.js";
import { drawJsonTab } from "./tabs/json_tab.js";
import { drawLessonTab } from "./tabs/lesson_tab.js";
import { drawPlaybookTab } from "./tabs/playbook_tab.js";
import { drawPromptTab } from "./tabs/prompt/prompt_tab.js";
import { drawStateTab } from "./tabs/state_tab.js";
import { drawTimelineTab } from "./tabs/timeline_tab.js";
import { drawUsageTab } from "./tabs/usage_tab.js";

/** @import { Context, Tab } from "./types.d.ts" */

/** @type {Tab[]} */
export const TABS = [
  { name: "state", label: "State", draw: drawStateTab },
  { name: "event", label: "Event", draw: drawEventTab },
  { name: "prompt", label: "Prompt", draw: drawPromptTab },
  { name: "timeline", label: "Timeline", draw: drawTimelineTab },
  { name: "usage", label: "Usage", draw: drawUsageTab },
  { name: "playbook", label: "Playbook", draw: drawPlaybookTab, only: ({ learns }) => learns },
  { name: "code", label: "Code", draw: drawCodeTab, only: () => hasCode },
  { name: "json", label: "JSON", draw: drawJsonTab },
  { name: "lesson", label: "Lesson", draw: drawLessonTab, only: ({ lesson }) => lesson !== null },
];

export class Inspector {
  /** @type {string} the tab that is wanted: it may not be there yet */
  #tab = "state";
  /** @type {Set<string>} values that a user opened in full */
  #open = new Set();
  #codes = createCodes({ get: getCode, onChange: () => this.draw() });
  #options;
  #buttons;
  #panel = h("div.panel", { role: "tabpanel", id: "tab-panel", tabindex: "0" });
  #list = h("div.tablist", { role: "tablist", "aria-label": "Inspector" });
  /** The tabs that have no room in the row. */
  #more = h("select.more-tabs", { "aria-label": "More tabs", title: "More tabs", hidden: true });
  #fitted = "";
  #observer = new ResizeObserver(() => this.#fit());

  /**
   * @param {object} options
   * @param {(name: string) => void} options.onTab called when a user changes the tab
   * @param {() => void} options.onClose
   * @param {() => Context} options.context what there is to look at
   */
  constructor(options) {
    this.#options = options;
    this.#buttons = TABS.map(({ name, label }) => this.#drawButton(name, label));
    replace(this.#list, this.#buttons);
    this.#more.onchange = () => this.choose(this.#more.value);
    this.element = h(
      "section.inspector",
      { "aria-label": "Inspector" },
      h(
        "div.tabs",
        {},
        this.#list,
        this.#more,
        h("button.plain.close", { type: "button", title: "Close (Esc)", onclick: options.onClose }, "Close"),
      ),
      this.#panel,
    );
    this.#observer.observe(this.element);
    this.draw();
  }

  close() {
    this.#observer.disconnect();
  }

  /** The tab that is wanted. */
  get tab() {
    return this.#tab;
  }

  /**
   * Shows a tab, as a user wants it.
   * @param {string} name
   */
  choose(name) {
    if (name !== this.#tab) this.#options.onTab(name);
    this.show(name);
  }

  /**
   * Shows a tab; the first where there is none of that name.
   * @param {string | null} name
   */
  show(name) {
    this.#tab = TABS.find((tab) => tab.name === name)?.name ?? "state";
    this.#panel.scrollTop = 0;
    this.draw();
  }

  /** Forgets what is open of the entries of a session, whose numbers the next one has, too. */
  leaveSession() {
    for (const key of this.#open) if (/:\d/.test(key)) this.#open.delete(key);
    this.draw();
  }

  draw() {
    const context = this.#options.context();
    const now = this.#shown(context);
    TABS.forEach((tab, i) => {
      setAttribute(this.#buttons[i], "aria-selected", String(tab === now));
      setAttribute(this.#buttons[i], "tabindex", tab === now ? "0" : "-1");
    });
    this.#fit();
    setAttribute(this.#panel, "aria-labelledby", `tab-${now.name}`);
    const folds = { isOpen: (/** @type {string} */ key) => this.#open.has(key), toggle: this.#toggle };
    const fold = this.#focusedFold();
    replace(this.#panel, now.draw({ ...context, ...folds, codes: this.#codes }));
    if (fold !== null) this.#focusFold(fold);
  }

  /** Keeps the tabs in one row: the last ones that have no room are options of a list, never the one that is shown. */
  #fit() {
    const context = this.#options.context();
    const [there, now] = [TABS.filter((tab) => isThere(tab, context)), this.#shown(context)];
    const stamp = `${this.element.clientWidth} ${now.name} ${there.map(({ name }) => name)}`;
    if (stamp === this.#fitted) return;
    this.#fitted = stamp;
    const hide = (/** @type {Tab} */ tab, /** @type {boolean} */ hidden) =>
      setAttribute(this.#buttons[TABS.indexOf(tab)], "hidden", hidden);
    for (const tab of TABS) hide(tab, !there.includes(tab));
    const isTooWide = () => this.#list.scrollWidth > this.#list.clientWidth;
    this.#more.hidden = true;
    if (isTooWide()) this.#more.hidden = false; // its own width counts, too
    /** @type {Tab[]} */
    const left = [];
    for (const tab of there.toReversed()) {
      if (!isTooWide()) break;
      if (tab === now) continue;
      hide(tab, true);
      left.unshift(tab);
    }
    const options = left.map(({ name, label }) => h("option", { value: name }, label));
    replace(this.#more, h("option", { value: "", hidden: true }, "More ▾"), options);
  }

  /** What the focused button of the panel opens; null for any other focus. */
  #focusedFold() {
    return focusedIn(this.#panel)?.getAttribute("data-fold") ?? null;
  }

  /** @param {string} fold */
  #focusFold(fold) {
    const button = [...this.#panel.querySelectorAll("[data-fold]")].find((one) => one.getAttribute("data-fold") === fold);
    if (button instanceof HTMLElement) button.focus({ preventScroll: true });
  }

  /**
   * @param {string} name
   * @param {string} label
   */
  #drawButton(name, label) {
    const attributes = { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "tab-panel" };
    return h("button.tab", { ...attributes, onclick: () => this.choose(name), onkeydown: this.#move }, label);
  }

  /** @param {Context} context */
  #shown(context) {
    return TABS.find((tab) => tab.name === this.#tab && isThere(tab, context)) ?? TABS[0];
  }

  #move = (/** @type {KeyboardEvent} */ event) => {
    const context = this.#options.context();
    const there = TABS.filter((tab) => isThere(tab, context));
    const at = there.indexOf(this.#shown(context));
    const places = new Map([["Home", 0], ["End", -1], ["ArrowRight", (at + 1) % there.length], ["ArrowLeft", at - 1]]);
    const place = places.get(event.key);
    const to = place === undefined ? undefined : there.at(place);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(to.name);
    this.#buttons[TABS.indexOf(to)].focus();
  };

  #toggle = (/** @type {string} */ key) => {
    if (!this.#open.delete(key)) this.#open.add(key);
    this.draw();
  };
}

/**
 * Whether a tab is there for what is looked at.
 * @param {Tab} tab
 * @param {Context} context
 */
function isThere({ only }, context) {
  return !only || only(context);
}
