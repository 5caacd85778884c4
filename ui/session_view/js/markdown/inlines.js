// @ts-check
/**
 * Reads what stands in a line of Markdown: emphasis, code, links. One pass over the text with a stack of bounded height, so
 * that the time is linear in it.
 */

import { addressAt, withoutEnd } from "./addresses.js";
import { sides } from "./flanks.js";

/** @import { Inline } from "./types.d.ts" */
/** @typedef {{ mark: string; count: number; at: number }} Opener `at`: its place in what was read */

const SPECIAL = /[\\`*_~[\]!<]|\$\$|https?:\/\//g;
const BREAK = /<br ?\/?>/iy;
/** What ends a formula, by what begins it. */
const FORMULAS = new Map([["\\(", "\\)"], ["\\[", "\\]"], ["$$", "$$"]]);
const RUN = /([*_~])\1*/y;
const TICKS = /`+/g;
const IN_ANGLES = /<(https?:\/\/[^\s<>]{1,2000})>/y;
const BARE = /https?:\/\/[^\s<>"'`[\]*|\\]{1,2000}/y;
const WORD = /\w/;
const ESCAPABLE = "\\`*_~[]#<>|-!+";
/** Emphasis and links in each other; of more that begin, the first are text. */
const DEEPEST = 12;

/**
 * @param {string} text
 * @returns {Inline[]}
 */
export function inlinesOf(text) {
  return new Reader(text).read();
}

class Reader {
  #text;
  #at = 0;
  /** @type {Inline[]} */
  #out = [];
  /** @type {Opener[]} */
  #openers = [];
  /** @type {Map<number, number[]> | null} where runs of backticks are, the last first, by their length */
  #ticks = null;
  /** @type {Set<string>} ends of formulas that do not come any more */
  #unclosed = new Set();

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  read() {
    const text = this.#text;
    while (this.#at < text.length) {
      SPECIAL.lastIndex = this.#at;
      const next = SPECIAL.exec(text)?.index ?? text.length;
      this.#say(text.slice(this.#at, next));
      this.#at = next;
      if (next < text.length) this.#take(text[next]);
    }
    return joined(this.#out);
  }

  /** @param {string} text */
  #say(text) {
    if (text) this.#out.push({ type: "text", text });
  }

  /** @param {string} sign */
  #take(sign) {
    if ((sign === "\\" || sign === "$") && this.#takeFormula()) return;
    if (sign === "$") this.#say("$$"), this.#at += 2;
    else if (sign === "\\") this.#takeEscape();
    else if (sign === "`") this.#takeCode();
    else if (sign === "[") this.#open("[", 1);
    else if (sign === "!") this.#takePicture();
    else if (sign === "]") this.#closeLink();
    else if (sign === "<" && this.#takeBreak()) return;
    else if (sign === "<" || sign === "h") this.#takeAddress();
    else this.#takeRun();
  }

  /** A formula as it was written, with its backslashes; false where none begins. */
  #takeFormula() {
    const end = FORMULAS.get(this.#text.slice(this.#at, this.#at + 2));
    const to = end && !this.#unclosed.has(end) ? this.#text.indexOf(end, this.#at + 2) : -1;
    if (end && to < 0) this.#unclosed.add(end);
    if (!end || to < 0) return false;
    this.#out.push({ type: "math", text: this.#text.slice(this.#at, to + end.length) });
    this.#at = to + end.length;
    return true;
  }

  #takeBreak() {
    BREAK.lastIndex = this.#at;
    const found = BREAK.exec(this.#text);
    if (!found) return false;
    this.#out.push({ type: "break" });
    this.#at += found[0].length;
    return true;
  }

  #takeEscape() {
    const next = this.#text[this.#at + 1];
    const escaped = next !== undefined && ESCAPABLE.includes(next);
    this.#say(escaped ? next : "\\");
    this.#at += escaped ? 2 : 1;
  }

  #takeCode() {
    const from = this.#at;
    let start = from;
    while (this.#text[start] === "`") start += 1;
    const end = this.#ticksAfter(start, start - from);
    if (end === null) this.#say(this.#text.slice(from, start));
    else this.#out.push({ type: "code", text: trimmed(this.#text.slice(start, end).replaceAll("\n", " ")) });
    this.#at = end === null ? start : end + start - from;
  }

  /**
   * Where the next run of so many backticks is; null where there is none.
   * @param {number} from
   * @param {number} length
   */
  #ticksAfter(from, length) {
    if (!this.#ticks) {
      this.#ticks = new Map();
      for (const run of [...this.#text.matchAll(TICKS)].reverse()) {
        const places = this.#ticks.get(run[0].length);
        if (places) places.push(run.index);
        else this.#ticks.set(run[0].length, [run.index]);
      }
    }
    const places = this.#ticks.get(length) ?? [];
    while (places.length && places[places.length - 1] < from) places.pop();
    return places.at(-1) ?? null;
  }

  #takePicture() {
    if (this.#text[this.#at + 1] !== "[") return void (this.#say("!"), this.#at += 1);
    this.#open("![", 2);
  }

  /** An address of the web as it stands, in angle brackets or alone. */
  #takeAddress() {
    const [whole, address] = this.#addressHere();
    if (address) this.#out.push({ type: "link", address, children: [{ type: "text", text: address }] });
    else this.#say(this.#text[this.#at]);
    this.#at += address ? whole.length : 1;
  }

  #addressHere() {
    const before = this.#text[this.#at - 1] ?? " ";
    const form = this.#text[this.#at] === "<" ? IN_ANGLES : BARE;
    if (form === BARE && WORD.test(before)) return ["", ""];
    form.lastIndex = this.#at;
    const found = form.exec(this.#text);
    if (!found) return ["", ""];
    if (form === IN_ANGLES) return [found[0], found[1]];
    const address = withoutEnd(found[0]);
    return [address, address];
  }

  #takeRun() {
    RUN.lastIndex = this.#at;
    const [run] = /** @type {RegExpExecArray} */ (RUN.exec(this.#text));
    const { opens, closes } = sides(this.#text, this.#at, run);
    this.#at += run.length;
    let left = run.length;
    while (closes && left > 0) {
      const closed = this.#close(run[0], left);
      if (!closed) break;
      left -= closed;
    }
    const rest = run.slice(0, left);
    if (opens && left) this.#push(rest[0], left);
    this.#say(rest);
  }

  /**
   * Notes that something may begin here; its mark is said after that.
   * @param {string} mark
   * @param {number} count
   */
  #push(mark, count) {
    this.#openers.push({ mark, count, at: this.#out.length });
    if (this.#openers.length > DEEPEST) this.#openers.shift();
  }

  /**
   * @param {string} mark
   * @param {number} length
   */
  #open(mark, length) {
    this.#push(mark, length);
    this.#say(mark);
    this.#at += length;
  }

  /**
   * Closes what was opened last with a mark, at most `left` of it; gives how many, 0 for none.
   * @param {string} mark
   * @param {number} left
   */
  #close(mark, left) {
    const i = this.#openers.findLastIndex((opener) => opener.mark === mark && opener.count <= left);
    if (i < 0) return 0;
    const { count, at } = this.#openers[i];
    const children = joined(this.#out.splice(at).slice(1));
    this.#openers.length = i;
    this.#out.push(emphasised(mark, count, children));
    return count;
  }

  #closeLink() {
    const i = this.#openers.findLastIndex(({ mark }) => mark === "[" || mark === "![");
    const found = i < 0 ? null : addressAt(this.#text, this.#at + 1);
    if (!found) {
      if (i >= 0) this.#openers.splice(i, 1);
      this.#say("]");
      this.#at += 1;
      return;
    }
    const { mark, at } = this.#openers[i];
    const children = joined(this.#out.splice(at).slice(1));
    this.#openers.length = i;
    if (mark === "[") this.#openers = this.#openers.filter((opener) => opener.mark !== "["); // no link holds a link
    this.#out.push({ type: mark === "[" ? "link" : "picture", address: found.address, children });
    this.#at = found.end;
  }
}

/**
 * @param {string} mark
 * @param {number} count
 * @param {Inline[]} children
 * @returns {Inline}
 */
function emphasised(mark, count, children) {
  if (mark === "~") return { type: "strike", children };
  if (count === 3) return { type: "strong", children: [{ type: "emphasis", children }] };
  return { type: count === 2 ? "strong" : "emphasis", children };
}

/**
 * Code without the space at both ends that keeps backticks apart.
 * @param {string} code
 */
function trimmed(code) {
  return code.length > 2 && code.startsWith(" ") && code.endsWith(" ") && code.trim() ? code.slice(1, -1) : code;
}

/**
 * Texts beside each other as one.
 * @param {Inline[]} inlines
 */
function joined(inlines) {
  /** @type {Inline[]} */
  const all = [];
  /** @type {string[]} */
  let texts = [];
  const flush = () => {
    if (texts.length) all.push({ type: "text", text: texts.join("") });
    texts = [];
  };
  for (const inline of inlines) {
    if (inline.type === "text") texts.push(inline.text);
    else (flush(), all.push(inline));
  }
  flush();
  return all;
}
