import { Filters } from "../../../../ui/session_list/js/full/filters.js";
import { all, equal, press, show, test, type } from "../../js/stage.mjs";
import { answer, row } from "../found_rows.mjs";

const TITLES = new Map([["p", "Pipeline P"]]);

function stage({ keep = false } = {}) {
  if (!keep) sessionStorage.clear();
  const asked = [];
  let down = 0;
  const filters = new Filters({ look: (query, how) => asked.push([query, how.typed]), down: () => down++ });
  const view = show(filters.element);
  filters.offer(answer([row("s1", { tags: ["good"] })]), TITLES);
  const field = view.querySelector("input");
  const select = (name) => view.querySelector(`select[aria-label="${name}"]`);
  const choose = (name, value) => {
    select(name).value = value;
    select(name).dispatchEvent(new Event("change"));
  };
  return { filters, asked, field, select, choose, down: () => down };
}

test("words and choices make the query, and are kept for the tab", () => {
  const { filters, asked, field, choose } = stage();
  type(field, "lamp");
  choose("Pipeline", "q");
  choose("Tag", "good");
  const query = { q: "lamp", pipeline: "q", status: "", tag: "good" };
  equal([asked.at(-1), asked.length, asked[0][1]], [[query, false], 3, true]);
  filters.close();
  const again = stage({ keep: true });
  equal([again.filters.query, again.filters.isSet], [query, true]);
  again.filters.clear();
  equal([again.asked, again.filters.isSet], [[[{ q: "", pipeline: "", status: "", tag: "" }, false]], false]);
  again.filters.close();
});

test("what is chosen is offered even if no session has it any more", () => {
  const { filters, select, choose } = stage();
  choose("Tag", "good");
  filters.offer(answer([]), TITLES);
  equal([select("Tag").value, select("Tag").hidden], ["good", false]);
  equal(all(select("Pipeline"), "option").map(({ text }) => text), ["All pipelines", "Pipeline P", "q"]);
  choose("Tag", "");
  filters.offer(answer([]), TITLES);
  equal([all(select("Tag"), "option").length, select("Tag").hidden], [1, true]);
  filters.close();
});

test("names from a browser or a pipeline are text", () => {
  const { filters, select } = stage();
  filters.offer(answer([], { pipelines: ["<img src=x>"], tags: ["<b>tag</b>"] }), new Map());
  equal(all(select("Tag"), "b, img").length + all(select("Pipeline"), "b, img").length, 0);
  filters.close();
});

test("a broken store is no trouble", () => {
  for (const kept of ["{", "null", "7", '{"q": 7, "tag": null}']) {
    sessionStorage.setItem("playground.sessions.query", kept);
    const { filters } = stage({ keep: true });
    equal(filters.isSet, false, kept);
    filters.close();
  }
});

test("slash leads to the search, arrow down to the rows; a slash that is typed stays one", () => {
  const { filters, field, down } = stage();
  equal(press(document.body, "/").defaultPrevented, true);
  equal(field.matches(":focus"), true);
  equal(press(field, "/").defaultPrevented, false);
  press(field, "ArrowDown");
  equal(down(), 1);
  filters.close();
  equal(press(document.body, "/").defaultPrevented, false);
});
