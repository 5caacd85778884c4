// @ts-check
/** What the pages of a class have in common: the histogram, the playbook, the clock. */

import { h, setText } from "../../browser/js/elements.js";
import { drawMarkdown } from "../../session_view/js/markdown/markdown_view.js";

/**
 * @typedef {{ id: number; text: string; choices: string[]; open: boolean; right: number | null; votes: number | null;
 *   counts: number[] | null; mine?: number | null; reason?: string }} Question
 * @typedef {{ id: string; text: string; off: boolean; by: string; authors: string[]; lineage?: string[] }} Bullet
 * @typedef {{ left: number; target: number; took: number | null }} Hunt
 * @typedef {{ name?: string; error?: string; bullets: Bullet[]; score?: [number, number] | null; hunt?: Hunt | null;
 *   checks?: { question: string; answer: string; right: boolean }[] }} Book
 */

/**
 * The choices with a bar each.
 * @param {Question} question
 */
export function histogram(question) {
  const counts = question.counts ?? [];
  const most = Math.max(1, ...counts);
  return h(
    "div.bars",
    { role: "list" },
    question.choices.map((choice, number) => {
      const right = question.right === number;
      const bar = h("span.bar", { "aria-hidden": "true" });
      bar.style.width = `${100 * (counts[number] ?? 0) / most}%`;
      return h(
        right ? "div.choice.right" : question.open || question.right === null ? "div.choice" : "div.choice.wrong",
        { role: "listitem" },
        h("div.name", {}, drawMarkdown(choice)),
        h("span.track", {}, bar),
        h("span.count", {}, String(counts[number] ?? 0)),
      );
    }),
  );
}

/**
 * Seconds as a clock.
 * @param {number} seconds
 */
export function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * How the hunt stands, in words.
 * @param {Hunt} hunt
 * @param {number} [left] seconds
 */
export function huntWords(hunt, left = hunt.left) {
  if (hunt.took !== null) return `Found in ${clock(hunt.took)}`;
  return left > 0 ? `One bullet is wrong. ${clock(left)}` : "Time is up";
}

/**
 * The same as a heading that goes on by itself while it is on the page.
 * @param {Hunt} hunt
 */
export function huntHeading(hunt) {
  const ends = Date.now() + 1000 * hunt.left;
  const heading = h("h2.hunt", {}, huntWords(hunt));
  const timer = setInterval(() => {
    if (heading.isConnected) setText(heading, huntWords(hunt, (ends - Date.now()) / 1000));
    else clearInterval(timer);
  }, 500);
  return heading;
}

/**
 * The state of the check.
 * @param {Book} book
 */
export function score(book) {
  return book.score ? `${book.score[0]} of ${book.score[1]} answers are right (simulated model)` : "";
}

/**
 * A bullet with its authors.
 * @param {Bullet} bullet
 * @param {...Node} more
 */
export function bulletView(bullet, ...more) {
  return h(
    bullet.off ? "li.bullet.off" : "li.bullet",
    { "data-id": bullet.id },
    h("span.text", {}, bullet.text),
    h("span.authors", {}, bullet.off ? `switched off by ${bullet.by}` : bullet.authors.join(" + ")),
    ...more,
  );
}

/**
 * The text of a question. The lesson's have Markdown in them.
 * @param {Question} question
 */
export function questionText(question) {
  return h("h2", {}, drawMarkdown(question.text));
}
