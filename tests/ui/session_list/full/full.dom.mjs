import { Full } from "../../../../ui/session_list/js/full/full.js";
import { equal, test, until } from "../../js/stage.mjs";
import { answer, row, serve } from "../found_rows.mjs";

test("a row says pipeline, model and what else is known, and is as deep as its fork", async () => {
  sessionStorage.clear();
  const changed = "fork of “the sea”: playbook off";
  const rows = [
    row("s1", { model: "gemini", tags: ["a"], excerpt: "a lamp" }),
    row("s2", { depth: 2, facts: ["2 KB", changed] }),
  ];
  const { stop } = serve(() => answer(rows));
  const look = new Full({ paint: () => {}, focusRows: () => {}, act: () => {} });
  look.update({ look: "full", version: 0, pipelines: [["p", "Pipeline P"]] });
  await until(() => look.listing().rows.length);
  const [first, second] = look.listing().rows.map((each) => look.row(each));
  equal([first.facts, first.tags, first.lines.excerpt], [["Pipeline P", "gemini", "2 KB"], ["a"], "a lamp"]);
  equal([second.facts, second.depth], [["Pipeline P", "2 KB", changed], 2]);
  look.select("p\ns1", true);
  equal(look.listing().rows.map((each) => look.row(each).selected), [true, false]);
  look.close();
  stop();
});
