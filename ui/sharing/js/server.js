// @ts-check
/** Bullets of the playbooks that the page holds. Takes the place of the session view's server. */

import { recorded } from "./recorded.js";

/** @import { Query } from "../../session_view/js/playbook/bullets.js" */
/** @import { BulletsAnswer } from "../../session_view/js/playbook/types.d.ts" */

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
