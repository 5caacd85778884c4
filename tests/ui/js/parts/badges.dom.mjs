import { drawInjected, drawOrigin, drawReplayed, drawReplays } from "../../../../ui/session_view/js/parts/badges.js";
import { all, equal, show, test, textOf } from "../stage.mjs";

test("what somebody made go wrong is marked, with what it is about", () => {
  const badge = drawInjected("A is slow");
  equal([textOf(badge), badge.title], ["injected", "A is slow"]);
});

test("an event is marked simulated only where others are not, and drifted wherever it is", () => {
  const words = (...given) => all(show(drawOrigin(...given)), ".tag").map(textOf);
  const simulated = { custom_metadata: { simulated: true } };
  equal([words(simulated, true), words(simulated, false), words({}, true)], [["simulated"], [], []]);
  equal(words({ custom_metadata: { replay: { session: "s", drifted: ["tools"] } } }, false), ["drifted"]);
});

test("a replayed session is a link to it", () => {
  const [badge] = drawReplays([{ pipeline: "p&q", session: "0123456789abc" }]);
  equal([textOf(badge), badge.querySelector("a").getAttribute("href")], [
    "replayed 01234567…",
    "/?pipeline=p%26q&session=0123456789abc",
  ]);
  equal(textOf(drawReplayed({ replayed: true })), "replayed");
  equal(drawReplayed({}) ?? null, null);
});
