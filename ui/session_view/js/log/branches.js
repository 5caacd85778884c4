// @ts-check
/**
 * Branch paths: dotted segments. A segment with a colon, `name:1a2b3c`, is an agent at work as the tool of another; the
 * others are parallel branches.
 */

/** @import { EventBody } from "./entries.d.ts" */

/** @type {string[]} */
const NONE = [];

/** @param {string} branch */
export function lastSegment(branch) {
  return branch.slice(branch.lastIndexOf(".") + 1);
}

/** @param {string} branch */
export function parentOf(branch) {
  return branch.slice(0, Math.max(0, branch.lastIndexOf(".")));
}

/**
 * Whether `branch` is `outer` or lies below it, by dotted segments. "" is everything.
 * @param {string} outer
 * @param {string} branch
 */
export function contains(outer, branch) {
  return outer === "" || branch === outer || branch.startsWith(outer + ".");
}

/**
 * The agent-tool branches that a branch stands in, outermost first: "P.A.helper:1a2b3c.Q.B" gives ["P.A.helper:1a2b3c"].
 * @param {string | null | undefined} branch
 * @returns {string[]}
 */
export function toolBranches(branch) {
  if (!branch || !branch.includes(":")) return NONE;
  const found = [];
  for (let end = branch.indexOf(".");; end = branch.indexOf(".", end + 1)) {
    const path = end < 0 ? branch : branch.slice(0, end);
    if (lastSegment(path).includes(":")) found.push(path);
    if (end < 0) return found;
  }
}

/**
 * Whose agent-tool branch it is.
 * @param {string} branch
 */
export function toolAgent(branch) {
  return lastSegment(branch).split(":", 1)[0];
}

/**
 * The agent that an event is the request to, when it is used as a tool; null for what a user or an agent says. Answers to
 * what such an agent asks are the user's.
 * @param {Pick<EventBody, "author" | "branch" | "content">} body
 * @returns {string | null}
 */
export function requestTo({ author, branch, content }) {
  if (author !== "user" || !branch || content?.parts?.some((part) => part.function_response)) return null;
  const innermost = toolBranches(branch).at(-1);
  return innermost ? toolAgent(innermost) : null;
}
