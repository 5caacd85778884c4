// @ts-check
/**
 * Inside every page's head: keeps the browser's history to one entry for each place that the user went to.
 *
 * For a link to another page, Streamlit pushes an entry with the old page's path and the new page's query, and then one with
 * the new path: pushes before the page is drawn are one entry. After Back or Forward, Streamlit pushes the page that the
 * server draws; if that is the one before, it comes too late: only what the user does on a page leads to another.
 */
{
  const push = history.pushState.bind(history);
  let leaving = false;
  let travelled = false;

  history.pushState = (state, unused, url) => {
    const isOther = new URL(url ?? "", location.href).pathname !== location.pathname;
    if (travelled && isOther) return;
    if (travelled || leaving) {
      history.replaceState(state, unused, url);
      return;
    }
    leaving = true;
    push(state, unused, url);
  };

  const acted = () => (travelled = false);
  for (const name of ["pointerdown", "keydown", "click"]) addEventListener(name, acted, true);
  addEventListener("popstate", () => {
    travelled = true;
    leaving = false;
  }, true);
  addEventListener("playground:drawn", () => (leaving = false));
}
