// @ts-check
/** Bullets of playbooks and texts of requests, as the page holds them. Takes the place of the session view's server. */

import { recorded } from "./recorded.js";

/** @import { Query } from "../../session_view/js/playbook/bullets.js" */
/** @import { Code } from "../../session_view/js/code/types.d.ts" */
/** @import { BulletsAnswer } from "../../session_view/js/playbook/types.d.ts" */

/** Code is written by a server: the page has no Code tab. */
export const hasCode = false;

/**
 * See `hasCode`.
 * @returns {Promise<Code>}
 */
export function getCode() {
  return Promise.reject(new Error("This page does not hold the session's code."));
}

/**
 * Bullets of a playbook; without ids, all of a revision that the page holds.
 * @param {Query} query
 * @returns {Promise<BulletsAnswer>}
 */
export function getBullets({ playbook, revision, ids }) {
  const found = recorded().playbooks[playbook];
  const newest = Math.max(...Object.keys(found?.revisions ?? {}).map(Number));
  const at = found?.revisions[revision ?? newest];
  if (!at) {
    return Promise.reject(new Error(`This file does not hold revision ${revision ?? "?"} of the playbook ${playbook}.`));
  }
  const bullets = at.all.map((place) => found.bullets[place]);
  if (!ids) return Promise.resolve({ bullets, more: at.more });
  const wanted = new Set(ids);
  return Promise.resolve({ bullets: bullets.filter(({ id }) => wanted.has(id)), more: 0 });
}

/**
 * Texts that records name by hash; those that the page does not hold are left out.
 * @param {string[]} names
 * @returns {Promise<Record<string, string>>}
 */
export function getTexts(names) {
  const { texts } = recorded();
  return Promise.resolve(Object.fromEntries(names.filter((name) => name in texts).map((name) => [name, texts[name]])));
}
