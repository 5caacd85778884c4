import {
  drawBlock,
  drawEnd,
  drawIteration,
  drawLoopEnd,
  drawNote,
  drawRun,
} from "../../../../ui/session_view/js/list/boundary_rows.js";
import { coloured, drawMore, fill } from "../../../../ui/session_view/js/list/lines.js";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { bookOf, rowOf } from "../book.mjs";
import { entry, event, startAt } from "../log_entries.mjs";
import { all, equal, filled, ok, test, textOf } from "../stage.mjs";

test("a run: its number, models, badges and planned faults", () => {
  startAt();
  const started = entry("run_started", {
    model: "replay/p/s1",
    simulated: true,
    agent_models: { Critic: "simulated" },
    faults: ["Critic:refuse:2"],
    timestamp: 0,
  });
  const row = filled(drawRun, rowOf("run", started));
  equal(all(row, ".tag").map(textOf), ["replayed s1", "simulated", "injected"]);
  equal(all(row, ".planned").map(textOf), ["Critic asks simulated", "injectedCritic refuses to answer, call 2"]);
  ok(row.getAttribute("aria-label").startsWith("Run 1, replay/p/s1, Critic asks simulated, injected: Critic"));
});

test("a run whose agents all have other models does not show the simulation", () => {
  startAt();
  const started = entry("run_started", { model: "simulated", simulated: false, agent_models: { A: "llama/q" } });
  const row = filled(drawRun, rowOf("run", started));
  equal([all(row, ".tag").map(textOf), textOf(row).includes("simulated")], [[], false]);
  startAt();
  const mixed = entry("run_started", { model: "simulated", simulated: true, agent_models: { A: "llama/q" } });
  equal(all(filled(drawRun, rowOf("run", mixed)), ".tag").map(textOf), ["partly simulated"]);
});

test("a run of a team names the revision that ran, and the one that the team has now if it was changed since", () => {
  const row = (revision) => {
    startAt();
    const index = { nodes: new Map(), order: [], strangers: new Map(), leaves: 0, truthKey: null, revision };
    return filled(drawRun, rowOf("run", entry("run_started", { team_revision: 3 })), { index });
  };
  ok(textOf(row(3)).includes("Revision 3 of the team") && !textOf(row(3)).includes("now"));
  ok(row(5).getAttribute("aria-label").endsWith("Revision 3 of the team, which has revision 5 now"));
  ok(!textOf(row(null)).includes("now"));
});

test("an end: what it used, why it failed unless the row above said so, what to do after an interruption", () => {
  startAt();
  const end = (more) => filled(drawEnd, rowOf("end", entry("run_started"), entry("run_finished", more)));
  const plain = end({ status: "completed", calls: 2, tokens: { input: 5, output: 6 }, duration: 1.5 });
  equal([textOf(plain), plain.classList.contains("completed")], [
    "completed2 model calls · 11 tokens · 1.5 sNo agent gave a text.",
    true,
  ]);
  startAt();
  ok(textOf(end({ status: "failed", error_code: "X", error_message: "It broke." })).includes("XIt broke."));
  startAt();
  ok(textOf(end({ status: "interrupted" })).includes("The server went away during this run."));
  startAt();
  equal(textOf(end({ status: "failed", error_code: "INJECTED_FAULT" })).includes("injected"), true);
});

test("a pause says what waits, and how long it was once the run goes on", () => {
  startAt();
  const book = bookOf(entry("run_started"), entry("run_finished", { status: "paused", timestamp: 10 }));
  const row = book.rows.at(-1);
  equal(textOf(filled(drawEnd, row)), "run paused0 calls wait for an answer");
  row.live.waited = 65;
  ok(textOf(filled(drawEnd, row)).includes("went on after 1 min 05 s"));
});

test("a pass, and why a loop ended", () => {
  startAt();
  const entries = [
    entry("run_started"),
    entry("loop_iteration", { agent: "L", iteration: 2, max_iterations: 5 }),
    entry("loop_finished", { agent: "L", reason: "max_iterations", iterations: 2 }),
  ];
  equal(textOf(filled(drawIteration, rowOf("iteration", ...entries))), "iteration 2 of 5L");
  equal(textOf(filled(drawLoopEnd, rowOf("loop_end", ...entries))), "ended: the limit of 2 iterations was reachedL");
});

test("a record of a kind that is not known is told as it is", () => {
  startAt();
  equal(textOf(filled(drawNote, rowOf("note", entry("of_tomorrow", { agent: "A", n: 1 })))), "of tomorrowAn: 1");
  const said = { agent: "A", note: "compacted", text: "<b>short</b>" };
  const row = filled(drawNote, rowOf("note", entry("transcript_note", said)));
  equal(textOf(row), "The agent compacted the conversation: <b>short</b>");
  equal(row.getAttribute("aria-label"), textOf(row));
});

test("an agent at work as a tool: who, which call, what it does, and a button to fold it", () => {
  startAt();
  const row = rowOf(
    "block",
    entry("tool_started", { agent: "W", tool: "h", call_id: "1" }),
    event("user", "?", { branch: "h:1" }),
  );
  const folds = [];
  const element = filled(drawBlock, row, { onFold: (branch) => folds.push(branch) });
  const button = element.querySelector("button");
  equal([textOf(button), textOf(element.querySelector(".tally")), button.title], [
    "has a tool",
    "at work · 1 event",
    "Called by W",
  ]);
  button.click();
  equal([folds, button.getAttribute("aria-expanded")], [["h:1"], "true"]);
  row.live.open = false;
  row.live.failed = true;
  const folded = filled(drawBlock, row, { folded: () => true });
  equal([folded.className, textOf(folded.querySelector(".tally"))], ["row block folded", "failed · 1 event"]);
});

test("a line says itself to those who listen, an agent has its colour, more is told by the row's key", () => {
  const index = indexTree({ name: "A", type: "LlmAgent", kind: "LlmAgent", children: [] });
  equal([coloured(index, "A").className, coloured(index, "user").className], ["who c-0", "who c-user"]);
  const told = [];
  const more = drawMore({ key: 3 }, "show more", (key) => told.push(key));
  const element = document.createElement("div");
  fill(element, "spoken", more, null, false);
  more.click();
  equal([element.getAttribute("aria-label"), element.children.length, told], ["spoken", 1, [3]]);
});
