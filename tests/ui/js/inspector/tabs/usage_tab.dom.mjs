import { drawUsageTab } from "../../../../../ui/session_view/js/inspector/tabs/usage_tab.js";
import { entry, startAt } from "../../log_entries.mjs";
import { lookAt } from "../../look.mjs";
import { all, equal, show, test, textOf } from "../../stage.mjs";

function call(agent, model, usage, more = {}) {
  return entry("model_finished", { agent, call: 1, model, usage, duration: 2, first_token: 0.5, ...more });
}

function runs(count = 1) {
  startAt();
  return Array.from({ length: count }, (_, i) => [
    entry("run_started", { invocation_id: `run${i}` }),
    call("A", "dear", { input: 1000, output: 100 }, { invocation_id: `run${i}` }),
    call("B", "unknown-model", { input: 10, output: 1 }, { invocation_id: `run${i}`, error: "x" }),
    entry("run_finished", { invocation_id: `run${i}`, status: "completed", duration: 5 }),
  ]).flat();
}

const PRICES = [["dear", 2, 10, null]];
const table = (view, title) => all(view, "table").find((each) => textOf(each.querySelector("h3")).startsWith(title));
const cells = (group) => all(group, "td").map(textOf);

test("all of the session, and what is not in the cost for want of a price", () => {
  const view = show(drawUsageTab(lookAt(runs(), { prices: PRICES })));
  const facts = Object.fromEntries(all(view, ".usage-total dt").map((dt) => [textOf(dt), textOf(dt.nextElementSibling)]));
  equal([facts.cost, facts["model calls"], facts["tokens in"], facts["tokens out"]], [
    "≥$0.0030",
    "2, 1 failed",
    "1,010",
    "101",
  ]);
  equal(textOf(view.querySelector(".missing")), "No price is known for unknown-model. Set one in Settings");
});

test("Google searches without a fee are missing in the cost", () => {
  startAt();
  const entries = [entry("run_started"), call("A", "dear", { input: 1000, output: 100 }, { searches: 3 })];
  const view = show(drawUsageTab(lookAt(entries, { prices: PRICES })));
  equal(textOf(view.querySelector(".missing")), "No price is known for Google searches of dear. Set one in Settings");
  equal(textOf(view.querySelector(".usage-total dd")), "≥$0.0030");
});

test("by agent, by model, by run: a name on a line, its numbers below", () => {
  const look = lookAt(runs(), { prices: PRICES });
  const view = show(drawUsageTab(look));
  const names = (title) => all(table(view, title), ".named").map(textOf);
  equal([names("By agent"), names("By model"), names("By run")], [["A", "B"], ["dear", "unknown-model"], ["Run 1"]]);
  equal(cells(all(table(view, "By model"), "tbody")[0]), ["1", "1,000", "100", "$0.0030", "500 ms", "2.0 s"]);
  equal(cells(table(view, "By run")).at(-1), "5.0 s", "from its start to its end");
  equal(textOf(all(table(view, "By agent"), "tbody")[1].querySelector(".trouble")), "1 failed");
  equal(table(view, "By model").querySelectorAll("td a").length, 1, "the way to a price");
  table(view, "By run").querySelector("button").click();
  equal(look.asked, [["select", 1]]);
});

test("the run of the selected entry is marked; of many runs the latest are shown first", () => {
  const view = show(drawUsageTab(lookAt(runs(25), { at: 99, prices: PRICES })));
  equal(all(view, "tbody.here .named").map(textOf), ["Run 25"]);
  equal(all(table(view, "By run"), ".named").map(textOf).slice(0, 2), ["Run 25", "Run 24"]);
  equal([all(table(view, "By run"), "tbody").length, textOf(view.querySelector(".more-runs"))], [20, "show all 25 runs"]);
  const open = show(drawUsageTab(lookAt(runs(25), { open: ["usage:runs"], prices: PRICES })));
  equal([all(table(open, "By run"), "tbody").length, textOf(open.querySelector(".more-runs"))], [25, "show fewer"]);
});

test("before the first call is over the tab teaches what calls cost", () => {
  const lesson = (...entries) => (startAt(), textOf(show(drawUsageTab(lookAt(entries))).querySelector(".lesson b")));
  equal(lesson(), "Nothing has run yet.");
  equal(lesson(entry("run_started")), "No model has been called yet.");
  equal(
    lesson(entry("run_started"), entry("model_started", { agent: "A", call: 1, model: "m" })),
    "The first call of a model is not over yet.",
  );
});

test("at the cursor it counts what was used by then, and no time of a run that went on", () => {
  const view = show(drawUsageTab(lookAt(runs(2), { at: runs(1).at(-2).seq, prices: PRICES })));
  equal(textOf(view.querySelector(".where b")).startsWith("Up to event "), true);
  equal(all(table(view, "By run"), ".named").map(textOf), ["Run 1"]);
});
