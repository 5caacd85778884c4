// @ts-check
/** What can be done to the selected sessions: compare, rename, tag, delete. Rename and tag ask in the bar itself. */

import { h, replace, setText } from "../../../browser/js/elements.js";
import { nameOf } from "../session_key.js";

/** @import { Act, FoundRow } from "../types.d.ts" */

/** Most sessions that are compared. */
export const MOST_COMPARED = 4;
const LONGEST_TITLE = 200, LONGEST_TAG = 40;

/** @typedef {{ act: (act: Act) => void; clear: () => void }} Actions */

export class ActionBar {
  #actions;
  /** @type {FoundRow[]} */
  #rows = [];
  /** @type {string[]} */
  #known = [];
  /** @type {"" | "rename" | "tag"} */
  #asks = "";
  #count = h("span.count", { role: "status" });
  #compare = this.#button("Compare", () => this.#act("compare"));
  #rename = this.#button("Rename", () => this.#ask("rename"));
  #tag = this.#button("Tag", () => this.#ask("tag"));
  #delete = this.#button("Delete", () => this.#act("delete"));
  #form = h("form.ask", { onsubmit: (/** @type {Event} */ event) => this.#answer(event) });
  #field = h("input", { type: "text", autocomplete: "off", list: "known-tags" });
  #list = h("datalist", { id: "known-tags" });

  /** @param {Actions} actions */
  constructor(actions) {
    this.#actions = actions;
    const clear = this.#button("Clear", () => actions.clear());
    const buttons = [this.#compare, this.#rename, this.#tag, this.#delete, clear];
    this.element = h("div.bar", { role: "group", "aria-label": "Selected sessions" }, this.#count, ...buttons, this.#form);
  }

  /**
   * @param {FoundRow[]} rows the selected ones
   * @param {string[]} tags known ones
   */
  update(rows, tags) {
    const changed = rows.map(({ id }) => id).join() !== this.#rows.map(({ id }) => id).join();
    this.#rows = rows;
    this.#known = tags;
    this.element.hidden = !rows.length;
    setText(this.#count, `${rows.length} selected`);
    this.#compare.disabled = rows.length < 2 || rows.length > MOST_COMPARED;
    this.#compare.title = this.#compare.disabled ? `Select 2 to ${MOST_COMPARED} sessions to compare them` : "";
    const may = (/** @type {Act["kind"]} */ kind) => rows.every((row) => row.may.includes(kind));
    this.#rename.disabled = !may("rename") || rows.length !== 1;
    this.#tag.disabled = !may("tag");
    this.#delete.disabled = !may("delete");
    if (changed || this.#tag.disabled) this.#asks = "";
    this.#drawForm();
  }

  /** @param {"rename" | "tag"} what */
  #ask(what) {
    this.#asks = this.#asks === what ? "" : what;
    this.#field.value = what === "rename" ? this.#rows[0].title : "";
    this.#drawForm();
    if (this.#asks) this.#field.focus();
  }

  #drawForm() {
    const asks = this.#asks;
    this.#form.hidden = !asks;
    this.#rename.ariaExpanded = String(asks === "rename");
    this.#tag.ariaExpanded = String(asks === "tag");
    if (!asks) return;
    const isTag = asks === "tag";
    this.#field.ariaLabel = isTag ? "Add a tag" : "Title";
    this.#field.placeholder = isTag ? "Add a tag" : "";
    this.#field.maxLength = isTag ? LONGEST_TAG : LONGEST_TITLE;
    replace(this.#list, (isTag ? this.#known : []).map((tag) => h("option", { value: tag })));
    const held = [...new Set(this.#rows.flatMap(({ tags }) => tags))].sort();
    const chips = held.map((tag) =>
      h(
        "button.tag",
        { type: "button", "aria-label": `Remove the tag ${tag}`, onclick: () => this.#change([], [tag]) },
        tag,
        " ✕",
      )
    );
    const parts = [this.#list, h("button", { type: "submit" }, isTag ? "Add" : "Save"), ...(isTag ? chips : [])];
    for (const old of [...this.#form.children]) if (old !== this.#field) old.remove();
    if (!this.#field.isConnected) this.#form.append(this.#field); // it keeps its focus and its text
    this.#form.append(...parts);
  }

  /** @param {Event} event */
  #answer(event) {
    event.preventDefault();
    const text = this.#field.value.trim();
    if (text && this.#asks === "tag") this.#change(text.split(/[,，、]/), []);
    else if (text) this.#actions.act({ kind: "rename", sessions: this.#rows.map(nameOf), title: text });
    if (this.#asks === "rename") this.#asks = "";
    this.#field.value = "";
    this.#drawForm();
  }

  /**
   * @param {string[]} add
   * @param {string[]} remove
   */
  #change(add, remove) {
    this.#actions.act({ kind: "tag", sessions: this.#rows.map(nameOf), add, remove });
  }

  /** @param {"compare" | "delete"} kind */
  #act(kind) {
    this.#actions.act({ kind, sessions: this.#rows.map(nameOf) });
  }

  /**
   * @param {string} label
   * @param {() => void} act
   */
  #button(label, act) {
    return h("button", { type: "button", onclick: act }, label);
  }
}
