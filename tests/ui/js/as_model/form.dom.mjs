import { drawAsModel } from "../../../../ui/session_view/js/as_model/form.js";
import { append, emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { all, equal, ok, show, test, textOf, type } from "../stage.mjs";
import { call, form } from "../cards/desk.mjs";

const PAY = {
  name: "pay",
  description: "Pays.",
  parameters: { properties: { amount: { type: "integer" }, note: { type: "string" } }, required: ["amount"] },
};
const TRANSFER = { name: "transfer_to_agent", parameters: { properties: { agent_name: { enum: ["Ana", "Bo"] } } } };

/** The card's form, drawn again whenever it asks for it. */
function stage(args = {}, draft = {}) {
  const made = form({ draft });
  const asked = call({ asModel: true, tool: "playground_request_answer", args: { instruction: "Judge it.", ...args } });
  const note = made.show;
  const draw = () => show(drawAsModel(asked, made));
  /** @type {HTMLElement} */
  let view;
  made.show = (focus) => {
    note(focus);
    view = draw();
  };
  view = draw();
  return { ...made, view: () => view, press: (name) => view.querySelector(`[data-do="${name}"]`).click() };
}

test("what the user types is the answer", () => {
  const { view, press, given } = stage();
  type(view().querySelector("textarea"), "Too long.");
  press("answer");
  equal(given, [{ text: "Too long." }]);
});

test("nothing is no answer, and says so", () => {
  const { view, press, given } = stage();
  press("answer");
  equal(given, []);
  ok(textOf(view().querySelector("[role=alert]")).includes("pass, or refuse"));
});

test("a tool is a form made of its declaration, and goes along with a text", () => {
  const { view, press, given, shown } = stage({ tools: [PAY] });
  type(view().querySelector("textarea"), "I pay.");
  press("call-pay");
  equal(textOf(view().querySelector("legend")), "Call pay");
  equal(all(view(), ".tool-call label > span").map(textOf), ["amount (whole number)", "note (text, optional)"]);
  press("answer");
  equal([given, textOf(view().querySelector(".tool-call .problem")), shown.at(-1)], [
    [],
    "This is needed.",
    "[aria-invalid=true]",
  ]);
  type(view().querySelector(".tool-call input"), "5");
  press("answer");
  equal(given, [{ text: "I pay.", calls: [{ name: "pay", args: { amount: 5 } }] }]);
});

test("a call that was added can be taken away", () => {
  const { view, press } = stage({ tools: [PAY] });
  press("call-pay");
  press("remove-0");
  equal(all(view(), ".tool-call").length, 0);
});

test("agents that may take over are buttons", () => {
  const { view, press, given } = stage({ tools: [TRANSFER, PAY] });
  equal(all(view(), "[role=group][aria-label=Transfer] button").map(textOf), ["Transfer to Ana", "Transfer to Bo"]);
  equal(all(view(), "[role=group][aria-label=Tools] button").map(textOf), ["Call pay"]);
  press("to-Bo");
  equal(given, [{ calls: [{ name: "transfer_to_agent", args: { agent_name: "Bo" } }] }]);
});

test("an output schema is a form, and its values are JSON", () => {
  const schema = { properties: { score: { type: "number" }, ok: { type: "boolean" } }, required: ["score"] };
  const { view, press, given } = stage({ schema });
  press("answer");
  equal(textOf(view().querySelector(".problem")), "This is needed.");
  type(view().querySelector("input"), "0.5");
  const choice = view().querySelector("select");
  choice.value = "0";
  choice.dispatchEvent(new Event("change"));
  press("answer");
  equal(given, [{ text: '{"score":0.5,"ok":true}' }]);
});

test("pass and refuse need no text", () => {
  const { view, press, given } = stage();
  press("pass");
  press("reject");
  type(view().querySelector(".reason"), "too private");
  press("refuse");
  equal(given, [{ pass: true }, { refuse: "too private" }]);
});

test("the prompt is folded, and coloured by source when it is open", () => {
  const log = emptyLog();
  const message = { author: "user", invocation_id: "run", content: { role: "user", parts: [{ text: "<b>a story</b>" }] } };
  append(log, [{ seq: 1, kind: "event", body: { ...message, timestamp: 1, id: "e" } }]);
  const made = form();
  const args = { instruction: "Judge it.", select: "default", tools: [PAY], settings: { temperature: 0 } };
  const asked = call({ asModel: true, seq: 2, args });
  made.log = () => log;
  const fold = show(drawAsModel(asked, made)).querySelector("[data-fold=sent]");
  equal([fold.getAttribute("aria-expanded"), made.draft.asModel.open.size], ["false", 0]);
  fold.click();
  const view = show(drawAsModel(asked, made));
  equal(all(view, ".sent-part .source").map(textOf), ["Instruction", "History", "Tools"]);
  ok(textOf(view.querySelector(".source-history .sent-text")).includes("<b>a story</b>"));
});

test("a time limit says when the usual model answers", () => {
  ok(textOf(stage({ seconds: 60 }).view()).includes("the usual model answers."));
});
