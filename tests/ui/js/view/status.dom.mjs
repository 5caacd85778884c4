import { append, emptyLog, usageAt } from "../../../../ui/session_view/js/log/log.js";
import { StatusLine } from "../../../../ui/session_view/js/view/status.js";
import { entry, event, startAt } from "../log_entries.mjs";
import { equal, ok, show, test, textOf, until } from "../stage.mjs";

function stage() {
  startAt();
  const asked = [];
  const status = new StatusLine({ onWaiting: () => asked.push("waiting"), onUsage: () => asked.push("usage") });
  const log = emptyLog();
  show(status.element);
  const tell = (name, more = {}) => status.show({ log, status: name, waiting: 0, prices: [], ...more });
  const seen = (selector) => {
    const element = status.element.querySelector(selector);
    return element.hidden ? null : textOf(element);
  };
  return { asked, log, status, tell, seen };
}

test("before anything ran the session is ready", () => {
  const { tell, seen } = stage();
  equal([tell("idle"), seen(".word"), seen(".used"), seen(".simulated")], ["idle", "ready", null, null]);
});

test("a run: where it stands, what was used so far, and that it is simulated", () => {
  const { log, status, tell, seen } = stage();
  append(log, [
    entry("run_started", { simulated: true, timestamp: Date.now() / 1000 - 5.5 }),
    entry("model_started", { agent: "Critic", call: 1 }),
    event("A", "x"),
  ]);
  equal(tell("running"), "running");
  equal([seen(".word"), seen("span.detail"), seen(".used"), seen(".simulated")], [
    "running",
    "Critic",
    "1 event · 5 s",
    "simulated",
  ]);
  status.stop();
});

test("time goes on by itself while a run does", async () => {
  const { log, status, tell, seen } = stage();
  append(log, [entry("run_started", { timestamp: Date.now() / 1000 - 1.5 }), event("A", "x")]);
  tell("running");
  const before = seen(".used");
  await until(() => seen(".used") !== before);
  status.stop();
  ok(seen(".used").endsWith(" s"));
});

test("what waits for the user is a way there, and what was used a way to the details", () => {
  const { asked, log, status, tell, seen } = stage();
  append(log, [entry("run_started"), event("A", "x"), entry("run_finished", { status: "paused", duration: 2 })]);
  tell("paused", { waiting: 2 });
  equal([seen(".word"), seen("button.detail")], ["waiting for you", "2 calls wait for an answer"]);
  status.element.querySelector("button.detail").click();
  status.element.querySelector(".used").click();
  equal(asked, ["waiting", "usage"]);
  tell("completed");
  equal([seen("button.detail"), seen(".used")], [null, "1 event · 2.0 s"]);
});

test("a replayed session is linked; a cost that is not known is told on the way to the details", () => {
  const { log, status, tell, seen } = stage();
  append(log, [
    entry("run_started", { model: "replay/p/s1" }),
    entry("model_finished", { agent: "A", call: 1, model: "m", usage: { input: 5, output: 1 } }),
    event("A", "x"),
  ]);
  tell("completed");
  equal(seen(".badges"), "replayed s1");
  const link = status.element.querySelector(".badges a");
  tell("completed");
  ok(status.element.querySelector(".badges a") === link, "a focus on it stays");
  equal(status.element.querySelector(".used").title, "The whole session. Click for more. No price is known for m.");
});

test("in the past it says which event, and what was used by then", () => {
  const { log, status, tell, seen } = stage();
  const used = { agent: "A", call: 1, model: "m", usage: { input: 10, output: 5 } };
  append(log, [entry("run_started"), event("A", "x"), entry("model_finished", used), event("A", "y")]);
  tell("completed", { past: { at: 1, usage: usageAt(log, 3) } });
  equal([seen(".used"), status.element.querySelector(".used").title.slice(0, 16)], [
    "event 1 of 2 · 15 tokens · no price",
    "Up to the cursor",
  ]);
  tell("completed", { past: { at: 1, usage: usageAt(log, 2) } });
  equal(seen(".used"), "event 1 of 2");
});
