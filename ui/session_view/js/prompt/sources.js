// @ts-check
/** What a prompt consists of, by source: names, shares and sums. */

/** @import { PromptPart, SourceKind } from "./types.d.ts" */

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
 * What differs between the prompts of two calls, source by source: the texts of each source before and after.
 * @param {PromptPart[]} before
 * @param {PromptPart[]} after
 * @returns {{ kind: SourceKind; before: string; after: string }[]}
 */
export function changedSources(before, after) {
  /**
   * @param {PromptPart[]} parts
   * @param {SourceKind} kind
   */
  const text = (parts, kind) => parts.filter((part) => part.kind === kind).map((part) => titled(part)).join("\n");
  const kinds = /** @type {SourceKind[]} */ (Object.keys(SOURCES));
  return kinds.map((kind) => ({ kind, before: text(before, kind), after: text(after, kind) }))
    .filter((one) => one.before !== one.after);
}

/** @param {PromptPart} part */
function titled({ kind, name, text }) {
  return kind === "state" || kind === "history" ? `${name}: ${text.trim()}` : text.trim();
}
