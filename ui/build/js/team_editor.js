// @ts-check
/** The tree of a team beside the fields of the selected agent. The page has the team: what is done here is sent to it. */

import { focusedIn, h, setText } from "../../browser/js/elements.js";
import { Form } from "./form/form.js";
import { Outbox } from "./outbox.js";
import { Bar } from "./tree/bar.js";
import { Tree } from "./tree/tree.js";

/** @import { Act, Api, Data } from "./types.d.ts" */

/** Milliseconds after which the page is told which agent is selected: keys go along many. */
const PAUSE = 400;

export class TeamEditor {
  /** @type {Api | undefined} */
  #api;
  /** @type {Data | undefined} */
  #data;
  #selected = "";
  #visit = -1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #outbox = new Outbox((acts) => this.#api?.setTriggerValue("acts", [...acts]));
  #tree = new Tree({
    select: (agent) => this.#select(agent),
    edit: () => this.#form.focus("instruction"),
    act: (act) => this.#act(act),
  });
  #bar = new Bar((act) => {
    this.#act(act);
    if (act.kind !== "move") this.#tree.focus();
  });
  #form = new Form(this.#outbox);
  #status = h("p.status", { role: "status" });

  /** @param {ParentNode} parent */
  constructor(parent) {
    this.element = h(
      "div.team-editor",
      {},
      h("div.side", {}, this.#bar.element, this.#tree.element, this.#status),
      this.#form.element,
    );
    parent.append(this.element);
  }

  /**
   * Takes what the page says.
   * @param {Data} data
   * @param {Api} api
   */
  update(data, api) {
    this.#api = api;
    this.#outbox.settle(data.done, data.refused);
    const files = new Map(data.agents.map(({ file, name }) => [file, name]));
    const renamed = new Map((this.#data?.agents ?? []).map(({ file, name }) => [name, (file && files.get(file)) || name]));
    this.#outbox.follow(renamed);
    this.#selected = renamed.get(this.#selected) ?? this.#selected;
    this.#data = data;
    const isLed = data.visit !== this.#visit;
    this.#visit = data.visit;
    const before = this.#selected;
    const isThere = (/** @type {string} */ agent) => data.agents.some(({ name }) => name === agent);
    if (isLed || !isThere(this.#selected)) this.#selected = isThere(data.agent) ? data.agent : data.agents[0]?.name ?? "";
    const goesOn = before !== this.#selected && focusedIn(this.#form.element) !== null; // a tool was added there
    this.#draw();
    if (isLed) this.#tree.show();
    if (isLed && (data.field || goesOn)) this.#form.focus(data.field || "name");
  }

  close() {
    clearTimeout(this.#timer);
    this.#tree.close();
    this.element.remove();
  }

  #draw() {
    const data = this.#data;
    if (!data) return;
    this.#tree.draw(data, this.#selected);
    this.#bar.element.hidden = data.locked;
    this.#bar.draw(this.#tree.order, data.kinds, this.#selected);
    this.#form.draw(data, this.#selected);
    setText(this.#status, data.locked ? "" : this.#outbox.isEmpty ? "Saved" : "Saving …");
  }

  /** @param {string} agent */
  #select(agent) {
    const isOther = agent !== this.#selected;
    this.#selected = agent;
    this.#draw();
    if (!isOther) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#outbox.add({ kind: "select", agent }), PAUSE);
  }

  /** @param {Act} act */
  #act(act) {
    clearTimeout(this.#timer);
    this.#outbox.add(act);
    this.#draw();
  }
}
