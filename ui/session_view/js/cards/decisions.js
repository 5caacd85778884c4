// @ts-check
/** What a user may decide in a session's list: calls that wait for them, and whether an answer was right. */

import { writeJson } from "../../../browser/js/json.js";
import { runStatus } from "../log/log.js";
import { keepsPlaybook } from "../playbook/run.js";
import { Answers } from "./answers.js";
import { createCard, stampOf } from "./card.js";
import { createThumbs, stampOfThumbs } from "./thumbs.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { Log, TreeIndex } from "../log/folds.d.ts" */
/** @import { Desk } from "./card.js" */
/** @import { Bullets } from "../playbook/bullets.js" */
/** @import { Book, Row } from "../rows/types.d.ts" */
/** @import { Feedback } from "./thumbs.js" */

/**
 * The session as it stands.
 * @typedef {object} Session
 * @property {Log} log
 * @property {Book} book
 * @property {TreeIndex} index
 * @property {boolean} caughtUp
 * @property {{ answerable?: boolean; judgeable?: boolean }} props what the page takes
 */

/**
 * @param {object} options
 * @param {() => Session} options.session
 * @param {Bullets} options.bullets
 * @param {Desk["drawAsModel"]} options.drawAsModel
 * @param {(name: "answer" | "feedback", value: Json) => void} options.send tells the page
 * @param {() => void} options.onChange called when something was sent, or nothing came of it
 */
export function createDecisions({ session, bullets, drawAsModel, send, onChange }) {
  /** @type {Answers<string, Record<string, Json>>} */
  const calls = new Answers({
    send: (id, response) => send("answer", { call_id: id, response: writeJson(response) }),
    onChange,
  });
  /** @type {Answers<number, Feedback>} */
  const verdicts = new Answers({ send: (_, feedback) => send("feedback", feedback), onChange });
  const desk = {
    answers: calls,
    hindrance: () => hindranceOfAnswers(session()),
    bullets,
    log: () => session().log,
    drawAsModel,
  };
  const bench = {
    answers: verdicts,
    hindrance: () => hindranceOfVerdicts(session()),
    offered: () => Boolean(session().props.judgeable) && keepsPlaybook(session().index),
  };
  return {
    drawCard: createCard(desk),
    drawThumbs: createThumbs(bench),
    /**
     * What a row shows besides what is in the log.
     * @param {Row} row
     */
    stamp(row) {
      if (row.type === "card") return stampOf(row.call, desk);
      return row.type === "thumbs" ? stampOfThumbs(row.live, bench) : "";
    },
    /** Lets go of what the log shows to have arrived. */
    settle() {
      const { book } = session();
      calls.settle((id) => book.pending.waiting.has(id));
      verdicts.settle((seq) => book.judged.answers.get(seq)?.verdict === null);
    },
    clear() {
      calls.clear();
      verdicts.clear();
    },
  };
}

/**
 * Why no call can be answered now; "" when it can.
 * @param {Pick<Session, "props" | "caughtUp" | "log">} session
 */
export function hindranceOfAnswers({ props, caughtUp, log }) {
  if (!props.answerable) return "It cannot be answered here.";
  if (!caughtUp) return "The session is still being loaded.";
  return runStatus(log) === "running" ? "The run is still at work. You can answer once it waits." : "";
}

/**
 * Why no answer can be judged now; "" when it can.
 * @param {Pick<Session, "caughtUp" | "log" | "book">} session
 */
export function hindranceOfVerdicts({ caughtUp, log, book }) {
  if (!caughtUp) return "The session is still being loaded.";
  if (runStatus(log) === "running") return "The run is still at work. You can judge the answer once it has ended.";
  return book.pending.waiting.size ? "A question is open below. Answer it first." : "";
}
