/** Keys: j and k anywhere on the page, arrows inside the list, "/" to type, Esc to let go. A button keeps its own keys. */

const FIELDS = "input, textarea, select, [contenteditable=''], [contenteditable=true], [role=combobox], [role=textbox]";
const CONTROLS = "button, a[href], summary";

function focusedElement() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

/** Listens until the returned function is called. */
export function keyboard({ root, list, step, toEdge, open, escape }) {
  function inList(event) {
    return event.composedPath().includes(list);
  }

  function onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !root.isConnected) return;
    const focused = focusedElement();
    const typing = focused?.matches?.(FIELDS) || document.querySelector("[role=dialog], [role=alertdialog]");
    if (typing) return;
    const within = inList(event) && !focused?.matches?.(CONTROLS);
    const acts = {
      j: () => step(1),
      k: () => step(-1),
      "/": focusInput,
      Escape: escape,
      ...(within && { ArrowDown: () => step(1), ArrowUp: () => step(-1), Home: () => toEdge(false), End: () => toEdge(true), Enter: open, " ": open }),
    };
    const act = acts[event.key];
    if (!act || act() === false) return;
    event.preventDefault();
    event.stopPropagation();
  }

  document.addEventListener("keydown", onKey, true);
  return () => document.removeEventListener("keydown", onKey, true);
}

function focusInput() {
  const input = document.querySelector("[data-testid=stChatInputTextArea]");
  input?.focus();
  return Boolean(input);
}
