import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { append, emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { modelCallOf } from "../../../../ui/session_view/js/log/model_call.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

test("the model call of an event, recorded before or right after it", () => {
  const log = emptyLog();
  append(log, [
    entry("run_started"),
    entry("model_finished", { agent: "A", call: 1, duration: 1 }),
    event("A", "one"),
    event("A", "two"),
    entry("model_finished", { agent: "A", call: 2, duration: 2 }),
    event("B", "none"),
  ]);
  assert.deepEqual([3, 4, 6].map((seq) => modelCallOf(log, log.entries[seq - 1])?.call), [1, 2, undefined]);
});
