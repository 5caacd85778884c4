import { Speech, spokenWords } from "../../../../ui/session_view/js/view/speech.js";
import { entry, event, startAt } from "../log_entries.mjs";
import { equal, show, test, textOf, until } from "../stage.mjs";

test("the last of several answers is said, its thoughts are not; an error is", () => {
  startAt();
  const said = (...entries) => spokenWords(entries);
  const parts = [{ text: "hmm", thought: true }, { text: "Red\n\nindeed." }];
  equal(said(event("A", null, { parts })), "A: Red indeed.");
  equal(said(event("A", "one"), event("B", "two")), "2 new events. B: two");
  equal(said(event("A", "x", { error_message: "It broke." })), "A: It broke.");
  equal(said(), "");
});

test("a run says that it starts and how it ends", () => {
  startAt();
  equal(spokenWords([entry("run_started")]), "Run started.");
  equal(spokenWords([entry("run_finished", { status: "completed" })]), "Run completed.");
  equal(spokenWords([event("A", "one"), entry("run_finished", { status: "paused" })]), "Run waiting for you. A: one");
  equal(spokenWords([entry("run_finished", { status: "failed", error_message: "No key." })]), "Run failed: No key.");
});

test("new answers are said after a while, once; a user's own words are not", async () => {
  startAt();
  const speech = new Speech();
  show(speech.element);
  equal(speech.element.getAttribute("aria-live"), "polite");
  speech.announce([event("user", "hi"), entry("run_started")]);
  speech.announce([event("A", "one")]);
  speech.announce([event("B", "two")]);
  equal(textOf(speech.element), "");
  await until(() => textOf(speech.element));
  equal(textOf(speech.element), "Run started. 2 new events. B: two");
  speech.announce([entry("loop_iteration")], ["It goes round."]);
  await until(() => textOf(speech.element).startsWith("Seen"));
  equal(textOf(speech.element), "Seen: It goes round.");
  speech.announce([event("A", "three")]);
  speech.stop();
});
