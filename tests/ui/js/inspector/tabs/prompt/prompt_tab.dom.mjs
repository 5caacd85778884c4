import { drawPromptTab } from "../../../../../../ui/session_view/js/inspector/tabs/prompt/prompt_tab.js";
import { entry, event, startAt } from "../../../log_entries.mjs";
import { lookAt } from "../../../look.mjs";
import { all, equal, ok, show, test, textOf } from "../../../stage.mjs";

const IDENTITY = 'You are an agent. Your internal name is "A".\n\n';
const TEXTS = {
  one: `${IDENTITY}Write about tea.`,
  two: `${IDENTITY}Write about <b>coffee</b>.`,
  d: JSON.stringify([{ function_declarations: [{ name: "mix", description: "Mixes." }] }]),
  s: '{"temperature":0.5}',
};

/** Two calls of an agent: the second one reads what another agent said. */
function talk() {
  startAt();
  const at = IDENTITY.length + 12;
  const call = (number, instruction, length, until, count) => ({
    agent: "A",
    call: number,
    model: "m",
    instruction,
    filled: [[at, at + length, "topic"]],
    contents: { select: "default", until, count },
    tools: ["mix"],
    declarations: "d",
    config: "s",
  });
  return [
    entry("run_started"),
    event("user", "go", { delta: { topic: "tea" } }), // 2
    entry("model_started", call(1, "one", 3, 2, 1)), // 3
    entry("model_finished", { agent: "A", call: 1, usage: { input: 40, cached: 8 } }),
    event("A", "Done.", { stop_reason: "end_turn" }), // 5
    event("B", "More.", { delta: { topic: "<b>coffee</b>" } }), // 6
    entry("model_started", call(2, "two", 13, 6, 3)), // 7
    entry("model_finished", { agent: "A", call: 2, error: "It is down.", error_code: "503" }), // 8
  ];
}

function stage({ at = 5, open = [], entries = talk(), windows = [], ...more } = {}) {
  const asked = [];
  const of = (
    names,
  ) => (asked.push(names), { found: new Map(Object.entries(TEXTS)), error: "", ready: true, ...more.texts });
  const look = lookAt(entries, { at, open, windows, texts: { of, retry: () => asked.push("retry") } });
  return { look, asked, view: show(drawPromptTab(look)) };
}

const parts = (view) =>
  all(view, ".sent-part").map((part) =>
    [".source", ".source-name", ".sent-text"].map((one) =>
      textOf(part.querySelector(one) ?? part.ownerDocument.createElement("i"))
    )
  );

test("what was sent, part by part, each with its source in words", () => {
  const { view } = stage();
  equal(parts(view).map(([source, name, text]) => [source, name, text.slice(0, 20)]), [
    ["Identity", "", "You are an agent. Yo"],
    ["Instruction", "", "Write about"],
    ["State", "topic", "tea"],
    ["Instruction", "", "."],
    ["History", "user", "go"],
    ["Tools", "mix", '{ "name": "mix", "de'],
  ]);
  equal(all(view, ".shares .source").map(textOf), ["Identity", "Instruction", "State", "History", "Tools"]);
  equal(textOf(view.querySelector(".where")), "Model call 1 of A, to m");
});

test("measured tokens are told apart from the estimate, and settings are there", () => {
  const { view } = stage();
  const facts = all(view, ".facts dd").map(textOf);
  equal(facts[0], "40 tokens, counted by the model, 8 cached");
  ok(facts[1].startsWith("about ") && facts[1].endsWith(", from the texts"));
  equal(facts[2], "temperature 0.5");
  ok(all(view, ".shares .quiet").every((share) => textOf(share).startsWith("≈ ")));
});

test("limits that were added to the schema of the answer are said", () => {
  const limited = (limits) => {
    const entries = talk();
    entries[3].body.limits = limits;
    return all(stage({ entries }).view, ".facts dd").map(textOf)[3];
  };
  equal(
    limited({ characters: 2000, items: 50 }),
    "texts ≤ 2,000 characters, lists ≤ 50 items; added for the server's grammar, which needs some",
  );
  equal(limited({ items: 50 }), "lists ≤ 50 items; added for the server's grammar, which needs some");
  for (const nothing of [undefined, null, {}, { characters: "<b>" }, 5]) equal(limited(nothing), undefined);
});

