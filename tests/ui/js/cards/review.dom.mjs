import { drawReview } from "../../../../ui/session_view/js/cards/review.js";
import { drawReviewed, reviewTitle } from "../../../../ui/session_view/js/cards/reviewed.js";
import { all, equal, show, test, textOf, type, until } from "../stage.mjs";
import { answered, call, form } from "./desk.mjs";

const ARGS = {
  playbook: "ace",
  reasoning: "Two lessons.",
  operations: [
    { type: "ADD", bullet_id: "s-7", section: "S", content: "New.", reason: "It helped." },
    { type: "UPDATE", bullet_id: "s-1", content: "Better." },
    { type: "REMOVE", bullet_id: "s-2" },
  ],
  rejected: [{ operation: { type: "TAG", bullet_id: "s-9", tag: "helpful" }, reason: "no such bullet" }],
};
const REVIEW = call({ tool: "review_delta", args: ARGS });
const rows = (view) => all(view, ".operation");
const choose = (row, value) => all(row, "input[type=radio]")[value ? 0 : 1].click();

test("a guarded playbook says which cases the operations would break, as text", () => {
  const broken = [{ name: "<b>n</b>", why: "Expected: 1." }, null, ...Array(8).fill({ name: "m" })];
  const held = call({ tool: "review_delta", args: { ...ARGS, broken, untried: "" } });
  const words = all(show(drawReview(held, form())), ".held-back").map(textOf);
  equal(words.length, 9);
  equal([words[0].trim(), words[8].trim()], ["This breaks the case <b>n</b>. Expected: 1.", "… and 1 more case."]);
  const untried = call({ tool: "review_delta", args: { ...ARGS, broken: "no list", untried: "No folder." } });
  equal(all(show(drawReview(untried, form())), ".held-back").map(textOf).length, 1);
  equal(all(show(drawReview(REVIEW, form())), ".held-back").length, 0);
});

test("a row for each operation: what it would do, the text to edit, and the bullet as it is now", async () => {
  const view = show(drawReview(REVIEW, form()));
  equal(rows(view).map((row) => textOf(row.querySelector(".line"))), [
    "+adds-7Sapprovereject",
    "~changes-1approvereject",
    "−removes-2approvereject",
  ]);
  equal(rows(view).map((row) => row.querySelector("textarea")?.value ?? null), ["New.", "Better.", null]);
  await until(() => all(view, ".present").every((slot) => textOf(slot) !== "…"));
  equal(all(view, ".present").map(textOf), ["Text of s-1.", "Text of s-2."]);
  equal(textOf(view.querySelector(".refused")), "1 more was refused before it came to youtag helpful s-9no such bullet");
});

test("decisions are counted, and handed in with edits and reasons", () => {
  const made = form();
  const view = show(drawReview(REVIEW, made));
  const [add, update, remove] = rows(view);
  type(add.querySelector("textarea"), "Newer.");
  choose(update, false);
  type(update.querySelector(".reason"), "no");
  equal([textOf(view.querySelector("[role=status]")), update.className, update.querySelector("textarea").readOnly], [
    "2 approved, 1 rejected",
    "operation off",
    true,
  ]);
  equal([update.querySelector(".reason").hidden, remove.querySelector(".reason").hidden], [false, true]);
  view.querySelector("[data-do=hand-in]").click();
  equal(made.given, [{
    decisions: [
      { verdict: "approve", operation: { ...ARGS.operations[0], content: "Newer." } },
      { verdict: "reject", reason: "no" },
      { verdict: "approve" },
    ],
  }]);
  view.querySelector("[data-do=reject-all]").click();
  equal(made.given[1].decisions.map(({ verdict }) => verdict), ["reject", "reject", "reject"]);
});

test("a text that says nothing is marked, and nothing is handed in", () => {
  const made = form();
  const view = show(drawReview(REVIEW, made));
  type(view.querySelector("textarea"), " ");
  view.querySelector("[data-do=hand-in]").click();
  equal([made.given, made.shown], [[], ["[aria-invalid=true]"]]);
  const again = show(drawReview(REVIEW, made));
  equal([textOf(again.querySelector(".problem")), again.querySelector("textarea").getAttribute("aria-invalid")], [
    "A bullet must say something. To leave it out, reject it.",
    "true",
  ]);
});

test("what was decided: approved, edited, rejected with a reason", () => {
  const decisions = [
    { verdict: "approve", operation: { content: "Newer." } },
    { verdict: "reject", reason: "no" },
    { verdict: "approve" },
  ];
  const view = show(drawReviewed(answered({ decisions }, { tool: "review_delta", args: ARGS }), () => {}));
  equal(all(view, ".decision-word").map(textOf), ["approved, edited", "rejected", "approved"]);
  equal([textOf(view.querySelector("ins")), textOf(view.querySelector("q")), rows(view)[1].className], [
    "Newer.",
    "no",
    "operation off",
  ]);
  equal(all(show(drawReviewed(call({ state: "over", args: ARGS }), () => {})), ".decision-word").length, 0);
});

test("the title says how many changes, and whether they were reviewed", () => {
  const title = (state) => Object.values(reviewTitle(call({ state, args: ARGS }))).join("");
  equal([title("waiting"), title("answered"), title("over")], [
    "Review 3 changes of ace",
    "Reviewed 3 changes of ace",
    "Not reviewed: 3 changes of ace",
  ]);
});
