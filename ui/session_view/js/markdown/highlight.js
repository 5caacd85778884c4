// @ts-check
/** Code by kind: comments, strings, numbers, keywords of the usual languages. Each pattern takes what it began with. */

/** @import { Token } from "./types.d.ts" */

/** Longer code is shown plain. */
const LONGEST = 20_000;
const STRING = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/;
const WORDS = /\d[\w.]*|[A-Za-z_]\w*/;
const HASH = /#[^\n]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)/;
const SLASH = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|`(?:[^`\\]|\\[\s\S])*`?/;
const DASH = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/;

const PYTHON =
  "and as assert async await break case class continue def del elif else except False finally for from global " +
  "if import in is lambda match None nonlocal not or pass raise return True try while with yield";
const SHELL = "case do done elif else esac exit export fi for function if in local return then until while";
const SCRIPT = "as async await break case catch class const continue default delete do else export extends false finally " +
  "for from function if import in instanceof interface let new null of return static super switch this throw true try " +
  "type typeof undefined var void while yield";
const COMPILED = "bool boolean break case catch char class const continue default defer do double else enum extends false " +
  "final float fn for func go if impl implements import int interface let long loop match mod mut namespace new nil null " +
  "nullptr package private protected pub public return self static std string struct super switch this throw throws trait " +
  "true try type use using var void where while";
const QUERY =
  "alter and as asc between by case create delete desc distinct drop else end exists from full group having in " +
  "inner insert into is join left like limit not null on or order outer primary right select set table then union update " +
  "values when where with";

/** @type {[names: string, own: RegExp, keywords: string][]} */
const FAMILIES = [
  ["python py python3", HASH, PYTHON],
  ["bash sh shell zsh", HASH, SHELL],
  ["yaml yml toml", HASH, "true false null yes no"],
  ["javascript js jsx mjs typescript ts tsx json", SLASH, SCRIPT],
  ["java kotlin c cpp c++ csharp cs go rust rs swift php", SLASH, COMPILED],
  ["sql", DASH, QUERY],
];
const LANGUAGES = new Map(FAMILIES.flatMap(([names, own, keywords]) => {
  const family = language(own, keywords);
  return names.split(" ").map((name) => [name, family]);
}));

/**
 * @param {RegExp} own comments, and strings of its own kind
 * @param {string} keywords
 */
function language(own, keywords) {
  return {
    pattern: new RegExp(`(${own.source})|(${STRING.source})|(${WORDS.source})`, "g"),
    keywords: new Set(keywords.split(" ")),
  };
}

/**
 * Code in runs; joined, they are the code.
 * @param {string} code
 * @param {string} name of the language, as a fence says it
 * @returns {Token[]}
 */
export function highlight(code, name) {
  const known = LANGUAGES.get(name);
  if (!known || code.length > LONGEST) return code ? [{ kind: "plain", text: code }] : [];
  /** @type {Token[]} */
  const tokens = [];
  let plain = "";
  let at = 0;
  for (const match of code.matchAll(known.pattern)) {
    const [text, own, string, word] = match;
    plain += code.slice(at, match.index);
    at = match.index + text.length;
    const kind = own ? ownKind(own) : string ? "string" : kindOf(word, known.keywords);
    if (kind === "plain") plain += text;
    else {
      if (plain) tokens.push({ kind: "plain", text: plain });
      plain = "";
      tokens.push({ kind, text });
    }
  }
  plain += code.slice(at);
  return plain ? [...tokens, { kind: "plain", text: plain }] : tokens;
}

/**
 * @param {string} text
 * @returns {Token["kind"]}
 */
function ownKind(text) {
  return /^["'`]/.test(text) ? "string" : "comment";
}

/**
 * @param {string} word
 * @param {Set<string>} keywords
 * @returns {Token["kind"]}
 */
function kindOf(word, keywords) {
  if (/^\d/.test(word)) return "number";
  return keywords.has(word) || (keywords.has("select") && keywords.has(word.toLowerCase())) ? "keyword" : "plain";
}
