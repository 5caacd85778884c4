// @ts-check
/** What the page holds: a session with everything that the view would otherwise ask a server for. */

import { parseJson } from "../../browser/js/json.js";

/** @import { Entry } from "../../session_view/js/log/entries.d.ts" */
/** @import { AgentNode } from "../../session_view/js/log/folds.d.ts" */
/** @import { PriceRow } from "../../session_view/js/log/prices.js" */
/** @import { Bullet } from "../../session_view/js/playbook/types.d.ts" */
/** @import { WindowRow } from "../../session_view/js/prompt/windows.js" */

/**
 * See `ui.sharing.page`. A playbook's revisions name its bullets by place; `more` are beyond those that the page holds.
 * @typedef {object} Playbook
 * @property {Bullet[]} bullets
 * @property {Record<string, { all: number[]; more: number }>} revisions
 */
/**
 * @typedef {object} Recorded
 * @property {string} pipeline
 * @property {string} session
 * @property {string} title
 * @property {string[]} left_out scopes of state that are not in the page
 * @property {AgentNode | null} tree
 * @property {PriceRow[]} prices
 * @property {WindowRow[]} windows
 * @property {Entry[]} entries
 * @property {Record<string, string>} texts what requests were made of, by hash
 * @property {Record<string, Playbook>} playbooks
 * @property {Record<string, string>} files addresses by name and version
 */

/**
 * The page's data, parsed once.
 * @type {() => Recorded}
 */
export const recorded = (() => {
  /** @type {Recorded | undefined} */
  let found;
  return () => (found ??= parseJson(document.getElementById("recorded")?.textContent ?? "", true));
})();

/**
 * The key of a file's version in `files`.
 * @param {{ name: string; version: number }} file
 */
export function fileKey({ name, version }) {
  return `${version}/${name}`;
}
