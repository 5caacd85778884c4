import { SessionList } from "../../../ui/session_list/js/session_list.js";
import { all, equal, root, test, textOf, type, until } from "../js/stage.mjs";
import { answer, row, serve } from "./found_rows.mjs";

async function stage(give) {
  sessionStorage.clear();
  const { asked, stop } = serve(give);
  const told = [];
  const list = new SessionList(root(), "full");
  const data = { look: "full", version: 0, pipelines: [["p", "Pipeline P"]] };
  const api = { setTriggerValue: (name, value) => told.push([name, value]) };
  const update = (more = {}) => list.update({ ...data, ...more }, api);
  update();
  await until(() => note() !== "Looking for sessions …");
  return { asked, told, update, close: () => (list.close(), stop()) };
}

const find = (selector) => root().querySelector(selector);
const note = () => textOf(find(".note"));
const more = () => all(root(), ".more").filter(({ hidden }) => !hidden).map(textOf);
const titles = () => all(root(), ".row .title").map(textOf);
const button = (name) => all(root(), "button").find((each) => textOf(each) === name);
const select = (number) => all(root(), ".row input")[number].click();

test("it lists what there is, and looks for what is typed", async () => {
  const { close } = await stage(({ q }) =>
    answer(q ? [row("s2", { excerpt: "a lamp" })] : [row("s1"), row("s2")], { count: 2 })
  );
  equal([titles(), note(), more()], [["title s1", "title s2"], "2 sessions · 9 KB", []]);
  type(find(".search"), "lamp");
  await until(() => titles().length === 1);
  equal([note(), textOf(find(".excerpt"))], ["1 of 2 sessions", "a lamp"]);
  close();
});

test("nothing found leads back to everything", async () => {
  const { close } = await stage(({ q }) => answer(q ? [] : [row("s1")], { count: 1 }));
  type(find(".search"), "nowhere");
  await until(() => titles().length === 0);
  equal([note(), more()], ["No session has all of this.", ["Show all sessions"]]);
  button("Show all sessions").click();
  await until(() => titles().length === 1);
  close();
});

test("more rows come when they are asked for", async () => {
  const rows = Array.from({ length: 150 }, (_, number) => row(`s${number}`));
  const { asked, close } = await stage(({ limit }) => answer(rows.slice(0, Number(limit)), { found: 150, count: 150 }));
  equal([titles().length, more()], [100, ["Show more"]]);
  button("Show more").click();
  await until(() => titles().length === 150);
  equal([asked.at(-1).limit, more()], ["200", []]);
  close();
});

test("deleted rows are gone before the page knows, and come back if it did not delete them", async () => {
  const { told, update, close } = await stage(() => answer([row("s1"), row("s2")]));
  select(0);
  equal(textOf(find(".count")), "1 selected");
  button("Delete").click();
  equal([titles(), find(".bar").hidden], [["title s2"], true]);
  equal(told, [["act", { kind: "delete", sessions: [["p", "s1"]] }]]);
  update({ version: 1 });
  await until(() => titles().length === 2);
  close();
});

test("a change of the page has the rows asked for again; a rerun without one does not", async () => {
  const { asked, update, close } = await stage(() => answer([row("s1", { title: `answer ${asked?.length}` })]));
  const before = asked.length;
  update();
  update({ version: 1 });
  await until(() => asked.length > before);
  equal(asked.length, before + 1);
  close();
});

test("a selection is kept while the search changes, and can be cleared", async () => {
  const { told, close } = await stage(({ q }) => answer(q ? [row("s2")] : [row("s1")], { count: 2 }));
  select(0);
  type(find(".search"), "lamp");
  await until(() => titles()[0] === "title s2");
  select(0);
  button("Compare").click();
  equal(told, [["act", { kind: "compare", sessions: [["p", "s1"], ["p", "s2"]] }]]);
  button("Clear").click();
  equal(find(".bar").hidden, true);
  close();
});

test("a session is opened once, and marked at once", async () => {
  const { told, close } = await stage(() => answer([row("s1")]));
  find(".title").click();
  find(".title").click();
  equal([told, find(".title").ariaBusy], [[["act", { kind: "open", sessions: [["p", "s1"]] }]], "true"]);
  close();
});

test("a search that has not read everything says so; one that fails keeps the rows", async () => {
  const answers = [answer([row("s1")], { unread: 1200 })];
  const { close } = await stage(() => answers.shift() ?? new Response('{"message": "No disk."}', { status: 503 }));
  equal(note(), "1 session · 9 KB · reading 1,200 more entries …");
  await until(() => note() === "No disk.");
  equal(titles(), ["title s1"]);
  close();
});
