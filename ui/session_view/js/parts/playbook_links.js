// @ts-check
/** Links to the Playbook page. */

import { h } from "../../../browser/js/elements.js";
import { appBase } from "../../../browser/js/streamlit_page.js";
import { playbookPage } from "../../../browser/js/addresses.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */

/**
 * A link to a playbook at a revision.
 * @param {{ playbook: string; revision: number | null }} place
 * @param {...Child} words
 */
export function linkToPlaybook({ playbook, revision }, ...words) {
  return h("a.to-playbook", {
    href: playbookPage(appBase(), { playbook, revision }),
    title: `Open ${playbook} at revision ${revision} on the Playbook page`,
  }, words);
}

/**
 * A bullet's id, as a link to it.
 * @param {{ playbook: string; revision: number | null }} place
 * @param {string} id
 */
export function linkToBullet({ playbook, revision }, id) {
  return h("a.bullet-id", {
    href: playbookPage(appBase(), { playbook, revision, bullet: id }),
    title: `Open bullet ${id} on the Playbook page`,
  }, id);
}
