/** Values that the page and the view both hold. Knows when to send one, not what it means. */

const SEND_AFTER = 200;

/**
 * Values that Python keeps too (selection, tab): sent when a person has come to rest, taken over when the page itself
 * changes them (a link, the back button), and never thrown back by the echo of an earlier rerun.
 * @param current the values as the view has them now, by name
 */
export function createSender(view, current) {
  const slots = new Map(Object.keys(current).map((name) => [name, { seen: undefined, sent: undefined, echoes: new Set(), timer: null }]));
  const put = (name, value) => {
    const held = slots.get(name);
    held.sent = value;
    held.echoes.add(value);
    addressed(name, value);
    view.api.setStateValue?.(name, value);
  };
  return {
    send(name, value) {
      const held = slots.get(name);
      clearTimeout(held.timer);
      held.timer = setTimeout(() => {
        held.timer = null;
        // Streamlit sends all values together, the others as last sent: one that the page has changed since would go back.
        for (const [other, { sent }] of slots) {
          if (other !== name && sent !== undefined && sent !== current[other]()) put(other, current[other]());
        }
        put(name, value);
      }, SEND_AFTER);
    },
    receive(name, value, take) {
      const held = slots.get(name);
      const now = value ?? null;
      if (held.seen === now) return;
      const first = held.seen === undefined;
      held.seen = now;
      if (held.echoes.delete(now) || held.timer != null || (first && now == null)) return;
      held.echoes.clear();
      take(now);
    },
    stop: () => slots.forEach(({ timer }) => clearTimeout(timer)),
  };
}

/** Writes a value into the address in place: Streamlit would make every selected event a step for the Back button. */
function addressed(name, value) {
  const url = new URL(location.href);
  if (value == null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}
