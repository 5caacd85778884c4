import { parseJson } from "../../../../ui/browser/js/json.js";
import { drawOutput } from "../../../../ui/session_view/js/parts/output_view.js";
import { all, equal, show, test, textOf } from "../stage.mjs";

const PLACE = { playbook: "ace", revision: 3 };
const folds = (open = false) => ({ isOpen: () => open, toggle: () => {} });
const drawn = (name, value, { place = null, open = false } = {}) =>
  show(drawOutput(name, `v:${name}`, value, place, folds(open)));

test("an answer with what it cites, and its steps folded away", () => {
  const output = { reasoning: ["first", "then"], bullet_ids: ["a-1"], final_answer: "It is **42**." };
  const view = drawn("generator_output", output, { place: PLACE });
  equal([textOf(view), textOf(view.querySelector("strong"))], ["It is 42.citesa-1▸ reasoning", "42"]);
  equal(view.querySelector("a.bullet-id").getAttribute("href").includes("a-1"), true);
  equal(textOf(drawn("generator_output", output, { open: true }).querySelector(".reasoning")), "first then");
  equal(textOf(drawn("generator_output", { final_answer: 3 })), "3cites no bullet");
  const exact = parseJson('{"final_answer":{"account":1234567890123456789,"amount":5.0}}');
  equal(textOf(drawn("generator_output", exact)), '{"account":1234567890123456789,"amount":5.0}cites no bullet');
});

test("a reflection: error, cause, what is right, insight, tags", () => {
  const view = drawn("reflector_output", {
    error_identification: "Wrong sum.",
    root_cause_analysis: "Haste.",
    correct_approach: "",
    key_insight: "Add up.",
    bullet_tags: [{ id: "a-1", tag: "harmful" }, { id: "a-2", tag: "odd x.y" }, "no object"],
  });
  equal(all(view, "dt").map(textOf), ["Error", "Cause", "Insight"]);
  equal(all(view, ".line").map(textOf), ["▼ harmfula-1", "odd x.ya-2"]);
});

test("a curator's operations: what each does, to which bullet", () => {
  const operations = [
    { type: "ADD", section: "sums", content: "Add up <b>twice</b>", bullet_id: null },
    { type: "MERGE", bullet_ids: ["a-1", "a-2"], content: "One" },
    { type: "TAG", bullet_id: "a-3", tag: "helpful" },
    { type: "REMOVE", bullet_id: "a-4", reason: "wrong" },
    { type: { odd: 1 }, bullet_ids: 7 },
    "no object",
  ];
  const view = drawn("curator_output", { operations, reasoning: "why" });
  equal(textOf(view.querySelector(".line")), "5 operations");
  equal(all(view, "li").map(textOf), [
    "+addsumsAdd up <b>twice</b>",
    "~mergea-1a-2One",
    "▲tag helpfula-3",
    "−removea-4wrong",
    '·{"odd":1}',
  ]);
});

test("any other value is drawn as such", () => {
  const none = (name, value) => drawOutput(name, "k", value, null, folds());
  equal([
    none("draft", { final_answer: "x" }),
    none("generator_output", "x"),
    none("curator_output", {}),
    none("toString", {}),
  ], [
    null,
    null,
    null,
    null,
  ]);
});
