// @ts-check
/** The teacher's desk: what is on the wall and what comes next, the question, the parts, the playbook, and who is where. */

import { h, replace, setText } from "../../browser/js/elements.js";
import { drawMarkdown } from "../../session_view/js/markdown/markdown_view.js";
import { connect } from "./link.js";
import { bulletView, histogram, huntHeading, questionText, score } from "./parts.js";

/**
 * @import { Book, Question } from "./parts.js"
 * @import { Part, Row, Stage } from "./wall.js"
 * @typedef {{ name: string; title: string; agents: string[]; samples: string[] }} Pipeline
 * @typedef {{ id: string; name: string; here: boolean; answered: number; right: number; voted: boolean;
 *   session: { pipeline: string; session: string; status: string } | null; lesson: string }} Person
 * @typedef {{ code: string; question?: Question; stage?: Stage; parts?: Part[]; book?: Book; people: Person[];
 *   pipelines: Pipeline[]; coming: Row[]; notes: string; session: { pipeline: string; session: string } | null;
 *   reasons: { name: string; choice: number; reason: string }[]; can_take: boolean }} View
 */

/** @param {HTMLElement} body */
export default function draw(body) {
  const notice = h("p.notice", { role: "status" });
  const link = connect("desk", {
    view: show,
    notice: (text) => setText(notice, text),
    lost: (lost) => setText(notice, lost ? "The connection is lost. It is tried again …" : ""),
  });
  /** @type {View} */
  let view;
  const wanted = new URLSearchParams(location.search);
  const head = h("header"), now = h("section.now"), asked = h("section.asked"), people = h("section.people");
  const parts = h("section.parts"), book = h("section.playbook");
  const starting = h("section.starting"), asking = h("section.asking");
  body.append(head, notice, h("main", {}, h("div", {}, now, asked, asking, book), h("div", {}, people, parts, starting)));
  addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select")) return;
    const act = { ArrowRight: "next", ArrowLeft: "back" }[event.key];
    if (act) link.ask(act);
  });
  replace(
    head,
    h("h1", {}, "Desk"),
    h("a", { href: "wall", target: "wall" }, "Open the wall"),
    body.dataset.qr ? h("img", { src: body.dataset.qr, alt: "" }) : null,
    h("span.address", { dir: "ltr" }, body.dataset.join ?? ""),
    h("b.code", { dir: "ltr" }),
  );
  drawAsking();
  /** @type {Map<Element, string>} */
  const drawn = new Map();
  let offered = "";

  /** @param {View} got */
  function show(got) {
    view = got;
    if (wanted.has("session")) present();
    setText(/** @type {Element} */ (head.querySelector(".code")), got.code);
    put(now, [got.stage, got.coming, got.notes, got.session, got.question?.open], drawNow);
    put(asked, [got.question, got.reasons, got.can_take], drawAsked);
    put(people, got.people, drawPeople);
    put(parts, [got.parts, got.people.map((one) => one.name)], drawParts);
    put(book, got.book && { ...got.book, hunt: got.book.hunt && [got.book.hunt.took, got.book.hunt.left > 0] }, drawBook);
    const names = got.pipelines.map((one) => one.name).join();
    if (names !== offered) drawStarting();
    offered = names;
  }

  /** Puts the session on the wall that the address names, once. */
  function present() {
    link.ask("present", { pipeline: wanted.get("pipeline") ?? "", session: wanted.get("session") ?? "" });
    wanted.delete("session");
    history.replaceState(null, "", location.pathname);
  }

  /**
   * Draws a part anew when it shows something else.
   * @param {HTMLElement} place
   * @param {unknown} value
   * @param {() => (Node | null)[]} make
   */
  function put(place, value, make) {
    const text = JSON.stringify(value) ?? "";
    if (
      drawn.get(place) === text ||
      place.contains(document.activeElement) && document.activeElement?.matches("input, textarea, select")
    ) return;
    drawn.set(place, text);
    replace(place, ...make());
  }

  function drawNow() {
    const stage = view.stage;
    const next = view.question?.open ? "Reveal" : view.coming.length ? "Next event" : "Next";
    return [
      h("h2", {}, stage ? stage.title : "Nothing is on the wall"),
      h(
        "div.row",
        {},
        press("← Back", "back"),
        h("button.main", { type: "button", onclick: () => link.ask("next") }, `${next} →`),
        press("Ask: who is next?", "who"),
      ),
      stage ? h("p.quiet", {}, `${stage.shown} of ${stage.events} events are shown.`) : null,
      ...view.coming.map((row, number) =>
        h(number ? "p.coming" : "p.coming.first", {}, h("b", {}, row.author), ` ${row.text.slice(0, 160)}`)
      ),
      view.session && h("p", {}, h("a", { href: sessionPage(view.session), target: "_blank" }, "Open the session")),
      view.notes ? h("details.notes", { open: true }, h("summary", {}, "Notes"), drawMarkdown(view.notes)) : null,
    ];
  }

  function drawAsked() {
    const question = view.question;
    if (!question) return [];
    return [
      questionText(question),
      histogram(question),
      h("p.quiet", {}, question.open ? `${question.votes} answered` : "Revealed"),
      question.open ? press("Reveal", "reveal") : null,
      view.can_take && view.book ? press("Reasons into the playbook", "take_reasons") : null,
      h(
        "ul.reasons",
        {},
        view.reasons.filter((one) => one.reason).map((one) =>
          h("li", {}, h("b", {}, one.name), ` ${question.choices[one.choice]}: ${one.reason}`)
        ),
      ),
    ];
  }

  function drawPeople() {
    const there = view.people.filter((one) => one.here).length;
    return [
      h("h2", {}, `Learners: ${there} of ${view.people.length} here`),
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ["Nickname", "Now", "Right", "Lesson", "Last session"].map((name) => h("th", {}, name)))),
        h(
          "tbody",
          {},
          view.people.map((one) =>
            h(
              one.here ? "tr" : "tr.away",
              {},
              h("td", {}, one.name),
              h("td", {}, one.voted ? "answered" : one.here ? "here" : "away"),
              h("td", {}, `${one.right} of ${one.answered}`),
              h("td", {}, one.lesson || "–"),
              h(
                "td",
                {},
                one.session
                  ? h(
                    "a",
                    { href: sessionPage(one.session), target: "_blank" },
                    `${one.session.pipeline}, ${one.session.status}`,
                  )
                  : "–",
              ),
            )
          ),
        ),
      ),
    ];
  }

  function drawParts() {
    if (!view.parts?.length) return [];
    return [
      h("h2", {}, "Parts"),
      ...view.parts.map((part) =>
        h(
          "p",
          {},
          h("b", {}, part.agent),
          part.waits ? " is waited for " : " ",
          choose(view.people, part.learner, (who) => link.ask("cast", { agent: part.agent, learner: who })),
        )
      ),
    ];
  }

  function drawStarting() {
    const pipeline = h(
      "select",
      { "aria-label": "Pipeline" },
      view.pipelines.map((one) => h("option", { value: one.name }, one.title)),
    );
    const message = h("input", { "aria-label": "Message", placeholder: "a message; empty for the sample" });
    const session = h("input", { "aria-label": "Session", placeholder: "or the id of a session" });
    const roles = h("div.roles");
    const cast = h("button", { type: "button", onclick: offer }, "Roles: learners play the agents");
    /** @type {Map<string, string>} */
    const chosen = new Map();
    pipeline.onchange = () => {
      chosen.clear();
      replace(roles);
    };

    function offer() {
      chosen.clear();
      const agents = view.pipelines.find((one) => one.name === pipeline.value)?.agents ?? [];
      const here = view.people.filter((one) => one.here);
      agents.forEach((agent, number) => here.length && chosen.set(agent, here[number % here.length].id));
      replace(
        roles,
        agents.map((agent) =>
          h(
            "label",
            {},
            `${agent} `,
            choose(here, chosen.get(agent) ?? "", (who) => who ? chosen.set(agent, who) : chosen.delete(agent), "the model"),
          )
        ),
      );
    }

    replace(
      starting,
      h("h2", {}, "Start"),
      h(
        "form",
        {
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            if (session.value.trim()) link.ask("present", { pipeline: pipeline.value, session: session.value.trim() });
            else link.ask("run", { pipeline: pipeline.value, message: message.value, roles: Object.fromEntries(chosen) });
          },
        },
        pipeline,
        message,
        session,
        cast,
        roles,
        h("button.main", { type: "submit" }, "Put on the wall"),
      ),
    );
  }

  function drawAsking() {
    const text = h("input", { "aria-label": "Question", placeholder: "A question of your own" });
    const choices = h("textarea", {
      rows: 3,
      "aria-label": "Choices",
      placeholder: "One choice a line; begin the right one with *",
    });
    replace(
      asking,
      h(
        "form",
        {
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            const lines = choices.value.split("\n").filter((line) => line.trim());
            const right = lines.findIndex((line) => line.trim().startsWith("*"));
            link.ask("ask", {
              text: text.value,
              choices: lines.map((line) => line.trim().replace(/^\*/, "")),
              ...(right >= 0 && { right }),
            });
          },
        },
        text,
        choices,
        h("button", { type: "submit" }, "Ask the class"),
      ),
    );
  }

  function drawBook() {
    const written = view.book;
    if (!written) return [h("h2", {}, "Playbook"), press("Begin a playbook of the class", "write")];
    const wrong = h("input", { "aria-label": "Wrong text", placeholder: "the wrong text" });
    const seconds = h("input", { type: "number", value: 180, min: 10, max: 1800, "aria-label": "Seconds" });
    const picked = () =>
      [...book.querySelectorAll("input[type=checkbox]:checked")].map((one) => /** @type {HTMLInputElement} */ (one).value);
    return [
      written.hunt ? huntHeading(written.hunt) : h("h2", {}, `Playbook: ${written.name}`),
      h("p.quiet", {}, written.error ?? score(written)),
      h(
        "ul.bullets",
        {},
        written.bullets.map((bullet) =>
          bulletView(bullet, h("input", { type: "checkbox", value: bullet.id, "aria-label": `Choose: ${bullet.text}` }))
        ),
      ),
      h(
        "div.row",
        {},
        press("Check it", "check"),
        press("Begin another one", "write"),
        h("button", { type: "button", onclick: () => link.ask("merge", { bullets: picked() }) }, "Merge the chosen ones"),
      ),
      h(
        "div.row",
        {},
        wrong,
        seconds,
        h("button", {
          type: "button",
          onclick: () => link.ask("hunt", { bullet: picked()[0] ?? "", text: wrong.value, seconds: Number(seconds.value) }),
        }, "Make the chosen one wrong, and hunt"),
      ),
    ];
  }

  /**
   * @param {string} label
   * @param {string} act
   */
  function press(label, act) {
    return h("button", { type: "button", onclick: () => link.ask(act) }, label);
  }
}

/**
 * A choice of a learner.
 * @param {Person[]} people
 * @param {string} chosen
 * @param {(who: string) => void} onChoose
 * @param {string} [nobody] what stands for no learner
 */
function choose(people, chosen, onChoose, nobody) {
  const options = people.map((one) => h("option", { value: one.id, selected: one.id === chosen }, one.name));
  return h(
    "select",
    { onchange: (/** @type {Event} */ event) => onChoose(/** @type {HTMLSelectElement} */ (event.target).value) },
    nobody ? h("option", { value: "" }, nobody) : null,
    options,
  );
}

/** @param {{ pipeline: string; session: string }} place */
function sessionPage({ pipeline, session }) {
  return `./?${new URLSearchParams({ pipeline, session })}`;
}
