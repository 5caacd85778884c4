import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyPartials, placePiece, settle } from "../../../../../ui/session_view/js/log/folds/partials.js";

const piece = (offset, text, more = {}) => ({ id: "e", author: "A", branch: null, offset, text, thought: false, ...more });

test("pieces join; one that comes again, or with a gap, changes nothing", () => {
  const partials = emptyPartials();
  assert.equal(placePiece(partials, piece(0, "The ")), true);
  assert.equal(placePiece(partials, piece(4, "lamp")), true);
  assert.equal(placePiece(partials, piece(0, "The ")), false);
  assert.equal(placePiece(partials, piece(50, "lost")), false);
  assert.equal(partials.get("e").text, "The lamp");
  assert.equal(placePiece(partials, piece(0, "The lamp was")), true);
  assert.equal(partials.get("e").text, "The lamp was");
});

test("offsets count characters as Python does", () => {
  const partials = emptyPartials();
  placePiece(partials, piece(0, "🍌🍌"));
  assert.equal(placePiece(partials, piece(3, "after a gap")), false);
  placePiece(partials, piece(2, " two 🍌"));
  assert.equal(placePiece(partials, piece(8, "!")), true);
  assert.equal(partials.get("e").text, "🍌🍌 two 🍌!");
  placePiece(partials, piece(1, "x and more than before"));
  assert.equal(partials.get("e").text, "🍌x and more than before");
});

test("thoughts are counted apart from the text", () => {
  const partials = emptyPartials();
  placePiece(partials, piece(0, "hm", { thought: true }));
  placePiece(partials, piece(0, "Yes"));
  const { text, thought } = partials.get("e");
  assert.deepEqual([text, thought], ["Yes", "hm"]);
});

test("the stored event, its agent's end or the run's end make a partial go", () => {
  const fill = () => {
    const partials = emptyPartials();
    placePiece(partials, piece(0, "a"));
    placePiece(partials, piece(0, "b", { id: "f", author: "B", branch: "P.B" }));
    return partials;
  };
  const left = (kind, body) => {
    const partials = fill();
    settle(partials, [{ kind, body }]);
    return [...partials.keys()];
  };
  assert.deepEqual(left("event", { id: "e" }), ["f"]);
  assert.deepEqual(left("agent_finished", { agent: "B", branch: "P.B" }), ["e"]);
  assert.deepEqual(left("agent_finished", { agent: "B" }), ["e", "f"]);
  assert.deepEqual(left("run_finished", {}), []);
});
