import { createRowView, guessHeight } from "../../../../ui/session_view/js/list/row_view.js";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { bookOf } from "../book.mjs";
import { entry, event, startAt } from "../log_entries.mjs";
import { all, equal, ok, show, test, textOf } from "../stage.mjs";

const DRAWING = {
  open: false,
  index: indexTree(null),
  place: { pipeline: "p", session: "s" },
  onToggle: () => {},
  folded: () => false,
  onFold: () => {},
  onResize: () => {},
};
const say = (words) => (element) => element.append(words);
const draw = createRowView({ card: say("card"), thumbs: say("thumbs") });

test("every kind of row is drawn, with its key, and as a row of one cell", () => {
  startAt();
  const ask = { function_call: { id: "c", name: "pay", args: {} } };
  const { rows } = bookOf(
    entry("run_started"),
    event("user", "hi"),
    entry("loop_iteration", { agent: "L", iteration: 1 }),
    entry("route_decided", { agent: "R", key: "a" }),
    entry("transfer", { agent: "A", to: "B" }),
    entry("fault_injected", { agent: "A", fault: "delay" }),
    entry("playbook_given", { agent: "I", playbook: "p", revision: 1, bullets: 0, bullet_ids: [] }),
    entry("model_retry", { agent: "A", call: 1, model: "m", attempt: 1, delay: 0, code: "503" }),
    entry("model_finished", { agent: "A", call: 1, error: "cancelled" }),
    entry("model_loading", { agent: "A", model: "m" }),
    entry("replay_drifted", { agent: "A" }),
    entry("tool_protocol", { agent: "A", protocol: "json" }),
    entry("tool_recorded", { agent: "A", tool: "send", call_id: "c1" }),
    entry("forked", { origin: "s1", what: "state draft" }),
    entry("case_run", { case: "n", outcome: "held" }),
    entry("cases_tried", { tried: 1, broken: [] }),
    entry("of_tomorrow", { agent: "A" }),
    event("user", "?", { branch: "h:1" }),
    event("G", "{}", { delta: { generator_output: { final_answer: "1" } } }),
    entry("loop_finished", { agent: "L", reason: "ended", iterations: 1 }),
    event("A", null, { parts: [ask], long_running_tool_ids: ["c"] }),
    entry("run_finished", { status: "paused" }),
  );
  const partial = { key: "p:1", type: "partial", branch: "", scopes: [], partial: { author: "A", text: "x", thought: "" } };
  const elements = [...rows, partial].map((row) => draw(row, DRAWING));
  show(elements);
  equal(new Set(elements.map((element) => element.classList[1])).size, 23);
  ok(elements.every((element) => element.role === "row" && all(element, ":scope > [role=gridcell]").length === 1));
  equal(elements.map((element) => element.dataset.key), [...rows, partial].map(({ key }) => String(key)));
  ok(elements.every((element) => textOf(element)));
  ok([...rows, partial].every((row) => guessHeight(row) >= 30));
});

test("the rail shows what is open around a row, and whether it stands inside", () => {
  startAt();
  const { rows } = bookOf(
    entry("loop_iteration", { agent: "L", iteration: 1 }),
    entry("agent_started", { agent: "A", branch: "P.A" }),
    entry("agent_started", { agent: "B", branch: "P.B" }),
    event("A", "x", { branch: "P.A" }),
  );
  const rail = draw(rows.at(-1), DRAWING).querySelector(".rail");
  equal(all(rail, ".line").map((line) => line.className), [
    "line loop in c-flow",
    "line lane in c-0",
    "line lane out c-1",
  ]);
});

test("of very many open branches the rail shows the outer and the inner ones", () => {
  startAt();
  const begun = Array.from({ length: 40 }, (_, n) => entry("agent_started", { agent: `A${n}`, branch: `P.A${n}` }));
  const { rows } = bookOf(...begun, event("A0", "x", { branch: "P.A0" }));
  equal(all(draw(rows.at(-1), DRAWING), ".rail .line").length, 16);
});

test("a height is guessed by what is in a row", () => {
  startAt();
  const guess = (...given) => guessHeight(bookOf(event("A", ...given)).rows[0]);
  const picture = { inline_data: { mime_type: "image/png", data: "AAAA" } };
  ok(guess("x".repeat(800)) > guess("x"));
  ok(guess(null, { parts: [picture] }) > guess(null, { parts: [{ function_call: { id: "1", name: "t" } }] }));
  ok(guess("x", { actions: { artifact_delta: { a: 1 } } }) > guess("x"));
});
