/** Asks the app's own server for JSON: the only place that fetches. Knows no meaning. */

import { bulletsUrl } from "./bullets.js";
import { appBase } from "./feed.js";

/** Bullets of a playbook; an error's message says what to do. */
export async function getBullets(place) {
  let answer;
  try {
    answer = await fetch(bulletsUrl(appBase(), place), { headers: { Accept: "application/json" }, credentials: "same-origin" });
  } catch {
    throw new Error("The playbook could not be read: the server does not answer.");
  }
  const said = await answer.json().catch(() => null);
  if (!answer.ok || !said) throw new Error(said?.message ?? `The playbook could not be read: the server answered ${answer.status}.`);
  return said;
}
