import {
  drawFault,
  drawGiven,
  drawRecorded,
  drawRoute,
  drawTransfer,
} from "../../../../ui/session_view/js/list/decision_rows.js";
import { rowOf } from "../book.mjs";
import { entry, startAt } from "../log_entries.mjs";
import { all, equal, filled, ok, test, textOf } from "../stage.mjs";

const row = (draw, type, kind, body) => (startAt(), filled(draw, rowOf(type, entry(kind, body))));

test("a route: what was chosen of what, what failed before, and why", () => {
  const body = { agent: "R", router: "Router", key: "b", candidates: ["a", "b", "c"], failed: ["a"], reason: "short" };
  const element = row(drawRoute, "route", "route_decided", body);
  equal(all(element, ".candidate").map((each) => [textOf(each), each.title]), [
    ["a", "failed before"],
    ["b", "chosen"],
    ["c", "not chosen"],
  ]);
  equal(textOf(element.querySelector(".rule")), "Router chose b:shortafter a failed");
  equal(element.getAttribute("aria-label"), "Router chose b. short. after a failed");
});

test("a route that chose none, for an error that was asked for", () => {
  const element = row(drawRoute, "route", "route_decided", { agent: "R", error: "InjectedFaultError: asked", key: null });
  equal([element.classList.contains("none"), textOf(element.querySelector(".cause"))], [
    true,
    "injectedInjectedFaultError: asked",
  ]);
});

test("a handover, a fault, and what a generator was given", () => {
  equal(textOf(row(drawTransfer, "transfer", "transfer", { agent: "A", to: "B" })), "A handed over to B");
  const fault = { agent: "A", target: "*", fault: "delay", seconds: 3, model: "m", call: 2, replayed: true };
  equal(
    textOf(row(drawFault, "fault", "fault_injected", fault)),
    "injectedA is slow to begin: 3.0 sA · m · model call 2replayed",
  );
  const given = { agent: "Init", playbook: "ace", revision: 3, bullets: 4, bullet_ids: [] };
  ok(textOf(row(drawGiven, "given", "playbook_given", given)).includes("given 4 bullets of ace, revision 3"));
});

test("a tool of a fork that was not called", () => {
  const element = row(drawRecorded, "recorded", "tool_recorded", { agent: "A", tool: "<b>send</b>", call_id: "c" });
  equal(textOf(element), "A<b>send</b> was not called: the result is the origin's");
  equal(element.getAttribute("aria-label"), "A: <b>send</b> was not called: the result is the origin's");
});
