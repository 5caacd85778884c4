// @ts-check
/** An instruction taken apart by where its words come from: the agent's identity, its template, state, the playbook. */

import { countTokens } from "./tokens.js";

/** @import { State } from "../log/folds.d.ts" */
/** @import { Given, PromptPart } from "./types.d.ts" */
/** @typedef {Omit<PromptPart, "tokens">} Piece */

const IDENTITY = 'You are an agent. Your internal name is "';
const END_OF_IDENTITY = '".\n\n';
/** A shorter value may stand in a text by chance. */
const LEAST_FOUND = 16;
const ASTRAL = /[\u{10000}-\u{10ffff}]/u;

/**
 * @param {object} sent
 * @param {string} sent.instruction
 * @param {[number, number, string][]} sent.filled where values stand, in code points, as the record has it
 * @param {State} sent.state as it was when it was sent
 * @param {Given | null} sent.given the bullets that the run was given
 * @returns {PromptPart[]}
 */
export function instructionParts({ instruction, filled, state, given }) {
  const marked = withIdentity(withValues(instruction, filled, state));
  const bulleted = given ? marked.flatMap((piece) => withBullets(piece, given)) : marked;
  const found = filled.length ? bulleted : withFound(bulleted, state);
  return found.filter(({ text }) => text.trim()).map((piece) => ({ ...piece, tokens: countTokens(piece.text) }));
}

/**
 * @param {string} text
 * @returns {Piece}
 */
function plain(text) {
  return { kind: "instruction", name: "", text, seq: null };
}

/**
 * The values that the record says were filled in.
 * @param {string} instruction
 * @param {[number, number, string][]} filled
 * @param {State} state
 * @returns {Piece[]}
 */
function withValues(instruction, filled, state) {
  const points = ASTRAL.test(instruction) ? [...instruction] : null;
  const slice = (/** @type {number} */ from, /** @type {number} */ to) =>
    points ? points.slice(from, to).join("") : instruction.slice(from, to);
  let at = 0;
  const pieces = [];
  for (const [start, end, name] of filled) {
    /** @type {Piece} */
    const value = { kind: "state", name, text: slice(start, end), seq: state.get(name)?.seq ?? null };
    pieces.push(plain(slice(at, start)), value);
    at = end;
  }
  return [...pieces, plain(slice(at, Infinity))];
}

/**
 * @param {Piece[]} pieces
 * @returns {Piece[]}
 */
function withIdentity([first, ...rest]) {
  if (!first.text.startsWith(IDENTITY)) return [first, ...rest];
  const end = first.text.indexOf(END_OF_IDENTITY);
  const length = end < 0 ? first.text.length : end + END_OF_IDENTITY.length;
  /** @type {Piece} */
  const identity = { kind: "identity", name: "", text: first.text.slice(0, length), seq: null };
  return [identity, plain(first.text.slice(length)), ...rest];
}

/**
 * The bullets in a piece, a line each, where they are those that the run was given.
 * @param {Piece} piece
 * @param {Given} given
 * @returns {Piece[]}
 */
function withBullets(piece, { seq, ids, place }) {
  if (piece.kind === "identity") return [piece];
  /** @type {Piece[]} */
  const pieces = [];
  for (const line of piece.text.split(/(?<=\n)/)) {
    const id = line.startsWith("[") ? line.slice(1, line.indexOf("]")) : "";
    const last = pieces.at(-1);
    if (ids.has(id)) pieces.push({ kind: "playbook", name: id, text: line, seq, place });
    else if (last && last.kind === piece.kind) last.text += line;
    else pieces.push({ ...piece, text: line });
  }
  return pieces;
}

/**
 * Values of state that stand in the text, where the record says nothing: of an agent whose instruction is a function.
 * @param {Piece[]} pieces
 * @param {State} state
 * @returns {Piece[]}
 */
function withFound(pieces, state) {
  const values = [...state].flatMap(([name, { value, seq }]) => {
    const text = typeof value === "string" ? value : "";
    return text.length >= LEAST_FOUND ? [{ name, text, seq }] : [];
  });
  values.sort((a, b) => b.text.length - a.text.length);
  return values.reduce((found, value) => found.flatMap((piece) => withOne(piece, value)), pieces);
}

/**
 * @param {Piece} piece
 * @param {{ name: string; text: string; seq: number }} value
 * @returns {Piece[]}
 */
function withOne(piece, { name, text, seq }) {
  const at = piece.kind === "instruction" ? piece.text.indexOf(text) : -1;
  if (at < 0) return [piece];
  return [
    plain(piece.text.slice(0, at)),
    { kind: "state", name, text, seq, guessed: true },
    plain(piece.text.slice(at + text.length)),
  ];
}
