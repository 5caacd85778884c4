import { drawCaseRun, drawCasesTried } from "../../../../ui/session_view/js/list/case_rows.js";
import { rowOf } from "../book.mjs";
import { entry, startAt } from "../log_entries.mjs";
import { all, equal, filled, test, textOf } from "../stage.mjs";

const look = (draw, type, kind, body) => {
  startAt();
  return filled(draw, rowOf(type, entry(kind, body)));
};

test("a case that this session ran: its name and what did not hold, as text", () => {
  const name = "<b>n</b>";
  const row = look(drawCaseRun, "case_run", "case_run", { case: name, outcome: "failed", what: "Expected: 1." });
  equal(textOf(row), `Ran the case ${name}: it failed. Expected: 1.`);
  equal(row.getAttribute("aria-label"), textOf(row));
  equal(all(row, "b").length, 0);
});

test("a very long name is cut", () => {
  const row = look(drawCaseRun, "case_run", "case_run", { case: "x".repeat(100_000), outcome: "held" });
  equal(textOf(row).length <= 501, true);
});

test("the cases that a delta was tried on", () => {
  const row = look(drawCasesTried, "cases_tried", "cases_tried", { tried: 2, broken: ["a"], problems: [] });
  equal(textOf(row), "The delta was tried on 2 cases: it breaks a, so it waits for approval");
});
