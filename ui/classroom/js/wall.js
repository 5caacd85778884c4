// @ts-check
/** The wall: what the class looks at. Large type and no controls; arrow keys lead on where the teacher's browser shows it. */

import { h, replace, setText } from "../../browser/js/elements.js";
import { drawMarkdown } from "../../session_view/js/markdown/markdown_view.js";
import { connect } from "./link.js";
import { bulletView, histogram, huntHeading, questionText, score } from "./parts.js";

/**
 * @import { Book, Question } from "./parts.js"
 * @typedef {{ seq: number; author: string; text: string }} Row
 * @typedef {{ title: string; agents: string[]; rows: Row[]; shown: number; events: number; ended: boolean }} Stage
 * @typedef {{ agent: string; learner: string; name: string; waits: boolean; asked: string }} Part
 * @typedef {{ code: string; learners: number; focus: "question" | "stage" | "book" | ""; question?: Question; stage?: Stage; parts?: Part[]; book?: Book }} View
 */

/** @param {HTMLElement} body */
export default function draw(body) {
  const join = body.dataset.join ?? "", qr = body.dataset.qr ?? "";
  const main = h("main"), notice = h("p.notice", { role: "status" });
  const corner = h("aside.join");
  body.append(main, corner, notice);
  const link = connect("wall", {
    view: show,
    notice: (text) => setText(notice, text),
    lost: (lost) => setText(notice, lost ? "The connection is lost. It is tried again …" : ""),
  });
  addEventListener("keydown", (event) => {
    const act = { ArrowRight: "next", ArrowLeft: "back" }[event.key];
    if (act) link.ask(act);
  });

  /** @param {View} view */
  function show(view) {
    const shown = view.focus !== "" || !view.code;
    corner.hidden = !view.code;
    body.classList.toggle("begun", shown);
    replace(
      corner,
      h("img", { src: qr, alt: `QR picture of ${join}` }),
      h("div", {}, h("b.code", {}, view.code), people(view)),
    );
    if (!shown) {
      replace(
        main,
        h("h1", {}, "Join the class"),
        h("p.address", { dir: "ltr" }, join),
        h("p.code", { dir: "ltr" }, view.code),
      );
      return;
    }
    replace(
      main,
      view.stage && view.focus !== "book" && stage(view.stage, view.parts ?? [], view.focus === "question"),
      view.question && view.focus === "question" && question(view.question),
      view.book && view.focus === "book" && book(view.book),
    );
  }

  /** @param {View} view */
  function people(view) {
    return h("span", {}, view.learners === 1 ? "1 learner" : `${view.learners} learners`);
  }
}

/**
 * @param {Stage} shown
 * @param {Part[]} parts
 * @param {boolean} small
 */
function stage(shown, parts, small) {
  const now = shown.rows.at(-1);
  const played = new Map(parts.map((part) => [part.agent, part]));
  return h(
    small ? "section.stage.small" : "section.stage",
    {},
    h("h1", {}, shown.title),
    h(
      "ul.agents",
      {},
      shown.agents.map((agent) => {
        const part = played.get(agent);
        const classes = `li${now?.author === agent ? ".acts" : ""}${part?.waits ? ".waits" : ""}`;
        return h(classes, {}, agent, part ? h("small", {}, part.waits ? `${part.name} …` : part.name) : null);
      }),
    ),
    parts.filter((part) => part.waits && part.asked).map((part) =>
      h("div.event.asked", {}, h("b", {}, `${part.name} is asked as ${part.agent}`), h("pre", {}, part.asked.slice(0, 900)))
    ),
    shown.rows.map((row, number) =>
      h(
        number === shown.rows.length - 1 ? "div.event.now" : "div.event",
        {},
        h("b", {}, row.author),
        h("div.said", {}, drawMarkdown(row.text)),
      )
    ),
    h("p.quiet", {}, shown.ended ? "The run has ended." : `${shown.shown} events`),
  );
}

/** @param {Question} asked */
function question(asked) {
  const votes = asked.votes === 1 ? "1 answer" : `${asked.votes} answers`;
  return h(
    "section.question",
    {},
    questionText(asked),
    histogram(asked),
    h("p.quiet", {}, asked.open ? votes : `${votes}. Revealed.`),
  );
}

/** @param {Book} written */
function book(written) {
  return h(
    "section.book",
    {},
    written.hunt ? huntHeading(written.hunt) : h("h2", {}, "Our playbook"),
    h("p.score", {}, written.error ?? score(written)),
    h(
      "ul.checks",
      {},
      (written.checks ?? []).map((one) =>
        h(one.right ? "li.right" : "li.wrong", {}, `${one.right ? "✓" : "✗"} ${one.question}`)
      ),
    ),
    h("ul.bullets", {}, written.bullets.map((bullet) => bulletView(bullet))),
  );
}
