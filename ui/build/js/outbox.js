// @ts-check
/** The acts that the page has not seen yet. Each message has all of them, so that none is lost where two come at once. */

/** @import { Json } from "../../browser/js/types.d.ts" */
/** @import { Act, Numbered, Refused } from "./types.d.ts" */

export class Outbox {
  /** @type {Numbered[]} */
  #waiting = [];
  /** @type {Map<string, { value: Json; text: string }>} */
  #refused = new Map();
  #last = 0;
  #send;

  /** @param {(acts: Numbered[]) => void} send */
  constructor(send) {
    this.#send = send;
  }

  get isEmpty() {
    return this.#waiting.length === 0;
  }

  /** @param {Act} act */
  add(act) {
    if (act.kind === "set") this.#refused.delete(keyOf(act));
    this.#waiting.push({ ...act, number: ++this.#last });
    this.#send(this.#waiting);
  }

  /**
   * Takes what the page has seen; what it could not do stays with its reason, so that nothing typed is lost.
   * @param {number} done the last act that it has seen
   * @param {Refused[]} refused
   */
  settle(done, refused) {
    for (const act of this.#waiting) {
      const reason = refused.find(({ number }) => number === act.number);
      if (reason && act.kind === "set") this.#refused.set(keyOf(act), { value: act.value, text: reason.text });
    }
    this.#waiting = this.#waiting.filter(({ number }) => number > done);
    this.#last = Math.max(this.#last, done);
  }

  /**
   * Has what was refused follow its agents to their new names.
   * @param {Map<string, string>} names by the names before
   */
  follow(names) {
    const kept = [...this.#refused].map(([key, held]) => {
      const [agent, field] = key.split("\n");
      return /** @type {const} */ ([keyOf({ agent: names.get(agent) ?? agent, field }), held]);
    });
    this.#refused = new Map(kept);
  }

  /**
   * What the user wrote into a field that the page does not have: on its way, or refused with a reason.
   * @param {string} agent
   * @param {string} field
   * @returns {{ value: Json; text: string } | undefined}
   */
  typed(agent, field) {
    const key = keyOf({ agent, field });
    const sent = this.#waiting.findLast((act) => act.kind === "set" && keyOf(act) === key);
    return sent?.kind === "set" ? { value: sent.value, text: "" } : this.#refused.get(key);
  }
}

/** @param {{ agent: string; field: string }} place */
function keyOf({ agent, field }) {
  return `${agent}\n${field}`;
}
