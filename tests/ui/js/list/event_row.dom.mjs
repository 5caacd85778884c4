import { drawHead } from "../../../../ui/session_view/js/list/event_head.js";
import { drawEvent } from "../../../../ui/session_view/js/list/event_row.js";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { CALLS_LIMIT } from "../../../../ui/session_view/js/log/failures.js";
import { bookOf, rowOf } from "../book.mjs";
import { entry, event, startAt } from "../log_entries.mjs";
import { all, equal, filled, ok, test, textOf } from "../stage.mjs";

const drawn = (author, text, more = {}, drawing = {}) => {
  startAt();
  return filled(drawEvent, rowOf("event", event(author, text, more)), drawing);
};

test("an event: who, what, its number; HTML in it stays text", () => {
  const row = drawn("A", "<img src=x onerror=alert(1)> a_b");
  equal([textOf(row.querySelector(".name")), textOf(row.querySelector(".text")), textOf(row.querySelector(".number"))], [
    "A",
    "<img src=x onerror=alert(1)> a_b",
    "1",
  ]);
  equal(all(row, ".text *").length, 0);
  ok(row.getAttribute("aria-label").startsWith("Event 1, A. <img"));
});

test("an answer is Markdown, also where it is cut, or as written where that is wanted; a user's message is as written", () => {
  const text = `**bold** [a](https://a.test/)\n\n\`\`\`\n${"code\n".repeat(30)}`;
  const row = drawn("A", text);
  equal([textOf(row.querySelector("strong")), textOf(row.querySelector(".link")), all(row, "a").length], ["bold", "a", 0]);
  ok(row.querySelector("pre").textContent.endsWith("code"));
  ok(drawn("A", text, {}, { open: true }).querySelector("pre").textContent.endsWith("code\n"));
  equal(all(drawn("A", text, {}, { raw: true }), ".text *").length, 0);
  equal(drawn("user", "**bold**").querySelector(".text").textContent, "**bold**");
});

test("a person's message, a setting and a request to an agent look apart", () => {
  const look = (row) => row.className.replace("row event c-", "");
  equal(look(drawn("user", "hi")), "user from-user");
  const setting = drawn("user", null, { content: undefined, delta: { planning: true } });
  equal([look(setting), textOf(setting.querySelector(".settings"))], ["user setting", "planning: on"]);
  const request = drawn("user", "?", { branch: "helper:1a" });
  equal([textOf(request.querySelector(".name")), request.classList.contains("request")], ["Request to helper", true]);
});

test("a message has its right answer below it, of a pipeline that takes one; HTML in it stays text", () => {
  const pupil = { name: "root", type: "SequentialAgent", children: [{ name: "A", type: "Own", truth_key: "expected" }] };
  const index = indexTree(pupil), delta = { expected: "<b>12.50</b>" };
  const row = drawn("user", "How much?", { delta }, { index });
  equal(textOf(row.querySelector(".truth")), "Right answer: <b>12.50</b>");
  ok(row.getAttribute("aria-label").endsWith("How much?. right answer: <b>12.50</b>"));
  const none = [["A", "How much?", delta, index], ["user", "How?", { expected: null }, index], [
    "user",
    "How?",
    delta,
    indexTree(null),
  ]];
  for (const [author, text, delta, index] of none) {
    equal(drawn(author, text, { delta }, { index }).querySelector(".truth"), null);
  }
  ok(
    textOf(drawn("user", "?", { delta: { expected: "x".repeat(9000) } }, { index }).querySelector(".truth")).endsWith("x…"),
  );
});

test("thoughts are folded to a line, and shown in full when the row is open", () => {
  const parts = [{ text: "First this.\nThen that.", thought: true }, { text: "Red." }];
  const told = [];
  const closed = drawn("A", null, { parts }, { onToggle: (key) => told.push(key) });
  equal(textOf(closed.querySelector(".gist")), "First this. Then that.");
  closed.querySelector(".thought").click();
  equal(told, [1]);
  const open = drawn("A", null, { parts }, { open: true });
  equal([open.querySelector(".gist"), open.querySelector(".thought .text").textContent], [null, "First this.\nThen that."]);
});

test("a long text is cut at its lines or its length, and can be shown in full", () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n");
  const cut = drawn("A", lines);
  equal(cut.querySelector(".text").textContent.split("\n").length, 12);
  equal(textOf(cut.querySelector(".more")), `show all ${lines.length} characters`);
  const open = drawn("A", lines, {}, { open: true });
  equal([open.querySelector(".text").textContent.length, textOf(open.querySelector(".more"))], [lines.length, "show less"]);
  ok(drawn("A", "word ".repeat(400)).querySelector(".text").textContent.length < 920);
  equal(drawn("A", "short", {}, { open: true }).querySelector(".more"), null);
});

