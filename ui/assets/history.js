// @ts-check
/**
 * Inside every page's head: keeps the browser's history to one entry for each place that the user went to.
 *
 * For a link to another page, Streamlit pushes an entry with the old page's path and the new page's query, and then one with
 * the new path: pushes before the page is drawn are one entry. After Back or Forward the entry has its URL already. What
 * Streamlit writes then is that URL, or comes late from a page that was left: it is dropped until the user does something.
 */
{
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  let leaving = false;
  let travelled = false;

  history.pushState = (state, unused, url) => {
    if (travelled) return;
    (leaving ? replace : push)(state, unused, url);
    leaving = true;
  };
  history.replaceState = (state, unused, url) => {
    const isOwn = state === history.state; // our components keep the state, Streamlit gives a new one
    if (isOwn || !travelled) replace(state, unused, url);
  };

  /** @param {Event & { altKey?: boolean }} event with Alt, a key may be Back itself */
  const act = ({ altKey }) => (travelled &&= Boolean(altKey));
  for (const name of ["pointerdown", "keydown", "click", "input", "change"]) addEventListener(name, act, true);
  addEventListener("popstate", () => {
    travelled = true;
    leaving = false;
  }, true);
  addEventListener("playground:drawn", () => (leaving = false));
}
