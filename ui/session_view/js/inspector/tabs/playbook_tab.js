// @ts-check
/** The Playbook tab: what the run of the selected entry was given of a playbook, used, and changed in it. */

import { h } from "../../../../browser/js/elements.js";
import { drawBullet } from "../../parts/bullet_view.js";
import { drawCommit } from "../../parts/commit_view.js";
import { linkToPlaybook } from "../../parts/playbook_links.js";
import { signsOf } from "../../playbook/commits.js";
import { bulletsOf, feedbackWords, playbookAt } from "../../playbook/run.js";
import { count, plural } from "../../words/format.js";

/** @import { PlaybookGiven } from "../../log/entries.d.ts" */
/** @import { CitingAnswer, MarkedBullet, PlaybookRun } from "../../playbook/types.d.ts" */
/** @import { Look } from "../types.d.ts" */
/** @typedef {{ playbook: string; revision: number }} Place */

/** So many bullets stand there at first; all with a mark do, however many. */
const SHOWN = 8;

/** @param {Look} view */
export function drawPlaybookTab(view) {
  const found = playbookAt(view.log, view.selected);
  if (!found && view.starting) return drawStart(view.starting, view);
  if (!found || !(found.given || found.commits.length)) return drawLesson(found, view);
  return [
    drawWhere(found, view),
    found.given && drawGiven(found, found.given, view),
    drawFeedback(found, view),
    drawCommits(found, view),
  ];
}

/**
 * What a session that has not run yet starts with.
 * @param {Place & { bullets: number }} place
 * @param {Look} view
 */
function drawStart(place, view) {
  const all = place.bullets ? view.bullets.all(place) : { ids: [], more: 0 };
  const open = view.isOpen("bullets:all");
  const ids = all ? (open ? all.ids : all.ids.slice(0, SHOWN)) : [];
  const { found, error } = ids.length ? view.bullets.of(place, ids) : { found: new Map(), error: "" };
  return [
    h("p.where", {}, "Before the first run"),
    h("p.which", {}, linkToPlaybook(place, "Playbook ", h("b", {}, place.playbook), `, revision ${place.revision}`)),
    h(
      "section.part.given",
      {},
      h("h3", {}, `Starts with: ${plural(place.bullets, "bullet")}`),
      place.bullets === 0 && h("p.quiet", {}, "The playbook is empty: nothing was learned yet."),
      error && drawProblem(error, place, view),
      !error && h("ul.bullets", {}, ids.map((id) => drawBullet(place, { id }, found.get(id), view.raw))),
      place.bullets > SHOWN && drawToggle(place.bullets, open, view),
    ),
  ];
}

/**
 * @param {PlaybookRun | null} found
 * @param {Look} look
 */
function drawLesson(found, { log, select }) {
  const next = found?.next ?? null;
  const place = next !== null &&
    h("button.plain", { type: "button", onclick: () => select(next) }, "Go to where it comes in");
  return h(
    "div.lesson",
    {},
    h(
      "b",
      {},
      next !== null
        ? "Nothing of the playbook up to here."
        : log.playbook
        ? "Nothing of the playbook in this run."
        : "A playbook is what agents learned before.",
    ),
    h(
      "p",
      {},
      "Before a question is answered, the generator is given the playbook's bullets, and says which ones it used. " +
        "Then a reflector compares the answer with what is known of it and tags those bullets, and a curator writes " +
        "down what is worth remembering. Each step shows up here, bullet by bullet.",
    ),
    place && h("p", {}, place),
  );
}

/**
 * @param {PlaybookRun} found
 * @param {Look} look
 */
function drawWhere({ run, given, commits }, { log, selected, ordinal }) {
  const first = given ?? commits[0].commit;
  const last = commits.at(-1)?.commit ?? first;
  const changed = last.revision !== first.revision || !given;
  const point = selected ? `up to event ${count(ordinal)} of ${count(log.events)}` : "all of it";
  return [
    h("p.where", {}, h("b", {}, `Run ${run.number}`), `, ${point}`),
    h(
      "p.which",
      {},
      linkToPlaybook(first, "Playbook ", h("b", {}, first.playbook), `, revision ${first.revision}`),
      changed && given && [" → ", linkToPlaybook(last, String(last.revision))],
    ),
  ];
}

// ---- what was given ---------------------------------------------------------------------------------------------

/**
 * @param {PlaybookRun} found
 * @param {PlaybookGiven} given
 * @param {Look} view
 */
