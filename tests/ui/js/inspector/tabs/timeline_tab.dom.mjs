import { drawTimelineTab } from "../../../../../ui/session_view/js/inspector/tabs/timeline_tab.js";
import { entry, event, startAt } from "../../log_entries.mjs";
import { lookAt } from "../../look.mjs";
import { all, equal, show, test, textOf } from "../../stage.mjs";

function run(rest = () => []) {
  startAt();
  return [
    entry("run_started", { timestamp: 100 }),
    entry("agent_started", { agent: "A", timestamp: 100 }),
    entry("model_started", { agent: "A", call: 1, model: "m", turn: 1, timestamp: 101 }),
    entry("model_retry", { agent: "A", call: 1, model: "m", attempt: 1, delay: 1, code: "503", timestamp: 102 }),
    entry("model_finished", {
      agent: "A",
      call: 1,
      model: "m",
      usage: { input: 10, output: 5 },
      duration: 4,
      timestamp: 105,
      stop_reason: "tool_use",
    }),
    event("A", "x", { timestamp: 105 }),
    entry("tool_started", { agent: "A", tool: "mix", call_id: "c", timestamp: 106 }),
    entry("tool_finished", { agent: "A", tool: "mix", call_id: "c", error: "no", timestamp: 108 }),
    ...rest(),
  ];
}

const ended = () => [
  entry("agent_finished", { agent: "A", outcome: "ok", timestamp: 110 }),
  entry("run_finished", { status: "completed", duration: 10, timestamp: 110 }),
];

test("a run as a waterfall: agents, model calls, tools, each as long as it took", () => {
  const view = show(drawTimelineTab(lookAt(run(ended))));
  equal(textOf(view.querySelector(".where")), "Run 1 completed · 10.0 s · 1 model call · 15 tokens · no price");
  equal(all(view, ".spans .what").map(textOf), ["A", "model 1m", "toolmix"]);
  equal(all(view, ".spans .took").map(textOf), ["10.0 s", "4.0 s", "2.0 s"]);
  equal(all(view, ".bar").map(({ style }) => [style.left, style.width]), [
    ["0%", "100%"],
    ["10%", "40%"],
    ["60%", "20%"],
  ]);
  equal(all(view, ".axis span").map(textOf), ["0 ms", "5.0 s", "10.0 s"]);
});

test("a call says what it used, where it waited to try again, and what failed", () => {
  const view = show(drawTimelineTab(lookAt(run(ended))));
  const [, model, tool] = all(view, "button.span");
  equal(textOf(model.querySelector(".used")), "10 in, 5 out · no price · 1.3 tokens/s · tries: 2, after 503");
  equal([model.querySelector(".wait").style.left, model.querySelector(".wait").style.width], ["20%", "10%"]);
  equal([tool.classList.contains("failed"), tool.title], [true, "mix: 2.0 s, error"]);
});

test("what is under way is open; the selected event's span is marked, and a click leads to one", () => {
  const look = lookAt(run(), { at: 6 });
  const view = show(drawTimelineTab(look));
  equal(all(view, ".took").map(textOf), ["…", "4.0 s", "2.0 s"]);
  equal(all(view, ".span.holds .name").map(textOf), ["A"]);
  all(view, "button.span")[2].click();
  equal(look.asked, [["span", "mix"]]);
});

test("a pause takes no time, and says how long it was", () => {
  startAt();
  const entries = [
    entry("run_started", { timestamp: 100 }),
    entry("agent_started", { agent: "A", timestamp: 100 }),
    entry("agent_finished", { agent: "A", outcome: "paused", timestamp: 102 }),
    entry("run_finished", { status: "paused", timestamp: 102 }),
    entry("run_started", { resumed: true, timestamp: 162 }),
    entry("agent_started", { agent: "A", resumed: true, timestamp: 162 }),
    entry("agent_finished", { agent: "A", outcome: "ok", timestamp: 163 }),
  ];
  const view = show(drawTimelineTab(lookAt(entries)));
  equal([textOf(view.querySelector(".waited")), all(view, ".took").map(textOf)], [
    "Waited 1 min 00 s for an answer, after 2.0 s of work",
    ["3.0 s"],
  ]);
});

test("of very many spans those around the selected event are shown; without a run there is a lesson", () => {
  startAt();
  const tool = (_, i) => entry("tool_started", { agent: "A", tool: `t${i}`, call_id: String(i) });
  const entries = [entry("run_started"), ...Array.from({ length: 130 }, tool)];
  const view = show(drawTimelineTab(lookAt(entries)));
  equal([all(view, ".spans li").length, textOf(view.querySelector(".note"))], [120, "120 of 130 spans, around the end"]);
  equal(textOf(show(drawTimelineTab(lookAt([])))).startsWith("No run yet."), true);
});

test("spans after the cursor are marked as later, and the run is told up to it", () => {
  const view = show(drawTimelineTab(lookAt(run(ended), { at: 3 })));
  equal(all(view, ".span").map((span) => [textOf(span.querySelector(".name")), span.classList.contains("later")]), [
    ["A", false],
    ["m", false],
    ["mix", true],
  ]);
  equal(textOf(view.querySelector(".where")), "Run 1 up to the cursor · 0 model calls");
});
