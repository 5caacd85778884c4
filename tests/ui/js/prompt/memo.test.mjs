import assert from "node:assert/strict";
import { test } from "node:test";
import { memo } from "../../../../ui/session_view/js/prompt/memo.js";

test("what is made from an object is made once, whatever it is; an equal object is another one", () => {
  let made = 0;
  const count = memo(({ n }) => (made += 1, n));
  const one = { n: 0 };
  assert.deepEqual([count(one), count(one), count({ n: 2 }), made], [0, 0, 2, 2]);
});
