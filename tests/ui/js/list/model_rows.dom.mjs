import { drawCut, drawDrift, drawLoading, drawProtocol, drawRetry } from "../../../../ui/session_view/js/list/model_rows.js";
import { rowOf } from "../book.mjs";
import { entry, startAt } from "../log_entries.mjs";
import { equal, filled, test, textOf } from "../stage.mjs";

const row = (draw, type, kind, body, drawing) => (startAt(), filled(draw, rowOf(type, entry(kind, body)), drawing));

test("a try that failed, with its error one click away", () => {
  const body = { agent: "A", model: "m", attempt: 1, delay: 2, code: "503", error: "Overloaded <now>" };
  const told = [];
  const closed = row(drawRetry, "retry", "model_retry", body, { onToggle: (key) => told.push(key) });
  equal(textOf(closed), "AThe model m failed (503). Try 2 in 2.0 sshow the error");
  closed.querySelector(".more").click();
  equal(told, [1]);
  const open = row(drawRetry, "retry", "model_retry", body, { open: true });
  equal([textOf(open.querySelector(".cause")), textOf(open.querySelector(".more"))], ["Overloaded <now>", "hide the error"]);
});

test("a call that was stopped, before or in its answer", () => {
  const body = { agent: "A", error: "cancelled", duration: 2 };
  equal(textOf(row(drawCut, "cut", "model_finished", body)), "Awas stopped before its first word, after 2.0 sstopped");
  equal(
    textOf(row(drawCut, "cut", "model_finished", { ...body, first_token: 1 })).endsWith(
      "What it had said so far is not kept.",
    ),
    true,
  );
});

test("a model that is loading is busy until it is loaded", () => {
  const element = row(drawLoading, "loading", "model_loading", { agent: "A", model: "local/m", progress: 0.4 });
  equal([textOf(element), element.classList.contains("busy")], ["Loading the model local/m (40 %) …", true]);
  const loaded = row(drawLoading, "loading", "model_loaded", { agent: "A", model: "local/m", seconds: 2 });
  equal([textOf(loaded), loaded.classList.contains("busy")], ["Loaded the model local/m in 2.0 s", false]);
});

test("a drift, with what changed one click away, as text or as JSON", () => {
  const body = { agent: "A", drifted: ["tools"], detail: { tools: ["x"] } };
  equal(
    textOf(row(drawDrift, "drift", "replay_drifted", body)),
    "AThe request is not the recorded one: tools changedshow what changed",
  );
  equal(
    textOf(row(drawDrift, "drift", "replay_drifted", body, { open: true }).querySelector(".cause")),
    '{ "tools": [ "x" ] }',
  );
  equal(textOf(row(drawDrift, "drift", "replay_drifted", { agent: "A" })), "AThe request is not the recorded one");
});

test("how tools are called, and why", () => {
  const body = { agent: "A", protocol: "json", reason: "It has no tool calls." };
  equal(
    textOf(row(drawProtocol, "protocol", "tool_protocol", body)),
    "ATools are called by JSON that the model writesIt has no tool calls.",
  );
});
