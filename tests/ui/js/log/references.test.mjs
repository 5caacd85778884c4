import assert from "node:assert/strict";
import { test } from "node:test";
import { isReference } from "../../../../ui/session_view/js/log/references.js";

test("a value refers to a playbook if it names one and a revision of it", () => {
  assert.equal(isReference({ playbook: "ace", revision: 0, bullets: 2 }), true);
  assert.equal(isReference({ playbook: "ace", revision: 3, applied: [] }), true);
  for (const other of [null, "ace", 3, [], {}, { playbook: "ace" }, { revision: 1 }]) {
    assert.equal(isReference(other), false);
  }
  assert.equal(isReference({ playbook: "ace", revision: 1.5 }), false);
  assert.equal(isReference({ playbook: 1, revision: 1 }), false);
});
