// @ts-check
/** The filter by agent: the rows of one agent and of those below it. */

import { namesUnder } from "../log/agent_tree.js";

/** @import { Row } from "../rows/types.d.ts" */
/** @import { Filter } from "./types.d.ts" */

const LONGEST_NAME = 100;

/** @type {Filter} */
export const AGENT = {
  name: "agent",
  read: (text) => text.length <= LONGEST_NAME ? text || null : null,
  words: (agent) => agent,
  matcher: (agent, index) => {
    const names = namesUnder(index, agent);
    return (row) => isOf(row, names);
  },
};

/**
 * @param {Row} row
 * @param {Set<string>} names
 */
function isOf(row, names) {
  switch (row.type) {
    case "event":
      return names.has(row.to ?? row.entry.body.author);
    case "partial":
      return names.has(row.partial.author);
    case "block":
      return names.has(row.live.agent) && names.has(row.caller);
    case "card":
      return names.has(row.call.agent);
    case "thumbs":
      return names.has(row.live.agent);
    case "transfer":
      return names.has(row.entry.body.agent) || names.has(row.entry.body.to);
    case "note":
    case "route":
    case "fault":
    case "given":
    case "retry":
    case "cut":
    case "loading":
    case "drift":
    case "protocol":
      return names.has(row.entry.body.agent ?? "");
    default:
      return false;
  }
}
