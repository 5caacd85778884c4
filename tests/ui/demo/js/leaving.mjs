/** What every component of the demos does when its page is left. */

import { all, equal, root, until } from "../../js/stage.mjs";

/** It takes what `selector` finds off the page, and draws it anew when it comes back. */
export async function leavesAndComesBack(component, data, selector) {
  const mounted = { parentElement: root(), data };
  component(mounted)();
  await until(() => all(root(), selector).length === 0);
  component(mounted);
  equal(all(root(), selector).length, 1);
}
