// @ts-check
/** A question with its answer, a large sign of its verdict, and what judged it. All of it goes in as text nodes. */

import { h, setText } from "../../browser/js/elements.js";

/** @typedef {{ head: string; question: string; answer: string; verdict: string; sign: string; beside: string }} Question */

export class Verdict {
  head = h("div.head");
  question = h("p.question");
  answer = h("p.answer");
  verdict = h("p.verdict");
  beside = h("p.beside");
  element = h("section.now", {}, this.head, this.question, this.answer, this.verdict, this.beside);

  /** @param {Question | null} asked */
  update(asked) {
    this.element.hidden = asked === null;
    if (asked === null) return;
    const { head, question, answer, verdict, sign, beside } = asked;
    setText(this.head, head);
    setText(this.question, question);
    setText(this.answer, answer);
    this.verdict.replaceChildren(h("span.sign", {}, sign), ` ${verdict}`);
    this.verdict.dataset.verdict = verdict;
    setText(this.beside, beside);
  }
}
