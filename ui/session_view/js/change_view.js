/** How bullets, and changes of them, look wherever they are shown. Knows neither the log nor where texts come from. */

import { playbookPage } from "./bullets.js";
import { drawDiff } from "./diff_view.js";
import { h, icon } from "./dom.js";
import { appBase } from "./feed.js";
import { changesOf, isCommit, rejectionsOf, signsOf, TAG_SIGNS, wordsOf } from "./playbook.js";
import { plural } from "./format.js";

/** A link to a playbook at a revision. */
export function linkToPlaybook({ playbook, revision }, ...words) {
  return h("a.to-playbook", { href: playbookPage(appBase(), { playbook, revision }), title: `Open ${playbook} at revision ${revision} on the Playbook page` }, words);
}

/** A bullet's id, as a link to it. */
export function linkToBullet({ playbook, revision }, id) {
  return h("a.bullet-id", { href: playbookPage(appBase(), { playbook, revision, bullet: id }), title: `Open bullet ${id} on the Playbook page` }, id);
}

/** The chip of an event that commits to a playbook. */
export function drawCommitChip(commit) {
  return h("div.chip.commit", { title: wordsOf(commit) }, icon("book"), h("b", {}, `playbook r${commit.revision}`), h("span", {}, signsOf(commit)));
}

/** What state holds of a playbook: which one, and if a commit is known, what it did. */
export function drawPlaybookValue(key, value, view) {
  const known = isCommit(value);
  return h("div.playbook-value", {},
    h("div", {}, linkToPlaybook(value, "Playbook ", h("b", {}, value.playbook), `, revision ${value.revision}`),
      value.bullets != null && h("span.quiet", {}, `, ${plural(value.bullets, "bullet")}`)),
    known && drawCommit(key, value, view));
}

/** A commit: its changes one by one, and what was rejected and why. */
export function drawCommit(key, commit, view) {
  const changes = changesOf(commit);
  const rejected = rejectionsOf(commit);
  return [
    changes.length > 0 && h("ul.changes-list", {}, changes.map((change, i) => drawChange(`${key}:${i}`, change, commit, view))),
    rejected.length > 0 && drawRejected(rejected, commit),
    changes.length + rejected.length === 0 && h("p.quiet.note", {}, commit.applied.length ? "One more query is counted: bullets that are not cited grow older by it." : "Nothing changed."),
  ];
}

function drawChange(key, change, commit, { isOpen, toggle }) {
  // After a removal or a merge, a bullet is to be found where it still was.
  const gone = change.look === "removed";
  const there = { playbook: commit.playbook, revision: gone ? Math.max(0, commit.revision - 1) : commit.revision };
  const before = { ...there, revision: Math.max(0, commit.revision - 1) };
  const text = change.before !== undefined && change.after !== undefined
    ? drawDiff(change.before, change.after, isOpen(key), () => toggle(key))
    : h("div.text", {}, gone ? h("del", {}, change.before ?? "") : change.look === "added" ? h("ins", {}, change.after ?? "") : change.after);
  return h(`li.change.${change.look}`, {},
    h("span.sign", { "aria-hidden": "true" }, change.sign),
    h("div", {},
      h("div.line", {}, h("b", {}, change.word), change.id && linkToBullet(there, change.id), change.section && h("span.quiet", {}, change.section)),
      change.by && h("div.quiet.by-refinement", {}, `by ${change.by}${change.reason ? `: ${change.reason}` : ""}`),
      !change.by && change.reason && h("div.quiet", {}, change.reason),
      change.merged.map(({ id, content }) => h("div.merged", {}, linkToBullet(before, id), content && h("del", {}, content))),
      (change.before !== undefined || change.after !== undefined) && text));
}

export function drawRejected(rejected, commit) {
  return h("ul.changes-list.rejections", {}, rejected.map(({ what, ids, section, text, reason }) =>
    h("li.change.rejected", {},
      h("span.sign", { "aria-hidden": "true" }, "✕"),
      h("div", {},
        h("div.line", {}, h("b", {}, "rejected: "), h("span", {}, what), ids.map((id) => linkToBullet(commit, id)), section && h("span.quiet", {}, section)),
        text && h("div.text.quiet", {}, text),
        h("div.why", {}, reason)))));
}

/**
 * A bullet with what was done with it.
 * @param marked as `bulletsOf` gives it, or `{id}` alone
 * @param bullet its text and counters; null where there is none, undefined while they are on their way
 */
export function drawBullet(place, marked, bullet) {
  const { id, given = true, cited = false, judged = false, tags = [], changes = [] } = marked;
  const absent = given !== false ? "" : !judged ? (bullet ? "not given" : "not given, and unknown") : bullet === null ? "gone since then" : "";
  return h(`li.bullet${cited ? ".cited" : ""}`, {},
    h("div.line", {}, linkToBullet(place, id),
      cited && h("span.tag.cited", { title: "The answer says that it rests on this bullet" }, icon("check"), "cited"),
      absent && h("span.tag.warn", {}, absent),
      tags.map((tag) => h(`span.tag.${tag}`, { title: `The reflector tagged it ${tag}` }, `${TAG_SIGNS[tag] ?? "·"} ${tag}`)),
      changes.map((word) => h("span.tag.changed", {}, `~ ${word}`)),
      bullet && drawCounts(bullet)),
    h("div.text", {}, bullet === undefined ? h("span.quiet", {}, "…") : bullet === null ? h("span.quiet", {}, `There is no such bullet in revision ${place.revision}.`) : bullet.content));
}

function drawCounts({ helpful, harmful, neutral }) {
  const said = `helpful ${helpful}, harmful ${harmful}, neutral ${neutral}`;
  return h("span.counts", { title: `Tagged so far: ${said}`, "aria-label": said }, `▲ ${helpful} ▼ ${harmful}`);
}
