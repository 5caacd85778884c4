// @ts-check
/** Values that Python keeps too (selection, tab): when to send one, and when to take the page's over. */

const SEND_AFTER = 200;

/** @typedef {string | number | null} Value */
/**
 * `seen` is the page's last value and `sent` the view's, undefined before the first; `echoes` are values sent and not back.
 * @typedef {{ seen?: Value; sent?: Value; echoes: Set<Value>; timer?: number }} Slot
 */

/**
 * Shared values are sent once a user has come to rest, taken over when the page itself changes them (a link, the back
 * button), and never thrown back by the echo of an earlier rerun.
 * @template {string} Name
 * @param {Record<Name, () => Value>} current the values as the view has them now
 * @param {(name: Name, value: Value) => void} send tells Python
 */
export function createSharedValues(current, send) {
  const names = /** @type {Name[]} */ (Object.keys(current));
  const slots = /** @type {Record<Name, Slot>} */ (Object.fromEntries(names.map((name) => [name, { echoes: new Set() }])));

  /**
   * @param {Name} name
   * @param {Value} value
   */
  function put(name, value) {
    slots[name].sent = value;
    slots[name].echoes.add(value);
    writeIntoAddress(name, value);
    send(name, value);
  }

  /**
   * @param {Name} name
   * @param {Value} value
   */
  function putAll(name, value) {
    // Streamlit sends all values together, the others as last sent: one that the page has changed since would go back.
    for (const other of names) {
      const { sent } = slots[other];
      if (other !== name && sent !== undefined && sent !== current[other]()) put(other, current[other]());
    }
    put(name, value);
  }

  return {
    /**
     * Sends a value after a while, unless another one follows.
     * @param {Name} name
     * @param {Value} value
     */
    send(name, value) {
      const slot = slots[name];
      clearTimeout(slot.timer);
      slot.timer = setTimeout(() => {
        slot.timer = undefined;
        putAll(name, value);
      }, SEND_AFTER);
    },
    /**
     * Hands the page's value to `take`, if it is the page's own wish.
     * @param {Name} name
     * @param {Value | undefined} value
     * @param {(value: Value) => void} take
     */
    receive(name, value, take) {
      const slot = slots[name];
      const now = value ?? null;
      if (slot.seen === now) return;
      const first = slot.seen === undefined;
      slot.seen = now;
      if (slot.echoes.delete(now) || slot.timer !== undefined || (first && now === null)) return;
      slot.echoes.clear();
      take(now);
    },
    stop() {
      for (const name of names) clearTimeout(slots[name].timer);
    },
  };
}

/**
 * Writes a value into the address in place: Streamlit would make every selected event a step for the Back button.
 * @param {string} name
 * @param {Value} value
 */
function writeIntoAddress(name, value) {
  const url = new URL(location.href);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, String(value));
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}
