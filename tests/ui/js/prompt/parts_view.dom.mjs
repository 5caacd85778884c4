import { drawParts, drawShares } from "../../../../ui/session_view/js/prompt/parts_view.js";
import { lookAt } from "../look.mjs";
import { all, equal, show, test, textOf } from "../stage.mjs";

const part = (kind, text, more = {}) => ({ kind, name: "", text, tokens: text.length, seq: null, ...more });

test("the bar has a piece for each source, as wide as its share, and each has its word", () => {
  const view = show(drawShares({ parts: [part("instruction", "aaa"), part("history", "b")] }));
  equal(all(view, ".share-bar i").map((bar) => [bar.className, bar.style.flexGrow]), [
    ["source-instruction", "3"],
    ["source-history", "1"],
  ]);
  equal(all(view, ".shares li").map(textOf), ["Instruction≈ 3 · 75 %", "History≈ 1 · 25 %"]);
});

test("a long text is folded, and opens in place", () => {
  const look = lookAt([]);
  const long = "x".repeat(100_000);
  const folded = show(drawParts({ parts: [part("history", long)] }, look));
  equal([textOf(folded.querySelector(".sent-text")).length < 800, textOf(folded.querySelector(".more"))], [
    true,
    "show all 100,000 characters",
  ]);
  folded.querySelector(".more").click();
  equal(look.asked, [["toggle", "prompt:part:0"]]);
  const open = show(drawParts({ parts: [part("history", long)] }, lookAt([], { open: ["prompt:part:0"] })));
  equal(textOf(open.querySelector(".sent-text")).length, 100_000);
});

test("of very many parts the first and the last are shown at first", () => {
  const parts = Array.from({ length: 200 }, (_, i) => part("history", `m${i}`));
  const view = show(drawParts({ parts }, lookAt([])));
  equal([all(view, ".sent-part").length, textOf(view.querySelector(".more"))], [60, "show 140 more parts"]);
  equal(all(view, ".sent-text").map(textOf).at(-1), "m199");
  equal(all(show(drawParts({ parts }, lookAt([], { open: ["prompt:parts"] }))), ".sent-part").length, 200);
});

test("a value that was found by its text says so", () => {
  const view = show(drawParts({ parts: [part("state", "tea", { name: "topic", guessed: true })] }, lookAt([])));
  equal(textOf(view.querySelector(".tag")), "found by its text");
});

test("a bullet leads to its place in the playbook", () => {
  const bullet = part("playbook", "[s-1] …", { name: "s-1", seq: 7, place: { playbook: "p", revision: 3 } });
  const link = show(drawParts({ parts: [bullet] }, lookAt([]))).querySelector("a");
  equal([textOf(link), new URL(link.href).search], ["s-1", "?playbook=p&revision=3&bullet=s-1"]);
});
