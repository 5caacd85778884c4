// @ts-check
/** Asks the app's own server for JSON: the only place that fetches. */

import { appBase } from "../../../browser/js/streamlit_page.js";
import { bulletsUrl } from "../playbook/bullets.js";
import { parseJson } from "../../../browser/js/json.js";

/** @import { Code, CodePlace } from "../code/types.d.ts" */
/** @import { Query } from "../playbook/bullets.js" */
/** @import { BulletsAnswer } from "../playbook/types.d.ts" */

/** Whether there is a server that writes a session as code. */
export const hasCode = true;

/**
 * Bullets of a playbook; an error's message says what to do.
 * @param {Query} query
 * @returns {Promise<BulletsAnswer>}
 */
export function getBullets(query) {
  return getJson(bulletsUrl("", query), "The playbook");
}

/**
 * Texts that records name by hash.
 * @param {string[]} names
 * @returns {Promise<Record<string, string>>}
 */
export async function getTexts(names) {
  const said = await getJson(`api/texts?${new URLSearchParams({ names: names.join(",") })}`, "What was sent");
  return said.texts;
}

/**
 * A session as Python files.
 * @param {CodePlace} place
 * @returns {Promise<Code>}
 */
export function getCode({ pipeline, session }) {
  return getJson(`api/code?${new URLSearchParams({ pipeline, session })}`, "The code");
}

/**
 * @param {string} path below the app's base
 * @param {string} what is read, for an error
 */
async function getJson(path, what) {
  const headers = { Accept: "application/json" };
  const answer = await fetch(`${appBase()}${path}`, { headers, credentials: "same-origin" }).catch(() => null);
  if (!answer) throw new Error(`${what} could not be read: the server does not answer.`);
  const said = await answer.text().then((text) => parseJson(text, true)).catch(() => null);
  if (!answer.ok || !said) {
    throw new Error(said?.message ?? `${what} could not be read: the server answered ${answer.status}.`);
  }
  return said;
}
