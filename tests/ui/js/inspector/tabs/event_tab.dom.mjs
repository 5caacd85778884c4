import { facts, section } from "../../../../../ui/session_view/js/inspector/facts.js";
import { drawEventTab } from "../../../../../ui/session_view/js/inspector/tabs/event_tab.js";
import { drawRecord } from "../../../../../ui/session_view/js/inspector/tabs/record_tab.js";
import { entry, event, startAt } from "../../log_entries.mjs";
import { lookAt } from "../../look.mjs";
import { all, equal, show, test, textOf } from "../../stage.mjs";

function factsIn(view) {
  return Object.fromEntries(all(view, "dl.facts dt").map((dt) => [textOf(dt), textOf(dt.nextElementSibling)]));
}

function call(more = {}) {
  return entry("model_finished", {
    agent: "A",
    call: 1,
    model: "m",
    usage: { input: 100, output: 20 },
    duration: 2,
    first_token: 0.5,
    ...more,
  });
}

test("facts without a value are left out", () => {
  const view = show(facts([["a", "1"], ["b", ""], false, ["c", undefined], ["d", "2", true]]), section("T", "x"));
  equal([factsIn(view), all(view, "dd.mono").length, textOf(view.querySelector(".part"))], [{ a: "1", d: "2" }, 1, "Tx"]);
});

test("without a selection the tab teaches how to select", () => {
  equal(textOf(show(drawEventTab(lookAt([])))).startsWith("Select an event."), true);
});

test("an event: its author, facts, thoughts, calls, answers and what it sets", () => {
  startAt();
  const parts = [
    { text: "hmm", thought: true },
    { text: "said in the list" },
    { function_call: { id: "1", name: "mix", args: { n: 1 } } },
    { function_response: { id: "2", name: "mix", response: { result: "green" } } },
  ];
  const one = event("A", null, { parts, branch: "P.A", delta: { draft: "x" }, escalate: true, stop_reason: "tool_use" });
  const view = show(drawEventTab(lookAt([one], { at: 1 })));
  equal(textOf(view.querySelector(".where")), "A, event 1 of 1");
  const { branch, actions, "stop reason": reason, seq } = factsIn(view);
  equal([branch, actions, reason, seq], ["P.A", "ends the loop (escalate)", "tool_use", "1"]);
  equal(all(view, ".part h3").map(textOf), ["Thought", "Calls mix", "mix answered", "Sets draft"]);
});

test("Markdown that an agent says is there whole, and raw where that is wanted", () => {
  const text = "# Tides\n\n" + "word ".repeat(400) + "[sea](https://sea.test/)";
  const said = (author, words, more) => {
    startAt();
    const look = lookAt([event(author, words)], { at: 1, ...more });
    return [show(drawEventTab(look)), look];
  };
  const [view, look] = said("A", text);
  equal([textOf(view.querySelector("[role=heading]")), view.querySelector(".part a").href], ["Tides", "https://sea.test/"]);
  all(view, ".text-switch").forEach((button) => button.click());
  equal(look.asked, [["toggle", "raw:1"], ["raw"]]);
  for (const more of [{ open: ["raw:1"] }, { raw: true }]) {
    equal(said("A", text, more)[0].querySelector(".value").textContent, text);
  }
  equal([said("A", "plain"), said("user", text)].map(([tab]) => all(tab, ".part").length), [0, 0]);
});

test("of a very long text a part is shown at first; a key that is set to the text says so", () => {
  const text = "**a** line\n\n".repeat(6000);
  const drawn = (open) => {
    startAt();
    return show(drawEventTab(lookAt([event("A", text, { delta: { draft: text, other: "x" } })], { at: 1, open })));
  };
  const view = drawn([]);
  equal(textOf(view.querySelector(".more")), "show all 72,000 characters");
  equal(all(view, ".part").slice(1).map(textOf), ["Sets draftThe text above.", "Sets otherx"]);
  const [closed, open] = [view, drawn(["text:1"])].map((tab) => tab.querySelector(".value").textContent.length);
  equal([closed < 26_000, open > closed + 20_000], [true, true]);
});

