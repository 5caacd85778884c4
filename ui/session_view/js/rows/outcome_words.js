// @ts-check
/** What came of a run, in a sentence. */

import { decisionOf, isAnswered } from "../log/folds/pending.js";
import { isReview } from "../playbook/review.js";
import { tallyWords } from "../playbook/commits.js";
import { learns } from "./outcome.js";
import { count, listing, plural } from "../words/format.js";
import { loopEnding, routeWords, transferWords } from "../words/records.js";

/** @import { AnsweredCall, PendingCall } from "../log/folds.d.ts" */
/** @import { Ended, EndRow } from "./types.d.ts" */
/** @import { Commit } from "../playbook/types.d.ts" */

const MOST_NAMES = 4;

/**
 * @param {Pick<EndRow, "outcome" | "calls" | "waits"> & { entry: { body: Pick<EndRow["entry"]["body"], "status"> } }} row
 * @param {string[]} authors who gave the result; none where there is no text
 */
export function outcomeWords({ entry: { body: { status } }, outcome, calls, waits }, authors) {
  if (status === "paused") return sentence(waits.map(waitsFor));
  const { route, transfer, ended, lanes, answer, commits, failed } = outcome;
  const said = [
    status === "failed" && failed && `${failed.author} failed`,
    route && routed(route),
    transfer && transferWords(transfer),
    lanes.size > 1 && `${lanes.size > MOST_NAMES ? `${count(lanes.size)} agents` : listing([...lanes])} worked in parallel`,
    ended && !learns(outcome) && loopWords(ended),
    ...calls.filter(isAnswered).map(decided),
    answer && `${answer.author} answered`,
    (answer || commits.length > 0) && learned(commits),
  ].filter((part) => typeof part === "string");
  const spoke = authors.length > 0 ? `${listing(authors)} gave the result` : "no agent gave a text";
  return sentence(said.length || status !== "completed" ? said : [spoke]);
}

/**
 * Names keep their letters where a sentence begins; words do not.
 * @param {string[]} parts
 */
function sentence(parts) {
  const text = parts.join("; ").replace(/^(?:the|no) /, (word) => word[0].toUpperCase() + word.slice(1));
  return text && `${text}.`;
}

/** @param {Parameters<typeof routeWords>[0]} route */
function routed(route) {
  const { who, verb, key } = routeWords(route);
  return [who, verb, key].filter(Boolean).join(" ");
}

/** @param {Ended} ended */
function loopWords({ body, escalation }) {
  const passes = plural(body.iterations, "iteration");
  return body.reason === "max_iterations"
    ? `${body.agent} stopped at its limit of ${passes}, and no agent had ended it`
    : `${body.agent} ended after ${passes}: ${loopEnding(body, escalation)}`;
}

/** @param {PendingCall} call */
function waitsFor(call) {
  return call.asksApproval
    ? `${call.tool} waits for your approval`
    : isReview(call)
    ? "the changes of the playbook wait for your review"
    : call.asModel
    ? `${call.agent} waits for you as its model`
    : `${call.tool} waits for your answer`;
}

/** @param {AnsweredCall} call */
function decided(call) {
  if (call.asModel) return `the model of ${call.agent} was you: ${decisionOf(call).verdict}`;
  return isReview(call) ? "the changes of the playbook were reviewed" : `${call.tool} was ${decisionOf(call).verdict}`;
}

/**
 * What commits of one run did to a playbook.
 * @param {Commit[]} commits
 */
function learned(commits) {
  const last = commits.at(-1);
  if (!last) return "no bullet was learned";
  const applied = commits.flatMap((commit) => commit.applied);
  const rejected = commits.flatMap((commit) => commit.rejected ?? []);
  const done = tallyWords({ applied, rejected }) || "nothing changed";
  return `the playbook ${last.playbook} is now at revision ${count(last.revision)}: ${done}`;
}
