import assert from "node:assert/strict";
import { test } from "node:test";

import { readTable, tableAt } from "../../../../ui/session_view/js/markdown/tables.js";

test("a table needs a head and as many dashes", () => {
  const begins = (...lines) => tableAt(lines, 0);
  assert.deepEqual(begins("| a | b |", "|:--|--:|"), ["left", "right"]);
  assert.deepEqual(begins("a | b", "- | -"), [null, null]);
  assert.equal(begins("a | b"), null);
  assert.equal(begins("a b", "---"), null);
  assert.equal(begins("a | b", "a | b"), null);
  assert.equal(begins("|".repeat(60), "|-".repeat(59) + "|"), null);
});

test("its rows go on as long as there are bars", () => {
  const lines = ["a|b", "-|-", "1|2", "|3|", "end"];
  assert.deepEqual(readTable(lines, 0, [null, null]), {
    block: { type: "table", align: [null, null], head: ["a", "b"], rows: [["1", "2"], ["3"]] },
    next: 4,
  });
});
