// @ts-check
/** How a commit to a playbook looks: a chip in a row, change by change in the inspector. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { changesOf, isCommit, rejectionsOf, signsOf, wordsOf } from "../playbook/commits.js";
import { plural } from "../words/format.js";
import { drawDiff } from "./diff.js";
import { linkToBullet, linkToPlaybook } from "./playbook_links.js";

/** @import { PlaybookPlace } from "../log/entries.d.ts" */
/** @import { Change, Commit, OperationWords } from "../playbook/types.d.ts" */
/** @import { Folds } from "./types.d.ts" */

/**
 * The chip of an event that commits to a playbook.
 * @param {Commit} commit
 */
export function drawCommitChip(commit) {
  return h(
    "div.chip.commit",
    { title: wordsOf(commit) },
    icon("book"),
    h("b", {}, `playbook r${commit.revision}`),
    h("span", {}, signsOf(commit)),
  );
}

/**
 * What state holds of a playbook: which one, and if a commit is known, what it did.
 * @param {string} key
 * @param {PlaybookPlace} value
 * @param {Folds} view
 */
export function drawPlaybookValue(key, value, view) {
  const known = isCommit(value);
  return h(
    "div.playbook-value",
    {},
    h(
      "div",
      {},
      linkToPlaybook(value, "Playbook ", h("b", {}, value.playbook), `, revision ${value.revision}`),
      value.bullets != null && h("span.quiet", {}, `, ${plural(value.bullets, "bullet")}`),
    ),
    known && drawCommit(key, value, view),
  );
}

/**
 * A commit: its changes one by one, and what was rejected and why.
 * @param {string} key
 * @param {Commit} commit
 * @param {Folds} view
 */
export function drawCommit(key, commit, view) {
  const changes = changesOf(commit);
  const rejected = rejectionsOf(commit);
  return [
    changes.length > 0 &&
    h("ul.changes-list", {}, changes.map((change, i) => drawChange(`${key}:${i}`, change, commit, view))),
    rejected.length > 0 && drawRejected(rejected, commit),
    changes.length + rejected.length === 0 &&
    h(
      "p.quiet.note",
      {},
      commit.applied.length ? "One more query is counted: bullets that are not cited grow older by it." : "Nothing changed.",
    ),
  ];
}

/**
 * @param {string} key
 * @param {Change} change
 * @param {Commit} commit
 * @param {Folds} folds
 */
function drawChange(key, change, commit, { isOpen, toggle }) {
  // After a removal or a merge, a bullet is to be found where it still was.
  const gone = change.look === "removed";
  const there = { playbook: commit.playbook, revision: gone ? Math.max(0, commit.revision - 1) : commit.revision };
  const before = { ...there, revision: Math.max(0, commit.revision - 1) };
  const text = change.before !== undefined && change.after !== undefined
    ? drawDiff(change.before, change.after, isOpen(key), () => toggle(key))
    : h(
      "div.text",
      {},
      gone ? h("del", {}, change.before ?? "") : change.look === "added" ? h("ins", {}, change.after ?? "") : change.after,
    );
  return h(
    `li.change.${change.look}`,
    {},
    h("span.sign", { "aria-hidden": "true" }, change.sign),
    h(
      "div",
      {},
      h(
        "div.line",
        {},
        h("b", {}, change.word),
        change.id && linkToBullet(there, change.id),
        change.section && h("span.quiet", {}, change.section),
      ),
      change.by && h("div.quiet.by-refinement", {}, `by ${change.by}${change.reason ? `: ${change.reason}` : ""}`),
      !change.by && change.reason && h("div.quiet", {}, change.reason),
      change.merged.map(({ id, content }) =>
        h("div.merged", {}, linkToBullet(before, id), content && h("del", {}, content))
      ),
      (change.before !== undefined || change.after !== undefined) && text,
    ),
  );
}

/**
 * @param {(OperationWords & { reason: string })[]} rejected
 * @param {Commit} commit
 */
function drawRejected(rejected, commit) {
  return h(
    "ul.changes-list.rejections",
    {},
    rejected.map(({ what, ids, section, text, reason }) =>
      h(
        "li.change.rejected",
        {},
        h("span.sign", { "aria-hidden": "true" }, "✕"),
        h(
          "div",
          {},
          h(
            "div.line",
            {},
            h("b", {}, "rejected: "),
            h("span", {}, what),
            ids.map((id) => linkToBullet(commit, id)),
            section && h("span.quiet", {}, section),
          ),
          text && h("div.text.quiet", {}, text),
          h("div.why", {}, reason),
        ),
      )
    ),
  );
}
