// @ts-check
/**
 * Reads what stands in a line of Markdown: emphasis, code, links. One pass over the text with a stack of bounded height, so
 * that the time is linear in it.
 */

/** @import { Inline } from "./types.d.ts" */
/** @typedef {{ mark: string; count: number; at: number }} Opener `at`: its place in what was read */

const SPECIAL = /[\\`*_~[\]!<]|https?:\/\//g;
const RUN = /([*_~])\1*/y;
const TICKS = /`+/g;
const IN_ANGLES = /<(https?:\/\/[^\s<>]{1,2000})>/y;
const BARE = /https?:\/\/[^\s<>"'`[\]*|\\]{1,2000}/y;
const SPACE = /\s/;
const SIGN = /[\p{P}\p{S}]/u;
const WORD = /\w/;
const ESCAPABLE = "\\`*_~[]#<>|-!+";
/** Emphasis and links in each other; of more that begin, the first are text. */
const DEEPEST = 12;
const LONGEST_ADDRESS = 2000;

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
    if (sign === "\\") this.#takeEscape();
    else if (sign === "`") this.#takeCode();
    else if (sign === "[") this.#open("[", 1);
    else if (sign === "!") this.#takePicture();
    else if (sign === "]") this.#closeLink();
    else if (sign === "<" || sign === "h") this.#takeAddress();
    else this.#takeRun();
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
    const before = this.#text[this.#at - 1] ?? " ";
    const after = this.#text[this.#at + run.length] ?? " ";
    this.#at += run.length;
    const { opens, closes } = sides(run, before, after);
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
 * Whether a run of marks may begin or end emphasis: not inside a word or a formula, as in `2*3*4`, `a ** b`, `__init__`.
 * @param {string} run
 * @param {string} before
 * @param {string} after
 */
function sides(run, before, after) {
  const [mark] = run;
  const known = mark === "~" ? run.length === 2 : run.length <= (mark === "_" ? 1 : 3);
  const isInside = WORD.test(before) && WORD.test(after);
  const opens = !SPACE.test(after) && (!SIGN.test(after) || SPACE.test(before) || SIGN.test(before)) && !isInside;
  const closes = !SPACE.test(before) && (!SIGN.test(before) || SPACE.test(after) || SIGN.test(after));
  return { opens: known && opens, closes: known && closes && !(isInside && run.length === 1) };
}

/**
 * The address in the parentheses after a link's text, a title in it left out; null where there is none. It ends before the
 * next bracket at the latest: no character is looked at for two links.
 * @param {string} text
 * @param {number} at where the parenthesis has to be
 */
function addressAt(text, at) {
  if (text[at] !== "(") return null;
  const limit = Math.min(text.length, at + LONGEST_ADDRESS);
  let open = 1;
  let quote = "";
  let end = 0;
  for (let i = at + 1; i < limit; i++) {
    const sign = text[i];
    if (sign === "[" || sign === "]" || sign === "\n") return null;
    if (quote) {
      if (sign === quote) quote = "";
      continue;
    }
    if (sign === "(") open += 1;
    else if (sign === ")") open -= 1;
    else if (sign === " " && !end) end = i;
    else if (end && (sign === '"' || sign === "'")) quote = sign;
    else if (end && sign !== " ") return null;
    if (open === 0) return { address: text.slice(at + 1, end || i).replace(/^<|>$/g, ""), end: i + 1 };
  }
  return null;
}

/**
 * An address without the signs that end its sentence.
 * @param {string} address
 */
function withoutEnd(address) {
  const closes = address.includes("(") ? ".,;:!?" : ".,;:!?)";
  let end = address.length;
  while (closes.includes(address[end - 1])) end -= 1;
  return address.slice(0, end);
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
