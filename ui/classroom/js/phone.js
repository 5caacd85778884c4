// @ts-check
/** The page of a learner: joins, answers, plays a part, writes and hunts. Made for a phone. */

import { h, replace, setText } from "../../browser/js/elements.js";
import { drawMarkdown } from "../../session_view/js/markdown/markdown_view.js";
import { connect } from "./link.js";
import { bulletView, histogram, huntHeading, questionText, score } from "./parts.js";

/**
 * @import { Book, Bullet, Question } from "./parts.js"
 * @typedef {{ id: string; agent: string; asked: string; tools: string[] }} Call
 * @typedef {{ joined: boolean; name?: string; answered?: number; right?: number; question?: Question; book?: Book;
 *   part?: { agents: string[]; call: Call | null } }} View
 */

/** @param {HTMLElement} body */
export default function draw(body) {
  const head = h("header"), main = h("main"), notice = h("p.notice", { role: "status" });
  body.append(head, main, notice);
  /** What is drawn, by section: a section is drawn anew only when it differs, so that what is being typed stays. */
  const drawn = new Map();
  /** Ids of the bullets whose lineage is open. @type {Set<string>} */
  const opened = new Set();
  const link = connect("phone", {
    view: show,
    notice: (text) => setText(notice, text),
    lost: (lost) => lost ? setText(notice, "The connection is lost. It is tried again …") : clearLost(),
  });

  function clearLost() {
    if (notice.textContent?.startsWith("The connection")) setText(notice, "");
  }

  /** @param {View} view */
  function show(view) {
    section("head", view.joined && [view.name, view.right, view.answered], () => heading(view), head);
    section("join", !view.joined, () => view.joined ? [] : [joining()]);
    section("part", view.part, () => view.part ? [part(view.part)] : []);
    section(
      "question",
      [view.question, view.joined, Boolean(view.part || view.book)],
      () => view.question ? [question(view.question)] : waiting(view),
    );
    const hunt = view.book?.hunt && [view.book.hunt.took, view.book.hunt.left > 0];
    section("book", view.book && [view.book.name, hunt], () => view.book ? [book(view.book)] : []);
    section("bullets", view.book && { ...view.book, hunt }, () => view.book ? [bullets(view.book)] : []);
    section("lessons", view.joined, () => view.joined ? [lessons()] : []);
  }

  /**
   * @param {string} name
   * @param {unknown} value
   * @param {() => Node[]} make
   * @param {HTMLElement} [place]
   */
  function section(name, value, make, place) {
    const text = JSON.stringify(value) ?? "";
    let known = drawn.get(name);
    if (!known) {
      drawn.set(name, known = { text: null, place: place ?? main.appendChild(h("section", { "data-part": name })) });
    }
    if (known.text === text) return;
    const typed = known.place.querySelector("textarea")?.value ?? "";
    known.text = text;
    replace(known.place, ...make());
    const field = known.place.querySelector("textarea");
    if (field && typed && !field.value) field.value = typed;
  }

  /** @param {View} view */
  function heading(view) {
    if (!view.joined) return [h("h1", {}, "Join the class")];
    return [h("h1", {}, view.name ?? ""), h("p.quiet", {}, `${view.right} of ${view.answered} right`)];
  }

  function joining() {
    const code = h("input", {
      name: "code",
      autocomplete: "off",
      autocapitalize: "characters",
      maxlength: 12,
      required: true,
    });
    const name = h("input", { name: "name", autocomplete: "off", maxlength: 24, required: true });
    code.value = new URLSearchParams(location.search).get("code") ?? "";
    return form(
      () => link.ask("join", { code: code.value, name: name.value }),
      h("label", {}, "Code, from the wall", code),
      h("label", {}, "Nickname", name),
      h("button.main", { type: "submit" }, "Join"),
      h("p.quiet", {}, "Only your nickname, your answers and what you run yourself are stored."),
    );
  }

  /** @param {View} view */
  function waiting(view) {
    return view.joined && !view.part && !view.book ? [h("p.large", {}, "Look at the wall. A question comes here.")] : [];
  }

  /** @param {Question} asked */
  function question(asked) {
    if (!asked.open) {
      const mine = asked.mine ?? null;
      const words = asked.right === null
        ? "The answer was revealed."
        : mine === asked.right
        ? "Right."
        : mine === null
        ? "You did not answer this one."
        : "Not this time.";
      return h("div", {}, questionText(asked), histogram(asked), h("p.large", {}, words));
    }
    const reason = h("textarea", { rows: 2, maxlength: 300, placeholder: "Why? (a few words)", "aria-label": "Why" });
    reason.value = asked.reason ?? "";
    let chosen = asked.mine ?? null;
    const vote = () => chosen !== null && link.ask("vote", { question: asked.id, choice: chosen, reason: reason.value });
    reason.onchange = vote;
    const choices = asked.choices.map((choice, number) =>
      h(
        "button.choice",
        {
          type: "button",
          "aria-pressed": String(chosen === number),
          onclick: () => {
            chosen = number;
            choices.forEach((one, other) => one.setAttribute("aria-pressed", String(other === number)));
            vote();
          },
        },
        drawMarkdown(choice),
      )
    );
    const said = asked.mine === null || asked.mine === undefined
      ? "Choose one."
      : "Your answer is stored. You can change it.";
    return h("div", {}, questionText(asked), h("div.choices", {}, choices), reason, h("p.quiet", {}, said));
  }

  /** @param {NonNullable<View["part"]>} mine */
  function part(mine) {
    const call = mine.call;
    const title = h("h2", {}, `You are ${mine.agents.join(", ")}`);
    if (!call) return h("div.part", {}, title, h("p", {}, "Wait until it is your turn."));
    const text = h("textarea", { rows: 4, "aria-label": "What the agent says" });
    return h(
      "div.part.turn",
      {},
      title,
      h("p", {}, "It is your turn. The model would be sent this:"),
      h("pre.asked", {}, call.asked),
      form(
        () => link.ask("play", { agent: call.agent, call: call.id, text: text.value }),
        text,
        h("button.main", { type: "submit" }, "Say it"),
      ),
      call.tools.map((tool) =>
        h(
          "button",
          { type: "button", onclick: () => link.ask("play", { agent: call.agent, call: call.id, tool }) },
          `Call ${tool}`,
        )
      ),
    );
  }

  /** What is written in, drawn apart from the bullets, which change while others write. @param {Book} written */
  function book(written) {
    const text = h("textarea", { rows: 2, maxlength: 300, "aria-label": "A bullet", placeholder: "speed = …" });
    const hunted = written.hunt && written.hunt.took === null && written.hunt.left > 0;
    return h(
      "div.book",
      {},
      h("h2", {}, "Our playbook"),
      written.hunt && huntHeading(written.hunt),
      hunted ? null : form(
        () => {
          link.ask("add", { text: text.value });
          text.value = "";
        },
        text,
        h("button.main", { type: "submit" }, "Add to the playbook"),
      ),
    );
  }

  /** @param {Book} written */
  function bullets(written) {
    return h(
      "div.book",
      {},
      h("p.quiet", {}, written.error ?? score(written)),
      h(
        "ul.bullets",
        {},
        written.bullets.map((bullet) =>
          bulletView(
            bullet,
            lineage(bullet),
            ...(written.hunt
              ? [h(
                "button",
                { type: "button", onclick: () => link.ask("switch", { bullet: bullet.id, off: !bullet.off }) },
                bullet.off ? "Switch on" : "Switch off",
              )]
              : []),
          )
        ),
      ),
    );
  }

  /** @param {Bullet} bullet */
  function lineage({ id, lineage }) {
    const lines = (lineage ?? []).map((line) => h("p", {}, line));
    const element = h("details", { open: opened.has(id) }, h("summary", {}, "Lineage"), lines);
    element.ontoggle = () => void (element.open ? opened.add(id) : opened.delete(id));
    return element;
  }

  function lessons() {
    return h("p.quiet", {}, h("a", { href: "gallery" }, "Work through a lesson on your own"));
  }
}

/**
 * @param {() => void} send
 * @param {...(Node | null)} children
 */
function form(send, ...children) {
  return h(
    "form",
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        send();
      },
    },
    ...children,
  );
}
