/**
 * What a person is about to answer, and what was sent and not yet seen in the log. Knows calls by id; knows no page.
 * The log alone says that an answer arrived.
 */

export const PATIENCE_MS = 10000;

/**
 * @param send called with `{call_id, response}`
 * @param onChange called when a call's sending state changed
 */
export function createAnswers({ send, onChange, later = setTimeout, forget = clearTimeout }) {
  const drafts = new Map();
  const sent = new Map(); // call id -> {timer, silent}

  function clear() {
    for (const { timer } of sent.values()) forget(timer);
    sent.clear();
    drafts.clear();
  }

  return {
    /** What was typed and which form is open; kept while the card is out of sight. */
    draftOf(id) {
      if (!drafts.has(id)) drafts.set(id, { form: "choose", reason: "", text: "", fields: null, errors: {} });
      return drafts.get(id);
    },
    /** "idle", "sending", or "silent": sent, and nothing came of it. */
    stateOf(id) {
      const held = sent.get(id);
      return !held ? "idle" : held.silent ? "silent" : "sending";
    },
    give(id, response) {
      if (this.stateOf(id) === "sending") return false;
      const held = { silent: false, timer: later(() => ((held.silent = true), onChange()), PATIENCE_MS) };
      sent.set(id, held);
      send({ call_id: id, response });
      onChange();
      return true;
    },
    /** Lets go of calls that `waits` says no longer wait. */
    settle(waits) {
      for (const [id, { timer }] of sent) {
        if (waits(id)) continue;
        forget(timer);
        sent.delete(id);
        drafts.delete(id);
      }
    },
    clear,
  };
}
