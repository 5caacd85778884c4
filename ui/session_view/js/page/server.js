// @ts-check
/** Asks the app's own server for JSON: the only place that fetches. */

import { bulletsUrl } from "../playbook/bullets.js";
import { appBase } from "./streamlit_page.js";

/** @import { Query } from "../playbook/bullets.js" */
/** @import { BulletsAnswer } from "../playbook/types.d.ts" */

/**
 * Bullets of a playbook; an error's message says what to do.
 * @param {Query} query
 * @returns {Promise<BulletsAnswer>}
 */
export async function getBullets(query) {
  const answer = await fetch(bulletsUrl(appBase(), query), {
    headers: { Accept: "application/json" },
    credentials: "same-origin",
  }).catch(() => null);
  if (!answer) throw new Error("The playbook could not be read: the server does not answer.");
  const said = await answer.json().catch(() => null);
  if (!answer.ok || !said) {
    throw new Error(said?.message ?? `The playbook could not be read: the server answered ${answer.status}.`);
  }
  return said;
}
