import {
  citedIn,
  drawMissingKey,
  drawOtherResult,
  drawWhatIf,
  listenToWhatIf,
  offerWhatIf,
} from "../../../../ui/session_view/js/forks/what_if.js";
import { drawChip } from "../../../../ui/session_view/js/parts/chips.js";
import { entry, event, startAt } from "../log_entries.mjs";
import { all, equal, ok, root, show, test, textOf } from "../stage.mjs";

const answer = (output) => event("Generator", "1.5", { actions: { state_delta: { generator_output: output } } });
const key = (name, more = {}) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, ...more }));

/** A view that tells what it is asked. */
function stage(...children) {
  const view = show(...children);
  const asked = [];
  const letGo = listenToWhatIf(root(), (question) => asked.push(question));
  return { view, asked, letGo };
}

test("the buttons are there only where the page takes the question", () => {
  startAt();
  const view = show(drawWhatIf(event("Critic", "short")));
  const [button] = all(view, "button");
  equal([textOf(button), button.offsetParent === null], ["What if…", true]);
  offerWhatIf(root(), true);
  ok(button.offsetParent);
  offerWhatIf(root(), false);
  equal(button.offsetParent, null);
});

test("a click asks at the entry, a record's too", () => {
  startAt(6);
  const { view, asked, letGo } = stage(drawWhatIf(event("Critic", "short")), drawWhatIf(entry("loop_iteration", {})));
  for (const button of all(view, "button")) button.click();
  equal(asked, [{ event: 7, kind: "change", about: "" }, { event: 8, kind: "change", about: "" }]);
  letGo();
  all(view, "button")[0].click();
  equal(asked.length, 2);
});

test("a double click asks once", () => {
  const { view, asked, letGo } = stage(drawWhatIf(event("Critic", "short")));
  const [button] = all(view, "button");
  for (const detail of [1, 2, 3]) button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
  equal(asked.length, 1);
  letGo();
});

test("an answer with a playbook can be asked for without each bullet that it cites, and with the playbook off", () => {
  startAt(2);
  const { view, asked, letGo } = stage(drawWhatIf(answer({ final_answer: "1.5", bullet_ids: ["b-1", "<b>"] })));
  equal(all(view, "button").map(textOf), ["What if…", "Without b-1", "Without <b>", "Playbook off"]);
  for (const button of all(view, "button").slice(2)) button.click();
  equal(asked, [{ event: 3, kind: "bullet", about: "<b>" }, { event: 3, kind: "playbook", about: "" }]);
  letGo();
});

test("the answer of a model can be asked for on another model, by a click or by the key m, and kept as a case", () => {
  startAt(4);
  const { view, asked, letGo } = stage(drawWhatIf(event("Critic", "short", { stop_reason: "end_turn" })));
  offerWhatIf(root(), true);
  equal(all(view, "button").map(textOf), ["What if…", "Another model…", "Keep as a case…"]);
  all(view, "button")[1].click();
  key("m");
  equal(asked.splice(0), Array(2).fill({ event: 5, kind: "model", about: "" }));
  all(view, "button")[2].click();
  equal(asked, [{ event: 5, kind: "case", about: "" }]);
  letGo();
});

test("what is no answer of a model cannot be asked for on another one", () => {
  startAt(4);
  const { view, asked, letGo } = stage(
    drawWhatIf(event("user", "say", { stop_reason: "end_turn" })),
    drawWhatIf(event("Tool", "done")),
    drawWhatIf(entry("run_started", {})),
  );
  offerWhatIf(root(), true);
  key("m");
  equal([asked, all(view, "button").map(textOf)], [[], Array(3).fill("What if…")]);
  letGo();
});

test("the question is about the tool's result that was clicked last", () => {
  startAt(4);
  const chips = ["c-1", "c-2"].map((id) => drawChip({ function_response: { id, name: "weather", response: {} } }, {})[0]);
  const { view, asked, letGo } = stage(...chips, drawWhatIf(event("Guide", "", { stop_reason: "end_turn" })));
  const [whatIf, model] = all(view, "button");
  whatIf.click();
  chips[1].querySelector("b").click();
  whatIf.click();
  model.click();
  equal(asked.map(({ about }) => about), ["", "c-2", ""]);
  letGo();
});

test("each result of a tool can be another one", () => {
  startAt(4);
  const { view, asked, letGo } = stage(drawOtherResult(event("Guide", ""), "c-1"));
  all(view, "button")[0].click();
  equal(asked, [{ event: 5, kind: "change", about: "c-1" }]);
  letGo();
});

test("a missing state key can be set, whatever the log has there", () => {
  startAt(4);
  const error = (missing_state_key) => drawMissingKey(event("Writer", "", { custom_metadata: { missing_state_key } }));
  const { view, asked, letGo } = stage(error({ key: "<b>tone", agent: "Writer" }));
  const [button] = all(view, "button");
  equal(textOf(button), "Set <b>tone and retry…");
  button.click();
  equal(asked, [{ event: 5, kind: "state", about: "<b>tone" }]);
  equal([null, "tone", [], {}, { key: 1 }, { key: "" }, { key: "temp:x" }].map(error), Array(7).fill(null));
  equal(drawMissingKey(event("Writer", "")), null);
  letGo();
});

test("what an answer cites, whatever the log has there", () => {
  startAt();
  equal(
    [{ bullet_ids: ["a", 1, null] }, {}, { bullet_ids: "a" }, null, "text", []].map((output) =>
      citedIn(answer(output).body)
    ),
    [["a"], [], [], null, null, null],
  );
  equal(citedIn(event("A", "b").body), null);
});

test("of an answer that cites very many bullets, only some have a button", () => {
  startAt();
  const bullet_ids = Array.from({ length: 5000 }, (_, number) => `b-${number}`);
  equal(all(show(drawWhatIf(answer({ bullet_ids }))), "button").length, 8);
});

test("the key f opens the Event tab and asks at the selected entry, unless somebody types", () => {
  startAt(4);
  const tab = document.createElement("button");
  tab.id = "tab-event";
  const opened = [];
  tab.onclick = () => opened.push("event");
  const field = document.createElement("input");
  const { asked, letGo } = stage(tab, field, drawWhatIf(event("Critic", "short")));
  key("f");
  equal(asked, [], "the page does not take the question");
  offerWhatIf(root(), true);
  key("f", { ctrlKey: true });
  field.focus();
  key("f");
  field.blur();
  equal([asked, opened], [[], []]);
  key("f");
  equal([asked, opened], [[{ event: 5, kind: "change", about: "" }], ["event"]]);
  letGo();
  key("f");
  equal(asked.length, 1);
});
