import { drawEnd } from "../../../../ui/session_view/js/list/boundary_rows.js";
import { drawOutcome } from "../../../../ui/session_view/js/list/outcome_view.js";
import { bookOf } from "../book.mjs";
import { entry, event, startAt } from "../log_entries.mjs";
import { all, equal, filled, ok, test, textOf } from "../stage.mjs";

const rowOf = (...entries) => bookOf(...entries).rows.findLast(({ type }) => type === "end");
const end = (status = "completed", more = {}) => entry("run_finished", { status, ...more });

test("the result: who gave it, under which key, and the way to its event", () => {
  startAt();
  const row = rowOf(event("user", "hi"), event("Writer", "**Done**", { delta: { draft: "**Done**", rows: 3 } }), end());
  const chosen = [];
  const element = filled(drawEnd, row, { onSelect: (seq) => chosen.push(seq) });
  equal(textOf(all(element, ".outcome-words")[0]), "Writer gave the result.");
  equal(textOf(all(element, ".outcome-label")[0]), "Resultby Writerin the state key draftevent 2");
  equal(textOf(all(element, ".outcome-result strong")[0]), "Done");
  equal(textOf(all(element, ".outcome-saved")[0]), "Also in state: rows");
  for (const link of all(element, ".outcome-link")) link.click();
  equal(chosen, [2, 2]);
  ok(element.getAttribute("aria-label").includes("Writer gave the result."));
});

test("a run that was stopped shows how far it came, and calls it so", () => {
  startAt();
  const element = filled(drawEnd, rowOf(event("A", "half"), end("stopped")));
  equal(textOf(all(element, ".outcome-label b")[0]), "So far");
});

test("a refusal far above its result is offered there, too, with what can be sent instead", () => {
  const refused = { custom_metadata: { refusal: { examples: ["one", "two"] } } };
  const buttons = (delta) => {
    startAt();
    const row = rowOf(event("Generator", "{}", { delta, ...refused }), event("Curator", null), end());
    return all(filled(drawEnd, row), ".outcome-result .refusal button").map(textOf);
  };
  const answer = { generator_output: { final_answer: "I cannot.", bullet_ids: [] } };
  equal(buttons(answer), ["▶ one", "▶ two"]);
  equal(buttons({ text: "{}" }), []);
});

test("only state: each key with its value; nothing at all: a sentence", () => {
  startAt();
  const element = filled(drawEnd, rowOf(event("A", null, { delta: { count: 3, names: ["x"] } }), end()));
  equal(all(element, ".outcome-saved li").map(textOf), ["count: 3", 'names: ["x"]']);
  startAt();
  const nothing = filled(drawEnd, rowOf(end()));
  equal(textOf(all(nothing, ".run-outcome")[0]), "No agent gave a text.");
});

test("a pause says what it waits for; once the run went on, and where a fork begins, there is no outcome", () => {
  startAt();
  const ask = event("Pay", "paying", {
    long_running_tool_ids: ["1"],
    parts: [{
      function_call: {
        id: "1",
        name: "adk_request_confirmation",
        args: { originalFunctionCall: { name: "pay", args: {} } },
      },
    }],
  });
  const row = rowOf(ask, end("paused"));
  equal(textOf(all(filled(drawEnd, row), ".run-outcome")[0]), "pay waits for your approval.");
  row.live.waited = 3;
  equal(all(filled(drawEnd, row), ".run-outcome").length, 0);
  startAt();
  equal(drawOutcome(rowOf(event("A", "x"), end("paused", { cut: true })), {}), null);
});

test("a picture in state and a saved file are shown", () => {
  startAt();
  const dot =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
  const saves = event("A", null, { delta: { plate: dot } });
  const element = filled(
    drawEnd,
    rowOf(saves, event("A", "painted", { actions: { artifact_delta: { "a.txt": 0 } } }), end()),
  );
  equal(all(element, ".run-outcome .pictures img").map(({ alt }) => alt)[0], "Picture in the state key plate");
  equal(all(element, ".run-outcome .chip.file").map(textOf), ["a.txtv0"]);
});

test("hostile, Japanese and Arabic text stays text, in its own direction; a long one is folded", () => {
  startAt();
  const hostile = '<img src=x onerror="globalThis.ran = true">';
  const row = (text) => filled(drawEnd, rowOf(event("<b>A</b>", text, { delta: { "<i>": text } }), end()));
  equal([all(row(hostile), ".outcome-result img").length, globalThis.ran], [0, undefined]);
  const text = all(row("مرحبا"), ".outcome-result .text")[0];
  equal([text.dir, getComputedStyle(text).direction], ["auto", "rtl"]);
  equal(textOf(all(row("灯台の光。"), ".outcome-result .text")[0]), "灯台の光。");
  equal(all(row("line\n".repeat(60)), ".outcome-result .more").length, 1);
});
