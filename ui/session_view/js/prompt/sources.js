// @ts-check
/** What a prompt consists of, by source: names, shares and sums. */

import { diffTexts } from "../words/diff.js";

/** @import { MessageChange, PromptPart, SourceChange, SourceKind } from "./types.d.ts" */

/** @type {Record<SourceKind, string>} */
export const SOURCES = {
  identity: "Identity",
  instruction: "Instruction",
  state: "State",
  playbook: "Playbook",
  history: "History",
  tools: "Tools",
  schema: "Schema",
};

/**
 * Estimated tokens by source, in the order of the prompt; a source without a part is left out.
 * @param {PromptPart[]} parts
 * @returns {{ kind: SourceKind; tokens: number; parts: number }[]}
 */
export function sharesOf(parts) {
  const kinds = /** @type {SourceKind[]} */ (Object.keys(SOURCES));
  return kinds.flatMap((kind) => {
    const own = parts.filter((part) => part.kind === kind);
    return own.length ? [{ kind, tokens: own.reduce((sum, { tokens }) => sum + tokens, 0), parts: own.length }] : [];
  });
}

/**
 * A share in words; "under 1 %" is said of what is there and little.
 * @param {number} tokens
 * @param {number} all
 */
export function shareWords(tokens, all) {
  const share = all ? (tokens / all) * 100 : 0;
  return share > 0 && share < 1 ? "under 1 %" : `${Math.round(share)} %`;
}

/**
 * What differs between the prompts of two calls, source by source: the texts of each, and of the history each message.
 * @param {PromptPart[]} before
 * @param {PromptPart[]} after
 * @returns {SourceChange[]}
 */
export function changedSources(before, after) {
  const kinds = /** @type {SourceKind[]} */ (Object.keys(SOURCES));
  return kinds.flatMap((kind) => {
    const [old, fresh] = [before, after].map((parts) => parts.filter((part) => part.kind === kind));
    return kind === "history" ? changedHistory(old, fresh) : changedText(kind, old, fresh);
  });
}

/**
 * @param {SourceKind} kind
 * @param {PromptPart[]} before
 * @param {PromptPart[]} after
 * @returns {SourceChange[]}
 */
function changedText(kind, before, after) {
  const [old, fresh] = [before, after].map((parts) => parts.map(titled).join("\n"));
  return old === fresh ? [] : [{ kind, before: old, after: fresh }];
}

/**
 * @param {PromptPart[]} before
 * @param {PromptPart[]} after
 * @returns {SourceChange[]}
 */
function changedHistory(before, after) {
  const messages = changedMessages(before, after);
  return messages.every(({ op }) => op === "=") ? [] : [{ kind: "history", messages }];
}

/**
 * What became of the messages of a history, in their order: those that stayed together, each of the others by itself.
 * @param {PromptPart[]} before
 * @param {PromptPart[]} after
 * @returns {MessageChange[]}
 */
function changedMessages(before, after) {
  /** @type {MessageChange[]} */
  const changes = [];
  let [i, j] = [0, 0];
  for (const { op } of diffTexts(before.map(titled), after.map(titled))) {
    const last = changes.at(-1);
    if (op === "-") changes.push({ op: "-", part: before[i++] });
    else if (op === "=" && last?.op === "=") i++, last.parts.push(after[j++]);
    else if (op === "=") i++, changes.push({ op: "=", parts: [after[j++]] });
    else if (last?.op === "-" && last.part.name === after[j].name) {
      changes.splice(-1, 1, { op: "~", part: after[j++], before: last.part.text });
    } else changes.push({ op: "+", part: after[j++] });
  }
  return changes;
}

/** @param {PromptPart} part */
function titled({ kind, name, text }) {
  return kind === "state" || kind === "history" ? `${name}: ${text.trim()}` : text.trim();
}
