/** Calls that wait, and where they are answered. */

import { Answers } from "../../../../ui/session_view/js/cards/answers.js";
import { emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { createBullets } from "../../../../ui/session_view/js/playbook/bullets.js";

/** A call that waits, or whatever `more` makes of it. */
export function call(more = {}) {
  return {
    id: "c",
    seq: 1,
    at: 0,
    agent: "A",
    branch: null,
    invocation: "run",
    asksApproval: false,
    asModel: false,
    tool: "lookup",
    args: {},
    hint: "",
    payload: null,
    state: "waiting",
    answer: null,
    version: 0,
    ...more,
  };
}

/** A call that was answered. */
export function answered(response, more = {}) {
  return call({ state: "answered", answer: { seq: 2, by: "user", response }, ...more });
}

/** Bullets as a server without any trouble has them. */
export function someBullets() {
  const get = ({ ids }) => Promise.resolve({ bullets: ids.map((id) => ({ id, content: `Text of ${id}.` })), more: 0 });
  return createBullets({ get, onChange: () => {} });
}

/** Where calls are answered; what was sent is noted. */
export function desk({ hindrance = "" } = {}) {
  const sent = [];
  const answers = new Answers({ send: (id, response) => sent.push([id, response]), onChange: () => {} });
  return { answers, hindrance: () => hindrance, bullets: someBullets(), log: emptyLog, sent };
}

/** What a form is drawn with; what is given and shown is noted. */
export function form(more = {}) {
  const given = [];
  const shown = [];
  const draft = { form: "choose", reason: "", text: "", outcome: "", fields: null, errors: {}, review: null, asModel: null };
  return {
    draft: Object.assign(draft, more.draft),
    off: more.off ?? false,
    give: (response) => given.push(response),
    show: (focus) => shown.push(focus),
    bullets: someBullets(),
    log: emptyLog,
    onSelect: () => {},
    onResize: () => {},
    given,
    shown,
  };
}
