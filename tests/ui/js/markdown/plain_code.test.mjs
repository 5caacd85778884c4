import assert from "node:assert/strict";
import { test } from "node:test";

import { isPlainCode } from "../../../../ui/session_view/js/markdown/plain_code.js";

const CODE = [
  "def f(a):\n    # twice\n    return a ** 2 * b",
  "import os\n\n# one\nx = __name__\nprint(x)",
  "function f() {\n  return 1;\n}",
  "for x in xs:\n    total += x",
  '{"a": "**b**"}',
  '[\n  {"a": 1}\n]',
  "[1, 2]",
];
const TEXTS = [
  "",
  "A sentence.",
  "# A heading\n\nfor those who read:\nit goes on.",
  "[a](https://a.test) is a link",
  "[1] A source",
  "Use it so:\n\n```python\nx = 1\ny = 2\n```",
  "{name} is the name",
  "First;\nthen nothing\nfor long\nand longer",
];

for (const text of CODE) test(`code: ${text}`, () => assert.ok(isPlainCode(text)));
for (const text of TEXTS) test(`text: ${text}`, () => assert.ok(!isPlainCode(text)));
