import {
  divided,
  drawMarkdown,
  drawPiece,
  drawRest,
  hasMarkdown,
  MOST_READ,
} from "../../../../ui/session_view/js/markdown/markdown_view.js";
import { all, equal, frame, ok, show, test, textOf } from "../stage.mjs";

const ALLOWED = "A BLOCKQUOTE BR CODE DIV EM HR LI OL P PRE S SPAN STRONG TABLE TBODY TD TH THEAD TR UL".split(" ");
const ATTRIBUTES = ["class", "role", "aria-level", "start", "href", "target", "rel", "dir", "aria-label", "tabindex"];

const HOSTILE = `
# <script>globalThis.ran = 1</script>

<img src=x onerror="globalThis.ran = 1"> <svg/onload=globalThis.ran=1> &lt;img src=x onerror=globalThis.ran=1&gt;

- [a](javascript:globalThis.ran=1) [b](JaVaScRiPt:globalThis.ran=1) [c](java&#115;cript:globalThis.ran=1)
- [d](data:text/html,<script>globalThis.ran=1</script>) [e](vbscript:x) <javascript:globalThis.ran=1>
- ![f](https://evil.test/p.png) ![g](x" onerror="globalThis.ran=1)
- [h](https://user:word@evil.test/) [i](https://evil.test/"onclick="globalThis.ran=1)

| <b>x</b> | [j](javascript:1) |
|---|---|
| <iframe src="javascript:globalThis.ran=1"> | <style>*{display:none}</style> |

> <form action="javascript:globalThis.ran=1"><input autofocus onfocus=globalThis.ran=1></form>

\`\`\`html"><script>globalThis.ran=1</script>
<script>globalThis.ran = 1</script>
\`\`\`
`;

test("hostile text runs nothing, loads nothing, and makes no other elements than those of Markdown", async () => {
  const asked = [];
  new PerformanceObserver((list) => asked.push(...list.getEntries().map(({ name }) => name))).observe({ type: "resource" });
  for (const live of [false, true]) {
    const view = show(drawMarkdown(HOSTILE, { live }));
    const made = all(view, "*");
    equal([...new Set(made.map(({ tagName }) => tagName))].filter((tag) => !ALLOWED.includes(tag)), []);
    equal([...new Set(made.flatMap((one) => one.getAttributeNames()))].filter((name) => !ATTRIBUTES.includes(name)), []);
    equal(all(view, "a").map(({ href }) => href), live ? ["https://evil.test/%22onclick=%22globalThis.ran=1"] : []);
    for (const element of made) if (!element.closest("a")) element.click();
    ok(view.textContent.includes('<img src=x onerror="globalThis.ran = 1">'));
    ok(view.textContent.includes("a (javascript:globalThis.ran=1)"));
    ok(view.textContent.includes("&lt;img"));
  }
  await frame();
  equal([globalThis.ran, asked], [undefined, []]);
});

test("text without Markdown, code without fences and raw text are one text, as written", () => {
  const texts = [
    "It is 1. and 2.\n\n\nEnd  .",
    "def f(a):\n    # b\n    return a ** 2 ** 3",
    '{"a": "*b*"}',
    "snake_case_name",
  ];
  for (const text of texts) {
    const shown = drawMarkdown(text);
    equal([shown.className, shown.childNodes.length, shown.textContent, hasMarkdown(text)], ["text", 1, text, false]);
  }
  const raw = drawMarkdown(HOSTILE, { raw: true });
  equal([raw.childNodes.length, raw.textContent === HOSTILE, hasMarkdown(HOSTILE)], [1, true, true]);
});

test("random text is shown whole, as written, when it is wanted raw", () => {
  for (let i = 0; i < 300; i++) {
    const text = String.fromCharCode(
      ...crypto.getRandomValues(new Uint16Array(60)).map((code) => code % (i % 2 ? 128 : 65536)),
    );
    equal(drawMarkdown(text, { raw: true }).textContent, text);
    drawMarkdown(text);
  }
});

test("of a megabyte a part is read, and the rest is shown as it was written", () => {
  const text = "**a** line\n".repeat(100_000);
  const { read, rest } = divided(text);
  ok(read.length <= MOST_READ && read.endsWith("\n") && read + rest === text);
  const shown = drawMarkdown(text);
  ok(shown.textContent.endsWith(rest) && all(shown, "*").length < 10_000);
  equal(textOf(drawRest("x")), "The rest is shown as it was written:x");
  for (const mark of ["*", "> ", "[", "- "]) ok(all(drawMarkdown(mark.repeat(500_000)), "*").length < 100);
});

test("a block that is too long is shown as it was written", () => {
  const source = "*a* ".repeat(6000);
  equal(drawPiece({ block: { type: "paragraph", text: source }, source }, false).textContent, source);
});
