import { SessionList } from "../../../ui/session_list/js/session_list.js";
import { all, equal, ok, press, root, test, textOf, type, until } from "../js/stage.mjs";
import { page, row } from "./rows.mjs";

const RealSocket = globalThis.WebSocket;
let socket;

class FakeSocket {
  constructor(url) {
    this.url = new URL(url);
    socket = this;
  }
  close() {
    this.closed = true;
  }
}

function stage(data) {
  localStorage.clear();
  globalThis.WebSocket = FakeSocket;
  const chosen = [];
  const list = new SessionList(root(), "compact");
  const update = (data) => list.update(data, { setTriggerValue: (name, value) => chosen.push([name, value]) });
  update(data);
  return { list, update, chosen, close };
  function close() {
    list.close();
    globalThis.WebSocket = RealSocket;
  }
}

const say = (frame) => socket.onmessage({ data: JSON.stringify({ found: frame.rows?.length, ...frame }) });
const asked = () => Object.fromEntries(socket.url.searchParams);
const find = (selector) => root().querySelector(selector);
const rows = () => all(root(), ".row");
const titles = () => rows().map((row) => textOf(row.querySelector(".title")));
const selected = () => all(root(), ".title[aria-current=true]").map(textOf);
const notes = () => all(root(), ".note").filter(({ hidden }) => !hidden).map(textOf);
const scope = (name) => [...find(".scopes").children].find((button) => textOf(button) === name).click();
const many = (count, more) => Array.from({ length: count }, (_, i) => row(`s${i}`, more));

test("a row is marked as opening before the page knows, and tells the page", () => {
  const { update, chosen, close } = stage(page([row("s1"), row("s2")], { session: "s1" }));
  equal(selected(), ["title s1"]);
  rows()[1].click();
  equal([selected(), textOf(find(".row.opening .outcome"))], [["title s2"], "opening …"]);
  equal(chosen, [["act", { kind: "open", sessions: [["p", "s2"]] }]]);
  rows()[1].click();
  equal(chosen.length, 1, "it is opening already");
  update(page([row("s1"), row("s2")], { session: "s1" }));
  equal(selected(), ["title s2"], "an answer to an earlier request");
  update(page([row("s1"), row("s2")], { session: "s2" }));
  equal([selected(), find("[aria-busy]")], [["title s2"], null]);
  close();
});

test("a new session that was asked for meanwhile is no session that opens", () => {
  const { update, close } = stage(page([row("s1"), row("s2")], { session: "s1" }));
  rows()[1].click();
  update(page([row("s1"), row("s2")]));
  equal([selected(), find("[aria-busy]")], [[], null]);
  close();
});

test("the row of the open session asks for it once more: the page may be on its way to a new one", () => {
  const { update, chosen, close } = stage(page([row("s1")], { session: "s1" }));
  rows()[0].click();
  equal(chosen, [["act", { kind: "open", sessions: [["p", "s1"]] }]]);
  update(page([row("s1")]));
  equal([selected(), find("[aria-busy]")], [[], null]);
  update(page([row("s1")], { session: "s1" }));
  equal([selected(), find("[aria-busy]")], [["title s1"], null]);
  close();
});

test("what other tabs do reaches the list without the page", () => {
  const { close } = stage(page([row("s1")], { session: "s1" }));
  say({ type: "list", rows: [row("s1"), row("s2")] });
  equal(titles(), ["title s1", "title s2"]);
  say({ type: "changes", rows: [row("s2", { title: "renamed" })], gone: [["p", "s1"]], found: 1 });
  equal(titles(), ["renamed"]);
  close();
});

test("All lists the sessions of every pipeline, each with its name, and is remembered", () => {
  const { close } = stage(page([row("s1")]));
  say({ type: "list", rows: [row("s1"), row("s2", { pipeline: "q" }), row("s3", { pipeline: "gone" })] });
  const pressed = () => all(find(".scopes"), "[aria-pressed=true]").map(textOf);
  equal([titles().length, pressed()], [1, ["This pipeline"]]);
  scope("All");
  equal(rows().map((row) => textOf(row.querySelector(".pipeline"))), ["Pipeline P", "Pipeline Q", "gone"]);
  equal(pressed(), ["All"]);
  const other = new SessionList(root(), "compact");
  other.update(page([]), {});
  equal(all(other.element, "[aria-pressed=true]").map(textOf), ["All"]);
  other.close();
  scope("This pipeline");
  equal(titles().length, 1);
  close();
});

test("a search from nine sessions on; the server looks in those that are not here", async () => {
  const { update, close } = stage(page(many(8)));
  ok(find(".search").hidden);
  update(page(many(9)));
  ok(!find(".search").hidden);
  equal(asked(), { pipeline: "p", words: "", limit: "100" });
  say({ type: "list", rows: many(100), found: 1200 });
  type(find(".search"), "S99");
  equal(titles(), ["title s99"], "what is known is found at once");
  await until(() => asked().words === "S99");
  say({ type: "list", rows: [row("s99"), row("s1199")], found: 2 });
  equal([titles(), notes()], [["title s99", "title s1199"], []]);
  type(find(".search"), "no such");
  equal([titles(), notes()], [[], ["No session has these words in its title."]]);
  ok(find(".rows").hidden);
  close();
});

test("more are asked for, and what is listed stays meanwhile", () => {
  const { close } = stage(page(many(9)));
  say({ type: "list", rows: many(100), found: 1200 });
  equal([rows().length, textOf(find(".more"))], [100, "Show more (1,100 older)"]);
  find(".more").click();
  equal([asked().limit, rows().length], ["200", 100]);
  say({ type: "list", rows: many(200), found: 200 });
  equal([rows().length, find(".more").hidden], [200, true]);
  close();
});

test("the arrow below the search leads into the list", () => {
  const { close } = stage(page(many(9)));
  find(".search").focus();
  press(find(".search"), "ArrowDown");
  ok(root().activeElement === find(".title"));
  close();
});

test("without sessions it says what will be here", () => {
  const { close } = stage(page([]));
  equal(notes(), ["Each run is kept here as a session, and can be opened again."]);
  say({ type: "list", rows: [row("s1")] });
  equal(notes(), []);
  close();
});

test("a database that cannot be read is said until there is a list again", () => {
  const { close } = stage(page([row("s1")]));
  say({ type: "error", message: "The database is <b>locked</b>." });
  equal([notes(), titles()], [["The database is <b>locked</b>."], ["title s1"]]);
  say({ type: "list", rows: [row("s1")] });
  equal(notes(), []);
  close();
});

test("a connection that is lost again says that the list may be old", () => {
  const { close } = stage(page([row("s1")]));
  socket.onclose();
  equal(notes(), []);
  socket.onclose();
  equal(notes(), ["Not connected to the server. This list may be out of date."]);
  close();
});

test("a list that is closed leaves the page, and its socket", () => {
  const { close } = stage(page([row("s1")]));
  close();
  ok(socket.closed);
  equal(find(".session-list"), null);
});

test("what is typed into the search reaches it", () => {
  const { close } = stage(page(many(12)));
  equal(press(find(".search"), "a").defaultPrevented, false);
  equal(press(find(".search"), "ArrowDown").defaultPrevented, true);
  close();
});
