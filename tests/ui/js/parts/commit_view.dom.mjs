import { drawCommit, drawCommitChip, drawPlaybookValue } from "../../../../ui/session_view/js/parts/commit_view.js";
import { all, equal, show, test, textOf } from "../stage.mjs";

const FOLDS = { isOpen: () => false, toggle: () => {} };
const commit = (applied, more = {}) => ({ playbook: "ace", revision: 4, by: "curator", applied, ...more });

test("the chip of a commit says what it did", () => {
  const chip = drawCommitChip(commit([{ type: "ADD", bullet_id: "a-1", content: "x" }]));
  equal([textOf(chip), chip.title], ["playbook r4+1 −0 ~0", "Playbook ace, revision 4, by curator: 1 bullet added"]);
});

test("changes one by one: added, changed, removed, merged", () => {
  const view = show(drawCommit(
    "k",
    commit([
      { type: "ADD", bullet_id: "a-1", section: "S", content: "new" },
      { type: "UPDATE", bullet_id: "a-2", before: "old", content: "better" },
      { type: "REMOVE", bullet_id: "a-3", bullet: { content: "gone" } },
      { type: "MERGE", bullet_id: "a-4", bullet_ids: ["a-5", "a-6"], content: "both", reason: "alike" },
      { type: "CITE" },
    ]),
    FOLDS,
  ));
  equal(all(view, ".change").map((change) => textOf(change.querySelector(".line"))), [
    "addeda-1S",
    "changeda-2",
    "removeda-3",
    "merged from 2 bulletsa-4",
  ]);
  equal(all(view, "ins").map(textOf), ["new", "better"]);
  equal(all(view, "del").map(textOf), ["old", "gone"]);
  equal(all(view, ".change.removed a").map(({ href }) => new URL(href).searchParams.get("revision")), ["3"], "where it was");
});

test("what was rejected says why; a commit without changes says so", () => {
  const rejected = [{ operation: { type: "REMOVE", bullet_id: "a-9" }, reason: "no such bullet" }];
  equal(textOf(show(drawCommit("k", commit([], { rejected }), FOLDS))), "✕rejected: removea-9no such bullet");
  equal(textOf(show(drawCommit("k", commit([]), FOLDS))), "Nothing changed.");
  equal(textOf(show(drawCommit("k", commit([{ type: "CITE" }]), FOLDS))).startsWith("One more query"), true);
});

test("in state a playbook is a link to it, with what the commit did if it is one", () => {
  const plain = show(drawPlaybookValue("k", { playbook: "ace", revision: 4, bullets: 2 }, FOLDS));
  equal([textOf(plain), plain.querySelector("a").getAttribute("href")], [
    "Playbook ace, revision 4, 2 bullets",
    "/playbook?playbook=ace&revision=4",
  ]);
  const held = show(drawPlaybookValue("k", commit([{ type: "ADD", bullet_id: "a", content: "new" }]), FOLDS));
  equal(all(held, ".change").length, 1);
});
