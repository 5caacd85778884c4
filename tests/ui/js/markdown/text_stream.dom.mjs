import { drawMarkdown } from "../../../../ui/session_view/js/markdown/markdown_view.js";
import { TextStream } from "../../../../ui/session_view/js/markdown/text_stream.js";
import { equal, ok, show, test, textOf } from "../stage.mjs";

const TEXT = `# Tides

A *short* text about **the sea**,
in two lines.

- one
- two
  - inner

1. first
2. second

| moon | tide |
|------|-----:|
| full | high |
| half | low  |

\`\`\`python
def rise(x):
    return x  # up
\`\`\`

> quoted
> twice

---
See https://a.test/x. End`;

function streamed(raw = false) {
  const stream = new TextStream(raw);
  show(stream.element);
  return { stream, blocks: stream.element.firstElementChild };
}

/** What is drawn, without the caret. */
function markup(element) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll(".caret").forEach((caret) => caret.remove());
  copy.normalize();
  return copy.innerHTML;
}

test("letter by letter it becomes what it is when it is drawn at once", () => {
  const { stream, blocks } = streamed();
  for (let i = 1; i <= TEXT.length; i++) stream.update(TEXT.slice(0, i));
  equal(markup(blocks), markup(drawMarkdown(TEXT)));
});

test("at each moment it is what is there, drawn at once; the caret is at its end", () => {
  const { stream, blocks } = streamed();
  for (let i = 40; i < TEXT.length; i += 7) {
    stream.update(TEXT.slice(0, i));
    equal(markup(blocks), markup(drawMarkdown(TEXT.slice(0, i))), `after ${i}`);
    equal(blocks.querySelectorAll(".caret").length, 1);
  }
});

test("finished blocks keep their elements while the last ones grow", () => {
  const { stream, blocks } = streamed();
  const seen = new Map();
  for (let i = 1; i <= TEXT.length; i++) {
    stream.update(TEXT.slice(0, i));
    [...blocks.children].slice(0, -2).forEach((element, at) => {
      const held = seen.get(at) ?? { element, markup: markup(element) };
      ok(held.element === element && held.markup === markup(element), `block ${at} after ${i}`);
      seen.set(at, held);
    });
  }
  ok(seen.size >= 5);
});

test("a selection in the block that grows stays", () => {
  const { stream, blocks } = streamed();
  stream.update("- one\n- tw");
  const marked = document.createRange();
  marked.selectNodeContents(blocks.querySelector("li p"));
  stream.update("- one\n- two\n- three");
  equal([marked.toString(), textOf(blocks)], ["one", "onetwothree"]);
});

test("a fence that is open shows as code", () => {
  const { stream, blocks } = streamed();
  stream.update("So:\n```py\nx = 1");
  equal(textOf(blocks.querySelector("pre")), "x = 1");
  ok(blocks.querySelector("pre .caret"));
});

test("another text takes the place of what was there", () => {
  const { stream, blocks } = streamed();
  stream.update(TEXT);
  stream.update("**Other**");
  equal(markup(blocks), '<p dir="auto"><strong>Other</strong></p>');
});

test("code without a fence, and raw text, stay as they are written", () => {
  const { stream, blocks } = streamed();
  const code = "import os\nx = 2 ** 3 ** 4\n# one";
  for (let i = 1; i <= code.length; i++) stream.update(code.slice(0, i));
  equal([blocks.textContent, blocks.children.length], [code, 1]);
  const raw = streamed(true);
  raw.stream.update(TEXT);
  equal([raw.blocks.textContent, raw.blocks.children.length], [TEXT, 1]);
});

test("of a very long text the rest is added as it is written", () => {
  const { stream } = streamed();
  const long = "a *b*\n\n".repeat(8000);
  stream.update(long);
  stream.update(`${long}**end`);
  ok(stream.element.textContent.endsWith("a *b*\n\n**end"));
  ok(stream.element.querySelectorAll("em").length > 5000);
});