test("the bar of the context window is there where the window is known", () => {
  const { view } = stage({ windows: [["m", 1000]] });
  equal(textOf(all(view, ".note")[0]), "Context window: 40 of 1,000 tokens, 4 %");
  const [bar, shares] = [".context-window", ".shares"].map((one) => view.querySelector(one).getBoundingClientRect());
  ok(bar.top >= shares.bottom && bar.width > 0 && bar.height > 0, "it stands below the shares");
  equal(stage().view.querySelector(".share-bar.context-window"), null);
});

test("a part leads to where it comes from, and the answer to its event", () => {
  const { view, look } = stage();
  for (const button of all(view, ".source-line .plain, .note .plain")) button.click();
  view.querySelector(".where button").click();
  equal(look.asked, [["select", 2], ["select", 2], ["select", 5], ["select", 3]]);
  ok(textOf(view).includes("event 2, end_turn"));
});

test("text of models is text, and a failed call says why", () => {
  const { view } = stage({ at: 7 });
  equal([parts(view)[2][2], view.querySelectorAll("b").length > 0 && all(view, ".sent-text b").length], [
    "<b>coffee</b>",
    0,
  ]);
  ok(textOf(view.querySelector(".error")).includes("It is down."));
  equal(parts(view).filter(([source]) => source === "History").map(([, name]) => name), ["user", "A", "B"]);
});

test("it is compared with the call that is chosen: only what differs is shown", () => {
  const { view, look, asked } = stage({ at: 7, open: ["prompt:against:3"] });
  equal(parts(view).map(([source, name]) => `${source} ${name}`.trim()), ["State", "", "History A", "History B"]);
  equal(textOf(view.querySelector(".sent-part .more")), "Show 1 message that stayed");
  equal(asked, [["two", "s", "d", "one", "s", "d"]]);
  const select = view.querySelector("select");
  equal([select.value, all(select, "option").map(textOf)], ["3", ["nothing", "call 1, event 2, the one before"]]);
  select.value = "";
  select.onchange();
  equal(look.asked, [["toggle", "prompt:against:3"]]);
  const plain = stage({ at: 7 });
  const choice = plain.view.querySelector("select");
  choice.value = "3";
  choice.onchange();
  equal(plain.look.asked, [["toggle", "prompt:against:3"]]);
  equal(stage().view.querySelector("select"), null, "the first call has none before it");
});

test("texts that are on their way, or could not be read, are told; the latter can be tried again", () => {
  equal(textOf(stage({ texts: { ready: false } }).view.querySelector("[role=status]")), "Reading what was sent …");
  const { view, asked } = stage({ texts: { error: "The server does not answer." } });
  ok(textOf(view.querySelector("[role=alert]")).startsWith("The server does not answer."));
  view.querySelector("[role=alert] button").click();
  equal(asked.at(-1), "retry");
});

test("without a call the tab teaches, and leads to one", () => {
  const { view, look } = stage({ at: 2 });
  equal(textOf(view.querySelector(".lesson b")), "This event comes from no model call.");
  view.querySelector(".lesson button").click();
  equal(look.asked, [["select", 3]]);
  equal(textOf(stage({ at: null, entries: [] }).view.querySelector(".lesson b")), "No model has been called yet.");
});

test("an answer that became no event is in its record", () => {
  startAt();
  const entries = [
    entry("model_started", { agent: "Router", call: 1, model: "m", contents: { text: "c", count: 0 } }),
    entry("model_finished", { agent: "Router", call: 1, model: "m", answer: "a" }),
  ];
  const found = new Map([["c", "[]"], ["a", '{"content": {"role": "model", "parts": [{"text": "large"}]}}']]);
  const { view } = stage({ at: 2, entries, texts: { found } });
  equal(textOf(all(view, ".part").at(-1).querySelector(".value")), "large");
});

test("an older record, without texts of tools and with another count, says so", () => {
  startAt();
  const record = { agent: "A", call: 1, model: "m", contents: { select: "default", until: 0, count: 4 }, tools: ["mix"] };
  const { view } = stage({ at: 1, entries: [entry("model_started", record)] });
  equal(textOf(view.querySelector(".sent-part .share")), "not recorded");
  ok(textOf(view.querySelector(".warned")).startsWith("The history below may not be exact"));
  ok(textOf(view).includes("Nothing yet."));
});