function drawGiven(found, given, view) {
  const { answer } = found;
  const { marked, rest } = bulletsOf(found);
  const open = view.isOpen("bullets:all");
  const place = { playbook: given.playbook, revision: given.revision };
  const { others, beyond } = othersShown({ given, marked, rest, place, open }, view);
  const ids = [...marked.map(({ id }) => id), ...others];
  const { found: texts, error } = ids.length ? view.bullets.of(place, ids) : { found: new Map(), error: "" };
  const total = given.bullets;
  const more = open || total > marked.filter((bullet) => bullet.given !== false).length + others.length;
  return h(
    "section.part.given",
    {},
    h("h3", {}, `Given: ${plural(total, "bullet")}`, h("small", {}, aboutGiven(given, answer, marked))),
    total === 0 && h("p.quiet", {}, "The playbook was empty: the answer rests on the model alone."),
    error && drawProblem(error, place, view),
    !error && h(
      "ul.bullets",
      {},
      marked.map((bullet) => drawBullet(place, bullet, texts.get(bullet.id), view.raw)),
      others.map((id) => drawBullet(place, { id }, texts.get(id), view.raw)),
    ),
    open && beyond > 0 && drawBeyond(beyond, place),
    more && drawToggle(total, open, view),
  );
}

/**
 * @param {PlaybookGiven} given
 * @param {CitingAnswer | null} answer
 * @param {MarkedBullet[]} marked
 */
function aboutGiven(given, answer, marked) {
  const cited = marked.filter((bullet) => bullet.cited).length;
  return [
    given.chosen && "the most relevant ones",
    answer && given.bullets > 0 && `${count(cited)} cited${answer.judged ? " by the answer that is judged" : ""}`,
  ].filter(Boolean).join(", ");
}

/**
 * @param {number} beyond
 * @param {Place} place
 */
function drawBeyond(beyond, place) {
  const link = linkToPlaybook(place, "all are on the Playbook page");
  return h("p.quiet.note", {}, `${plural(beyond, "more bullet")}: `, link, ".");
}

/**
 * @param {number} total
 * @param {boolean} open
 * @param {Look} look
 */
function drawToggle(total, open, { toggle }) {
  const attributes = { type: "button", "aria-expanded": String(open), onclick: () => toggle("bullets:all") };
  return h("button.plain.more", attributes, open ? "show fewer" : `show all ${count(total)}`);
}

/**
 * Which bullets without a mark are shown, and how many more there are; a long list comes from the server.
 * @param {{ given: PlaybookGiven; marked: MarkedBullet[]; rest: string[]; place: Place; open: boolean }} about
 * @param {Look} look
 */
function othersShown({ given, marked, rest, place, open }, { bullets }) {
  if (!open) return { others: rest.slice(0, Math.max(0, SHOWN - marked.length)), beyond: 0 };
  const all = given.bullets > given.bullet_ids.length && !given.chosen ? bullets.all(place) : null;
  if (!all) return { others: rest, beyond: 0 };
  const shown = new Set(marked.map(({ id }) => id));
  const others = all.ids.filter((id) => !shown.has(id));
  return { others, beyond: Math.max(0, given.bullets - others.length - shown.size) };
}

/**
 * @param {string} error
 * @param {Place} place
 * @param {Look} look
 */
function drawProblem(error, place, { bullets }) {
  return h(
    "p.note.problem",
    { role: "alert" },
    error,
    " ",
    h("button.plain", { type: "button", onclick: () => bullets.retry(place) }, "Try again"),
  );
}

// ---- what came of it --------------------------------------------------------------------------------------------

/**
 * @param {PlaybookRun} found
 * @param {Look} look
 */
function drawFeedback({ feedback, commits, verdict }, { select, log }) {
  if (!feedback) return null;
  const { source, text } = feedbackWords(feedback.text);
  const event = verdict?.event ?? null;
  const judged = event !== null && log.ordinals.get(event);
  return h(
    "section.part",
    {},
    h("h3", {}, "Feedback", h("small", {}, source || "none")),
    text ? h("div.value.string", {}, text) : h(
      "p.note.warned",
      {},
      commits.length
        ? "The reflector knew nothing of the answer and had to guess: what it learns so may well be wrong."
        : "Nothing is known of the answer yet. A thumb below it tells.",
    ),
    event !== null && judged && h(
      "p.note",
      {},
      h("button.plain", { type: "button", onclick: () => select(event) }, `about the answer of event ${judged}`),
    ),
  );
}

/**
 * @param {PlaybookRun} found
 * @param {Look} view
 */
function drawCommits({ commits }, view) {
  return commits.map(({ seq, author, commit }) =>
    h(
      "section.part.commit",
      {},
      h("h3", {}, `Revision ${commit.revision}: ${signsOf(commit)}`),
      h(
        "p.quiet.note",
        {},
        `by ${commit.by || author}, `,
        h(
          "button.plain",
          { type: "button", title: "Go to this event", onclick: () => view.select(seq) },
          `event ${view.log.ordinals.get(seq)}`,
        ),
      ),
      commit.reasoning && h("p.reasoning", {}, commit.reasoning),
      drawCommit(`commit:${seq}`, commit, view),
    )
  );
}
