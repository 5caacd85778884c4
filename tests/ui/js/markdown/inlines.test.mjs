import assert from "node:assert/strict";
import { test } from "node:test";

import { inlinesOf } from "../../../../ui/session_view/js/markdown/inlines.js";
import { counterOf } from "../work.mjs";
import { HOSTILE } from "./hostile_texts.mjs";

const count = await counterOf("/js/markdown/");

/** Inlines as a line: `{strong a {code b}}`. */
function told(inlines) {
  return inlines.map(({ type, text, children, address }) => {
    if (type === "text") return text;
    const inside = children ? told(children) : text;
    return `{${type} ${inside}${address === undefined ? "" : ` → ${address}`}}`;
  }).join("");
}

const CASES = [
  ["", ""],
  ["A plain sentence. 1. Two & three!", "A plain sentence. 1. Two & three!"],
  ["**bold** and *it* and ***both***", "{strong bold} and {emphasis it} and {strong {emphasis both}}"],
  ["_it_ ~~gone~~", "{emphasis it} {strike gone}"],
  ["**a *b* c**", "{strong a {emphasis b} c}"],
  ["**a *b***", "{strong a {emphasis b}}"],
  ["**not closed", "**not closed"],
  ["**「強調」**です", "{strong 「強調」}です"],
  ["これは**「強調」**です。**重要：**次", "これは{strong 「強調」}です。{strong 重要：}次"],
  ['**"강조"**는 *(가)*나', '{strong "강조"}는 {emphasis (가)}나'],
  ["𠮷**（a）**𠮷 **ราคา (บาท)**ครับ", "𠮷{strong （a）}𠮷 {strong ราคา (บาท)}ครับ"],
  ['a**"b"**c', 'a**"b"**c'],
  ["\\(a_b*c*\\) and \\[x \\\\ y\\] and $$a_b*c*$$", "{math \\(a_b*c*\\)} and {math \\[x \\\\ y\\]} and {math $$a_b*c*$$}"],
  ["\\(a *b*, $$ and \\[1", "\\(a {emphasis b}, $$ and [1"],
  [
    "one<br>two<BR/>three<br />four `<br>` <br",
    "one{break undefined}two{break undefined}three{break undefined}four {code <br>} <br",
  ],
  ["*a **b* c**", "{emphasis a **b} c**"],
  ["2*3*4, 2**3**4, 5 * 3 * 2", "2*3*4, 2**3**4, 5 * 3 * 2"],
  ["f(*args, **kwargs)", "f(*args, **kwargs)"],
  ["__init__ snake_case_name _x", "__init__ snake_case_name _x"],
  ["这是**粗体**字", "这是{strong 粗体}字"],
  ["**bold**s", "{strong bold}s"],
  ["`a*b*` ``c`d`` `` ` ``", "{code a*b*} {code c`d} {code `}"],
  ["`not closed", "`not closed"],
  ["\\*a\\* \\n \\", "*a* \\n \\"],
  ['[text](https://a.test/x_(y) "title")!', "{link text → https://a.test/x_(y)}!"],
  ["[**a** b](https://a.test)", "{link {strong a} b → https://a.test}"],
  ["[run](javascript:alert(1))", "{link run → javascript:alert(1)}"],
  ["[a [b](c) d](e)", "[a {link b → c} d](e)"],
  ["[1] [x][y] [z] (w)", "[1] [x][y] [z] (w)"],
  ["![cat](https://a.test/c.png)", "{picture cat → https://a.test/c.png}"],
  ["[![a](b)](c)", "{link {picture a → b} → c}"],
  [
    "See https://a.test/b_c_d. And <https://c.test>!",
    "See {link https://a.test/b_c_d → https://a.test/b_c_d}. And " +
    "{link https://c.test → https://c.test}!",
  ],
  ["(https://a.test/x)", "({link https://a.test/x → https://a.test/x})"],
  ["**https://a.test**", "{strong {link https://a.test → https://a.test}}"],
  ["<b>&lt;i&gt;</b> <script>", "<b>&lt;i&gt;</b> <script>"],
  ["xhttps://a.test", "xhttps://a.test"],
];

for (const [text, wanted] of CASES) test(text || "nothing", () => assert.equal(told(inlinesOf(text)), wanted));

/** The letters and digits that a reader sees. */
function words(inlines) {
  return inlines.map(({ text, children, address = "" }) => {
    if (!children) return text;
    const said = words(children);
    return said === address ? said : said + address;
  }).join("");
}

/** A sequence of numbers below a limit, the same each time. */
function* numbers(limit) {
  for (let seed = 7;;) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield Math.floor(seed / 65_536) % limit;
  }
}

test("of random texts no letter is lost, and nothing is thrown", () => {
  const SIGNS = [..."ab c*_~`[]()!\\<>\n#-|é😀", "**", "https://", "](", "![", "*a", "b*", "``", "\ud800"];
  const next = numbers(SIGNS.length);
  for (let i = 0; i < 1500; i++) {
    const text = Array.from({ length: 1 + i % 40 }, () => SIGNS[next.next().value]).join("");
    const letters = (all) => all.replace(/[^abcé😀hps]/gu, "");
    assert.equal(letters(words(inlinesOf(text))), letters(text), JSON.stringify(text));
  }
});

test("emphasis and links nest to a depth", () => {
  const depth = (inlines) => Math.max(0, ...inlines.map(({ children }) => (children ? 1 + depth(children) : 0)));
  assert.ok(depth(inlinesOf("**a *b ".repeat(5000) + "x* y**".repeat(5000))) <= 12);
  assert.ok(depth(inlinesOf("![".repeat(5000) + "](b)".repeat(5000))) <= 12);
});

test("twice the text is twice the work, whatever the text", async () => {
  for (const [name, hostile] of Object.entries(HOSTILE)) {
    const [few, many] = [await count(() => inlinesOf(hostile(16_000))), await count(() => inlinesOf(hostile(32_000)))];
    assert.ok(few > 0 && many <= 2.5 * few + 500, `${name}: ${few}, then ${many}`);
  }
});

test("long texts of any kind are read", () => {
  for (const hostile of Object.values(HOSTILE)) inlinesOf(hostile(100_000));
});
