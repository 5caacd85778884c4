// @ts-check
/** What a user is about to answer, and what was sent and not yet seen in the log: the log alone says that it arrived. */

/** @import { Draft } from "./types.d.ts" */
/** @typedef {{ silent: boolean; timer: number }} Sent */

export const PATIENCE_MS = 10000;

/**
 * Drafts and sent answers by the id of what they answer.
 * @template Id
 * @template Response
 */
export class Answers {
  /** @type {Map<Id, Draft>} */
  #drafts = new Map();
  /** @type {Map<Id, Sent>} */
  #sent = new Map();
  #options;

  /**
   * @param {object} options
   * @param {(id: Id, response: Response) => void} options.send
   * @param {() => void} options.onChange called when a sending state changed
   */
  constructor(options) {
    this.#options = options;
  }

  /**
   * What was typed and which form is open; kept while the card is out of sight.
   * @param {Id} id
   */
  draftOf(id) {
    /** @type {Draft} */
    const empty = {
      form: "choose",
      reason: "",
      text: "",
      outcome: "",
      fields: null,
      errors: {},
      review: null,
      asModel: null,
    };
    const draft = this.#drafts.get(id) ?? empty;
    this.#drafts.set(id, draft);
    return draft;
  }

  /**
   * "idle", "sending", or "silent": sent, and nothing came of it.
   * @param {Id} id
   */
  stateOf(id) {
    const sent = this.#sent.get(id);
    return !sent ? "idle" : sent.silent ? "silent" : "sending";
  }

  /**
   * Sends an answer; false while one is on its way.
   * @param {Id} id
   * @param {Response} response
   */
  give(id, response) {
    if (this.stateOf(id) === "sending") return false;
    const { send, onChange } = this.#options;
    const timer = setTimeout(() => {
      sent.silent = true;
      onChange();
    }, PATIENCE_MS);
    const sent = { silent: false, timer };
    this.#sent.set(id, sent);
    send(id, response);
    onChange();
    return true;
  }

  /**
   * Lets go of what no longer waits.
   * @param {(id: Id) => boolean} waits
   */
  settle(waits) {
    for (const [id, { timer }] of this.#sent) {
      if (waits(id)) continue;
      clearTimeout(timer);
      this.#sent.delete(id);
      this.#drafts.delete(id);
    }
  }

  clear() {
    for (const { timer } of this.#sent.values()) clearTimeout(timer);
    this.#sent.clear();
    this.#drafts.clear();
  }
}
