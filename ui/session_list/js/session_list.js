// @ts-check
/** A list of sessions, compact or full. A session that was chosen is marked as opening before the page knows. */

import { sessionPage } from "../../browser/js/addresses.js";
import { h, setText } from "../../browser/js/elements.js";
import { appBase } from "../../browser/js/streamlit_page.js";
import { Compact } from "./compact/compact.js";
import { Full } from "./full/full.js";
import { Rows } from "./rows.js";
import { keyOf, nameOf } from "./session_key.js";

/** @import { Act, Api, Data, Look, Row } from "./types.d.ts" */

/** Milliseconds between two looks at the clock. */
const TICK = 15_000;
/** Milliseconds after which a session that did not open is no longer marked. */
const PATIENCE = 10_000;

export class SessionList {
  /** @type {Look} */
  #look;
  /** @type {Row[]} */
  #listed = [];
  #opening = "";
  /** @type {number | undefined} */
  #patience;
  /** @type {Api | undefined} */
  #api;
  #note = h("p.note", { role: "status" });
  #rows;
  #more = h("button.more", { type: "button" });
  #timer = setInterval(() => this.#paint(), TICK);

  /**
   * @param {ParentNode} parent
   * @param {Data["look"]} look
   */
  constructor(parent, look) {
    const list = {
      paint: () => this.#paint(),
      focusRows: () => this.#rows.focus(),
      act: (/** @type {Act} */ act) => this.#api?.setTriggerValue("act", act),
    };
    this.#look = look === "full" ? new Full(list) : new Compact(list);
    this.#rows = new Rows({ open: (key) => this.#open(key), select: this.#look.select });
    const parts = [...this.#look.elements, this.#note, this.#rows.element, this.#more];
    this.element = h(`div.session-list.${look}`, {}, ...parts);
    parent.append(this.element);
  }

  /**
   * Takes what the page says.
   * @param {Data} data
   * @param {Api} api
   */
  update(data, api) {
    this.#api = api;
    if (this.#look.update(data, this.#opening)) this.#opening = "";
    this.#paint();
  }

  /** Ends what goes on by itself, and leaves the page. */
  close() {
    this.#look.close();
    this.#rows.close();
    clearInterval(this.#timer);
    clearTimeout(this.#patience);
    this.element.remove();
  }

  /** @param {string} key */
  #open(key) {
    const row = this.#listed.find((each) => keyOf(each) === key);
    if (!row || key === this.#opening) return; // one that seems open may just have been left
    this.#opening = key;
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => ((this.#opening = ""), this.#paint()), PATIENCE);
    this.#paint();
    this.#api?.setTriggerValue("act", { kind: "open", sessions: [nameOf(row)] });
  }

  #paint() {
    const { rows, note, more } = this.#look.listing();
    const now = Date.now() / 1000, base = appBase();
    this.#listed = rows;
    setText(this.#note, note);
    this.#note.hidden = !note;
    this.#rows.element.hidden = !rows.length;
    this.#rows.draw(rows, (row) => {
      const opening = keyOf(row) === this.#opening;
      const href = sessionPage(base, { pipeline: row.pipeline, session: row.id });
      return { ...this.#look.row(row, this.#opening, now), opening, href, now };
    });
    setText(this.#more, more?.label ?? "");
    this.#more.onclick = more ? more.act : null;
    this.#more.hidden = !more;
  }
}
