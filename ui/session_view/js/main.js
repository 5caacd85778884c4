/** What Streamlit calls: on mount, and again whenever the values or the theme change. One view per place, kept alive. */

import { createView } from "./view.js";

const views = new WeakMap();

export default function sessionView({ parentElement, data, setStateValue, setTriggerValue }) {
  let held = views.get(parentElement);
  if (!held) views.set(parentElement, (held = { view: createView(parentElement), calls: 0, leaving: null }));
  clearTimeout(held.leaving);
  const call = ++held.calls;
  held.view.update(unpacked(data ?? {}), { setStateValue, setTriggerValue });
  return () => {
    // Streamlit also cleans up after a call that a newer one has overtaken; only the latest may take the view down.
    if (call !== held.calls) return;
    held.leaving = setTimeout(() => {
      if (call !== held.calls) return;
      views.delete(parentElement);
      held.view.close();
    }, 50);
  };
}

/** Python sends the tree and the words of the empty state in lists; prices are rows. */
function unpacked({ tree, empty, prices, ...rest }) {
  return { ...rest, prices: prices ?? [], tree: tree?.[0] ?? null, empty: { title: empty?.[0] ?? "", text: empty?.[1] ?? "" } };
}