test("the model call that an event came from: tokens, cost, times; without a price there is a way to set one", () => {
  startAt();
  const entries = [entry("run_started"), call(), event("A", "x")];
  const priced = factsIn(show(drawEventTab(lookAt(entries, { at: 3, prices: [["m", 1, 2, null]] }))));
  equal([priced.model, priced.tokens, priced.cost, priced["first word"], priced.duration], [
    "m",
    "100 in, 20 out",
    "$0.000140",
    "after 500 ms",
    "2.0 s",
  ]);
  const view = show(drawEventTab(lookAt(entries, { at: 3 })));
  equal(factsIn(view).cost, "no price for m. Set one");
});

test("a call that searched with Google: how often, and a way to set the fee where it is unknown", () => {
  startAt();
  const entries = [entry("run_started"), call({ searches: 2 }), event("A", "x")];
  const facts = (...price) => factsIn(show(drawEventTab(lookAt(entries, { at: 3, prices: [["m", 1, 2, null, ...price]] }))));
  equal([facts(null, 14)["Google searches"], facts(null, 14).cost], ["2", "$0.0281"]);
  equal(facts().cost, "≥$0.000140. No price is known for Google searches of m. Set one");
});

test("tokens that only the event tells count; a call that was stopped says so", () => {
  startAt();
  const usage_metadata = { prompt_token_count: 7, candidates_token_count: 3 };
  const entries = [entry("run_started"), call({ usage: {}, error: "cancelled" }), event("A", "x", { usage_metadata })];
  const view = show(drawEventTab(lookAt(entries, { at: 3 })));
  equal([factsIn(view).tokens, factsIn(view).ended], ["7 in, 3 out", "stopped"]);
});

test("where an answer comes from: a simulation, a record, one that drifted; a fault is named", () => {
  startAt();
  const replay = { session: "s1", run: 2, position: 1, drifted: ["tools"] };
  const entries = [
    entry("run_started", { model: "replay/p/s1" }),
    event("A", "x", { custom_metadata: { simulated: true, replay, kept: 1, injected_fault: "refuse" } }),
  ];
  const view = show(drawEventTab(lookAt(entries, { at: 2 })));
  equal(all(view, "p.note").map(textOf), [
    "injected refuses to answer",
    "simulated The built-in simulation worked this out, no language model.",
    "replayed From the record of session s1, run 2, call 1 of this agent.",
    "drifted The request is not the one that was recorded. What changed: tools.",
  ]);
  equal(view.querySelector("a.to-playbook").getAttribute("href"), "/?pipeline=p&session=s1");
  const metadata = all(view, ".part").find((part) => textOf(part.querySelector("h3")) === "Custom metadata");
  equal(textOf(metadata.querySelector(".value")), '{ "kept": 1, "injected_fault": "refuse" }');
});

test("the commit of an event leads to its playbook", () => {
  startAt();
  const delta = { "app:playbook": { playbook: "ace", revision: 2, applied: [] } };
  const view = show(drawEventTab(lookAt([event("A", "x", { delta })], { at: 1 })));
  equal(all(view, ".part h3").map(textOf), ["Commits to the playbook"]);
});

test("a record: its fields as facts, times as times, lists as lists", () => {
  startAt();
  const one = entry("route_decided", {
    agent: "R",
    key: "a",
    failed: ["b", "c"],
    seconds: 1.5,
    detail: { x: 1 },
    nothing: null,
  });
  const look = lookAt([one, call()], { at: 1 });
  const view = show(drawEventTab(look));
  const { key, failed, seconds, detail, nothing } = factsIn(view);
  equal([textOf(view.querySelector(".where")), key, failed, seconds, detail, nothing], [
    "route decided, R",
    "a",
    "b, c",
    "1.5 s",
    '{ "x": 1 }',
    "none",
  ]);
  const model = show(drawRecord(look.log.entries[1], look));
  equal(all(model, ".part h3").map(textOf), ["Model call"]);
});
