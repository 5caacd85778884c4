// @ts-check
/** How a bullet looks, with what was done with it. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { drawMarkdown } from "../markdown/markdown_view.js";
import { TAG_SIGNS } from "../playbook/commits.js";
import { linkToBullet } from "./playbook_links.js";

/** @import { Bullet, MarkedBullet } from "../playbook/types.d.ts" */

/**
 * A bullet with what was done with it.
 * @param {Partial<MarkedBullet> & { id: string }} marked as `bulletsOf` gives it, or `{id}` alone
 * @param {Bullet | null | undefined} bullet null where there is none, undefined while it is on its way
 * @param {{ playbook: string; revision: number }} place
 * @param {boolean} raw whether its text is shown as it was written
 */
export function drawBullet(place, marked, bullet, raw = false) {
  const { id, given = true, cited = false, judged = false, tags = [], changes = [] } = marked;
  const absent = given !== false
    ? ""
    : !judged
    ? (bullet ? "not given" : "not given, and unknown")
    : bullet === null
    ? "gone since then"
    : "";
  return h(
    `li.bullet${cited ? ".cited" : ""}`,
    {},
    h(
      "div.line",
      {},
      linkToBullet(place, id),
      cited && h("span.tag.cited", { title: "The answer says that it rests on this bullet" }, icon("check"), "cited"),
      absent && h("span.tag.warn", {}, absent),
      tags.map((tag) =>
        h(`span.tag.${tag}`, { title: `The reflector tagged it ${tag}` }, `${TAG_SIGNS[tag] ?? "·"} ${tag}`)
      ),
      changes.map((word) => h("span.tag.changed", {}, `~ ${word}`)),
      bullet && drawCounts(bullet),
    ),
    bullet ? drawMarkdown(bullet.content, { raw, live: true }) : h(
      "div.text",
      {},
      h("span.quiet", {}, bullet === undefined ? "…" : `There is no such bullet in revision ${place.revision}.`),
    ),
  );
}

/** @param {Bullet} bullet */
function drawCounts({ helpful, harmful, neutral }) {
  const said = `helpful ${helpful}, harmful ${harmful}, neutral ${neutral}`;
  return h("span.counts", { title: `Tagged so far: ${said}`, "aria-label": said }, `▲ ${helpful} ▼ ${harmful}`);
}
