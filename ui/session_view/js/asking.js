/**
 * What a person may decide in a session's list: calls that wait for them, and whether an answer was right. Knows what may
 * be sent when, not how it is drawn.
 */

import { createAnswers } from "./answers.js";
import { createCards } from "./card_view.js";
import { runStatus } from "./fold.js";
import { keepsPlaybook } from "./playbook_run.js";
import { createThumbs } from "./thumbs_view.js";

/**
 * @param view the session's view: `props`, `api`, `log`, `book`, `index`, `caughtUp`
 * @param bullets texts of bullets
 * @param onChange called when something was sent, or nothing came of it
 * @param onResize called when a row's height changed by itself
 */
export function createAsking({ view, bullets, onChange, onResize }) {
  const calls = createAnswers({ send: (answer) => view.api.setTriggerValue?.("answer", answer), onChange });
  const verdicts = createAnswers({ send: ({ response }) => view.api.setTriggerValue?.("feedback", response), onChange });
  const cards = createCards({ answers: calls, hindrance, bullets, onResize });
  const thumbs = createThumbs({ answers: verdicts, hindrance: hindranceOfVerdicts, offered: () => Boolean(view.props.judgeable) && keepsPlaybook(view.index), onResize });

  /** Why a call cannot be answered now; "" when it can. */
  function hindrance() {
    if (!view.props.answerable) return "It cannot be answered here.";
    if (!view.caughtUp) return "The session is still being loaded.";
    return runStatus(view.log) === "running" ? "The run is still at work. You can answer once it waits." : "";
  }

  function hindranceOfVerdicts() {
    if (!view.caughtUp) return "The session is still being loaded.";
    if (runStatus(view.log) === "running") return "The run is still at work. You can judge the answer once it has ended.";
    return view.book.pending.waiting.size ? "A question is open below. Answer it first." : "";
  }

  return {
    drawCard: cards.draw,
    drawThumbs: thumbs.draw,
    /** What a row shows besides what is in the log. */
    stamp: (row) => (row.type === "card" ? cards.stamp(row.call) : row.type === "thumbs" ? thumbs.stamp(row.live) : ""),
    /** Lets go of what the log shows to have arrived. */
    settle() {
      calls.settle((id) => view.book.pending.waiting.has(id));
      verdicts.settle((seq) => view.book.judged.answers.get(seq)?.verdict === null);
    },
    clear() {
      calls.clear();
      verdicts.clear();
    },
  };
}
