import { Compact } from "../../../../ui/session_list/js/compact/compact.js";
import { equal, test } from "../../js/stage.mjs";
import { page, row } from "../rows.mjs";

const NOW = new Date(2026, 5, 15, 12, 0, 0).getTime() / 1000;

class FakeSocket {
  close() {}
}

function stage(rows) {
  const RealSocket = globalThis.WebSocket;
  globalThis.WebSocket = FakeSocket;
  localStorage.clear();
  const look = new Compact({ paint: () => {}, focusRows: () => {}, act: () => {} });
  look.update(page(rows), "");
  globalThis.WebSocket = RealSocket;
  look.listing();
  return { lines: (number) => look.row(rows[number], "", NOW).lines, all: () => look.elements[0].lastChild.click(), look };
}

test("time and model are said where they tell rows apart, and what a fork changed", () => {
  const same = { title: "same", updated: NOW - 300 };
  const other = row("s3", { fork: 'fork: state tone = "dry"', model: "gemini" });
  const { lines, look } = stage([
    row("s1", { ...same, model: "gemini" }),
    row("s2", { ...same, updated: NOW - 3600 }),
    other,
  ]);
  equal([0, 1, 2].map((number) => lines(number).apart), ["11:55 · gemini", "11:00", "gemini"]);
  equal([lines(0).fork, lines(2).fork], ["", 'fork: state tone = "dry"']);
  look.close();
});

test("the pipeline is said where all are listed", () => {
  const { lines, all, look } = stage([row("s1")]);
  equal(lines(0).pipeline, "");
  all();
  equal(lines(0).pipeline, "Pipeline P");
  look.close();
});
