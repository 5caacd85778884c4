import {
  drawParts,
  drawShares,
  drawWindow,
} from "../../../../../../ui/session_view/js/inspector/tabs/prompt/prompt_parts.js";
import { lookAt } from "../../../look.mjs";
import { all, equal, show, test, textOf } from "../../../stage.mjs";

const part = (kind, text, more = {}) => ({ kind, name: "", text, tokens: text.length, seq: null, ...more });

test("the bar has a piece for each source, as wide as its share, and each has its word", () => {
  const view = show(drawShares({ parts: [part("instruction", "aaa"), part("history", "b")] }, 4));
  equal(all(view, ".share-bar i").map((bar) => [bar.className, bar.style.flexGrow]), [
    ["source-instruction", "3"],
    ["source-history", "1"],
  ]);
  equal(all(view, ".shares li").map(textOf), ["Instruction≈ 3 · 75 %", "History≈ 1 · 25 %"]);
});

test("a long text is folded, and opens in place", () => {
  const look = lookAt([]);
  const long = "x".repeat(100_000);
  const folded = show(drawParts([part("history", long)], 100, look));
  equal([textOf(folded.querySelector(".sent-text")).length < 800, textOf(folded.querySelector(".more"))], [
    true,
    "show all 100,000 characters",
  ]);
  folded.querySelector(".more").click();
  equal(look.asked, [["toggle", "prompt:part:0"]]);
  const open = show(drawParts([part("history", long)], 100, lookAt([], { open: ["prompt:part:0"] })));
  equal(textOf(open.querySelector(".sent-text")).length, 100_000);
});

test("of very many parts the first and the last are shown at first", () => {
  const parts = Array.from({ length: 200 }, (_, i) => part("history", `m${i}`));
  const view = show(drawParts(parts, 100, lookAt([])));
  equal([all(view, ".sent-part").length, textOf(view.querySelector(".more"))], [60, "show 140 more parts"]);
  equal(all(view, ".sent-text").map(textOf).at(-1), "m199");
  equal(all(show(drawParts(parts, 100, lookAt([], { open: ["prompt:parts"] }))), ".sent-part").length, 200);
});

test("a value that was found by its text says so", () => {
  const view = show(drawParts([part("state", "tea", { name: "topic", guessed: true })], 100, lookAt([])));
  equal(textOf(view.querySelector(".tag")), "found by its text");
});

test("a bullet leads to its place in the playbook", () => {
  const bullet = part("playbook", "[s-1] …", { name: "s-1", seq: 7, place: { playbook: "p", revision: 3 } });
  const link = show(drawParts([bullet], 100, lookAt([]))).querySelector("a");
  equal([textOf(link), new URL(link.href).search], ["s-1", "?playbook=p&revision=3&bullet=s-1"]);
});

test("the bar over the context window leaves what is free empty; measured tokens count, an estimate is marked as one", () => {
  const parts = [part("instruction", "aaa"), part("history", "b")];
  const draw = (finished, window) => show(drawWindow({ parts, record: { finished } }, 4, window));
  const measured = draw({ body: { usage: { input: 400 } } }, 8192);
  equal(all(measured, ".context-window i").map((bar) => [bar.className, bar.style.flexGrow]), [
    ["source-instruction", "300"],
    ["source-history", "100"],
    ["free", "7792"],
  ]);
  equal(textOf(measured.querySelector(".note")), "Context window: 400 of 8,192 tokens, 5 %");
  equal(textOf(draw(null, 1_048_576)), "Context window: ≈ 4 of 1,048,576 tokens, under 1 %");
  const full = draw({ body: { usage: { input: 9000 } } }, 8192);
  equal([full.querySelector(".free").style.flexGrow, textOf(full)], ["0", "Context window: 9,000 of 8,192 tokens, 110 %"]);
});

test("a window that is not known is said to be so, and an empty prompt has no share", () => {
  const draw = (window) => show(drawWindow({ parts: [], record: { finished: null } }, 0, window));
  equal([textOf(draw(null)), draw(null).querySelector(".context-window")], [
    "How much this model reads is not known, so the bar is the prompt alone.",
    null,
  ]);
  equal(textOf(draw(100)), "Context window: ≈ 0 of 100 tokens, 0 %");
});
