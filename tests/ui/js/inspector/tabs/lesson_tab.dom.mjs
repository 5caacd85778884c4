import { drawLessonTab } from "../../../../../ui/session_view/js/inspector/tabs/lesson_tab.js";
import { emptySightings, foldSightings } from "../../../../../ui/session_view/js/log/folds/observations.js";
import { entry, event, startAt } from "../../log_entries.mjs";
import { lookAt } from "../../look.mjs";
import { all, equal, ok, show, test, textOf } from "../../stage.mjs";

const observation = (text, kind, more) => ({
  text,
  kind,
  body: {},
  count: 1,
  sample: "a",
  break_title: "",
  needs: "",
  ...more,
});
const OBSERVATIONS = [
  observation("It goes round.", "loop_iteration"),
  observation("It ends <b>by itself</b>.", "loop_finished"),
  observation("It breaks.", "fault_injected", { sample: "", break_title: "Down", needs: "patience" }),
];

function stage(entries) {
  const sightings = emptySightings(OBSERVATIONS);
  foldSightings(sightings, entries);
  const lesson = { pipeline: "p&q", text: "**What.** A loop\nof two.", sightings };
  const look = lookAt(entries, { lesson });
  return { view: show(...drawLessonTab(look)), look };
}

const ticks = (view) => all(view, ".tick").map((tick) => tick.getAttribute("aria-label"));

test("before the first run nothing is ticked off, and the lesson can be read", () => {
  startAt();
  const { view } = stage([]);
  equal(ticks(view), ["Not seen yet", "Not seen yet", "Not seen yet"]);
  equal(textOf(view.querySelector("h3 small")), "0 of 3 seen");
  equal(textOf(view.querySelector(".in-short strong")), "What.");
  equal(all(view, "button, .note.quiet").length, 0);
  equal(view.querySelector(".to-lesson").getAttribute("href"), "/gallery?pipeline=p%26q");
});

test("what the log shows is ticked off and leads to the entry that shows it", () => {
  startAt();
  const entries = [entry("run_started"), event("A", "x"), entry("loop_iteration", { iteration: 1 })];
  const { view, look } = stage(entries);
  equal(ticks(view), ["Seen", "Not seen yet", "Not seen yet"]);
  equal(all(view, "button").map(textOf), ["It goes round."]);
  view.querySelector("button").click();
  equal(look.asked, [["select", 3]]);
  ok(view.querySelector("button").dataset.fold, "it keeps the focus when the tab is drawn again");
});

test("after the run what did not happen says so, and what shows it", () => {
  startAt();
  const { view } = stage([entry("run_started"), entry("run_finished", { status: "completed" })]);
  equal(ticks(view), ["Not seen", "Not seen", "Not seen"]);
  equal(all(view, ".note.quiet").map(textOf), [
    "Not seen. The sample “a” shows it with the simulated model.",
    "Not seen. The sample “a” shows it with the simulated model.",
    "Not seen. “Down” under Break it in the lesson shows it with the simulated model and patience.",
  ]);
});

test("what a fault or a failure kept a run from showing is not said to be shown by the same sample as it was run", () => {
  const notes = (message, started, ended) => {
    startAt();
    const entries = [entry("run_started", started), event("user", message), entry("run_finished", ended)];
    return all(stage(entries).view, ".note.quiet").map(textOf);
  };
  equal(notes("a", { faults: ["Critic:refuse:2"] }, { status: "completed" }).slice(1), [
    "Not seen, as faults were injected. This sample shows it without faults, with the simulated model.",
    "Not seen, as faults were injected. “Down” under Break it in the lesson shows it with the simulated model and patience.",
  ]);
  equal(
    notes("b", {}, { status: "failed" })[0],
    "Not seen, as the run failed. The sample “a” shows it with the simulated model.",
  );
});

test("a run that waits for its user is not over", () => {
  startAt();
  const { view } = stage([entry("run_started"), entry("run_finished", { status: "paused" })]);
  equal(ticks(view)[0], "Not seen yet");
});

test("a lesson is text, never markup", () => {
  startAt();
  const { view } = stage([entry("loop_finished", { reason: "escalated" })]);
  equal(all(view, "button").map(textOf), ["It ends <b>by itself</b>."]);
});