test("calls are what a model ACTs; chips of files, bullets and commits stand beside them", () => {
  const call = { function_call: { id: "1", name: "mix", args: {} } };
  const acts = drawn("A", null, { parts: [call], stop_reason: "tool_use" });
  equal([textOf(acts.querySelector(".acts .step")), textOf(acts.querySelector(".head .step"))], [
    "tools",
    "model call · asks for tools",
  ]);
  const commit = { playbook: "ace", revision: 2, applied: [] };
  const more = drawn("A", "x", {
    delta: { "app:playbook": commit },
    actions: { state_delta: { "app:playbook": commit }, artifact_delta: { "a.txt": 1 } },
  });
  equal(all(more, ".chip b").map(textOf), ["a.txt", "playbook r2"]);
});

test("of an answer that is an object its text is shown, and the bullets that it cites", () => {
  const output = { final_answer: "1.50", reasoning: "Added up.", bullet_ids: ["s-1"] };
  const row = drawn("Generator", JSON.stringify(output), { delta: { generator_output: output } });
  equal([textOf(row.querySelector(".text")), textOf(row.querySelector(".gist")), all(row, ".chip.cites").map(textOf)], [
    "1.50",
    "Added up.",
    ["s-1"],
  ]);
});

test("an error is told; the limit of model calls is a plain end", () => {
  equal(textOf(drawn("A", null, { error_code: "X", error_message: "No." }).querySelector(".error")), "XNo.");
  const limit = drawn("A", null, { error_code: CALLS_LIMIT });
  equal([limit.querySelector(".error"), textOf(limit.querySelector(".plain-end"))], [
    null,
    "It was stopped at the limit of model calls.",
  ]);
});

test("an event with nothing to show says what it did", () => {
  const said = (more) => textOf(drawn("A", null, more).querySelector(".quiet"));
  equal([said({ delta: { a: 1, b: 2 } }), said({ escalate: true }), said({ parts: [{ odd: 1 }] }), said({})], [
    "set a, b",
    "asked the loop to end",
    "sent something that is not shown here",
    "said nothing",
  ]);
});

test("the head: step, branch, badges, signals, cuts, and how much state it changes", () => {
  startAt();
  const actions = { escalate: true, transfer_to_agent: "B", state_delta: { a: 1 } };
  const body = {
    branch: "P.Lane",
    actions,
    interrupted: true,
    stop_reason: "max_tokens",
    custom_metadata: { injected_fault: "refuse" },
  };
  const [row] = bookOf(event("A", "x", body)).rows;
  const head = drawHead(row, { index: indexTree(null) });
  equal(all(head, ".tag, .delta").map(textOf), [
    "Lane",
    "injected",
    "ends the loop",
    "hands over to B",
    "cut short",
    "cut at the token limit",
    "sets a",
  ]);
  startAt();
  const [blocked] = bookOf(event("A", "x", { stop_reason: "safety" })).rows;
  equal(all(drawHead(blocked, { index: indexTree(null) }), ".tag").map(textOf), ["blocked"]);
});

test("the steps of an agent's turn are numbered; a simulated answer is marked among others", () => {
  startAt();
  const parts = [{ function_response: { id: "1", name: "t", response: {} } }];
  const simulated = { custom_metadata: { simulated: true } };
  const { rows } = bookOf(
    entry("run_started", { model: "gemini-2.5-flash", simulated: true }),
    entry("model_started", { agent: "A", call: 1, turn: 2 }),
    event("A", "x", { stop_reason: "end_turn", ...simulated }),
    event("A", null, { parts }),
  );
  const events = rows.filter(({ type }) => type === "event").map((row) => drawHead(row, { index: indexTree(null) }));
  equal(events.map((head) => textOf(head.querySelector(".step"))), ["model call 2 · complete", "tool results"]);
  ok(events[0].querySelector(".step").title.startsWith("THINK 2 (end_turn): "));
  equal(textOf(events[0].querySelector(".tag.simulated")), "simulated");
});

test("an exception's traceback stands below its error, folded; that of a tool below its answer", () => {
  const found = { type: "KeyError", frames: [{ file: "a.py", line: 2, function: "pay", own: true }] };
  const failed = drawn("A", null, { error_code: "KeyError", error_message: "No.", custom_metadata: { traceback: found } });
  equal([failed.querySelector(".error + .traceback").open, textOf(failed.querySelector("summary"))], [
    false,
    "Traceback: KeyError in pay, a.py line 2",
  ]);
  const answer = { function_response: { id: "1", name: "pay", response: { error: "No." } } };
  const tool = drawn("A", null, { parts: [answer], custom_metadata: { tracebacks: { 1: found } } });
  equal(all(tool, ".traceback").length, 1);
});
