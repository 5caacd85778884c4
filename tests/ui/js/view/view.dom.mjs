import sessionView from "../../../../ui/session_view/js/component.js";
import { ViewAddress } from "../../../../ui/session_view/js/state/view_address.js";
import { Panes } from "../../../../ui/session_view/js/view/panes.js";
import { SessionView } from "../../../../ui/session_view/js/view/view.js";
import { entry, event, startAt } from "../log_entries.mjs";
import { lookAt } from "../look.mjs";
import { all, equal, frame, ok, press, root, test, textOf, until } from "../stage.mjs";

const leaf = (name) => ({ name, type: "LlmAgent", kind: "LlmAgent", children: [], tools: [] });
const TREE = { name: "Loop", type: "LoopAgent", kind: "LoopAgent", children: [leaf("Critic"), leaf("Refiner")] };

let sockets = [];
globalThis.WebSocket = class {
  constructor(url) {
    this.url = new URL(url);
    sockets.push(this);
  }
  say(...frames) {
    for (const one of frames) this.onmessage({ data: JSON.stringify(one) });
  }
  close() {
    this.closed = true;
  }
};

const PROPS = {
  pipeline: "p",
  session: "s",
  tree: TREE,
  written: 0,
  running: false,
  empty: { title: "", text: "" },
  prices: [],
  answerable: true,
};

const log = (entries, more = false) => ({ type: "log", entries, more });

/** A view with a session's log in it, or nothing yet for null; what the page is told is noted. */
async function stage(entries = talk(), props = {}, query = "") {
  sockets = [];
  history.replaceState(null, "", `/?session=s${query}`);
  const place = document.createElement("div");
  place.style.cssText = "height: 500px; width: 980px";
  root().append(place);
  const told = [];
  const api = {
    setTriggerValue: (...what) => told.push(what),
  };
  const view = new SessionView(place, new ViewAddress());
  const update = (more) => view.update({ ...PROPS, ...props, ...more }, api);
  update();
  place.firstChild.style.height = "500px";
  const events = entries?.filter(({ kind }) => kind === "event").length;
  if (entries) sockets[0].say({ type: "hello", session: { events }, tree: null }, log(entries));
  await frame();
  await frame();
  return { view, place, told, update, socket: sockets[0] };
}

function talk() {
  startAt();
  return [
    entry("run_started"),
    event("user", "tea"),
    event("Critic", "Name the fear.", { delta: { critique: "fear" } }),
    event("Refiner", "Ana was afraid."),
    entry("run_finished", { status: "completed", duration: 2 }),
  ];
}

/** Elements of the view, without the picture of a session that was left. */
const live = (place, selector) => all(place, selector).filter((one) => !one.closest(".last-picture"));
const names = (place) => live(place, ".row.event .name").map(textOf);
const selected = (place) => live(place, ".row[aria-selected=true]").map((row) => Number(row.dataset.key));

test("a session is asked for, and shown in three panes", async () => {
  const { view, place, socket } = await stage();
  equal(socket.url.search, "?pipeline=p&session=s&after=0");
  equal([names(place), textOf(place.querySelector(".status .word"))], [["user", "Critic", "Refiner"], "completed"]);
  equal(all(place, ".graph .node .tally").map(textOf), ["", "1", "1"]);
  await until(() => textOf(place.querySelector(".inspector .where")) === "State at the end, after event 3 of 3");
  view.close();
  equal([socket.closed, place.children.length], [true, 0]);
});

test("a click selects an event: in the list, the inspector, the graph and the address; again lets go", async () => {
  const { view, place, told } = await stage();
  place.querySelector(".row[data-key='3']").click();
  equal([selected(place), textOf(place.querySelector(".inspector .where"))], [[3], "State after event 2 of 3"]);
  equal([told, location.search], [[], "?session=s&at=2"]);
  equal(textOf(place.querySelector(".row[data-key='3'] .number")), "2");
  await frame();
  equal(all(place, ".node.author .name").map(textOf), ["Critic"]);
  place.querySelector(".row[data-key='3']").click();
  equal(selected(place), []);
  view.close();
});

test("a click on another result of the selected event keeps it selected", async () => {
  startAt();
  const answered = ["a", "b"].map((id) => ({ function_response: { id, name: "weather", response: { city: id } } }));
  const { view, place } = await stage([event("Guide", null, { parts: answered })]);
  for (const chip of [0, 1, 1]) {
    live(place, ".chip.answer")[chip].click();
    equal(selected(place), [1]);
  }
  live(place, ".row .name")[0].click();
  equal(selected(place), []);
  view.close();
});

test("keys step through the events, open a row and let go", async () => {
  const { view, place } = await stage();
  press(document.body, "j");
  press(document.body, "j");
  equal(selected(place), [3]);
  press(document.body, "k");
  equal(selected(place), [2]);
  press(document.body, "Escape");
  equal(selected(place), []);
  view.close();
});

test("what the address names is selected, also before it is here", async () => {
  const early = await stage(null, {}, "&at=2");
  equal(selected(early.place), []);
  early.socket.say({ type: "hello", session: { events: 3 }, tree: null }, log(talk()));
  await frame();
  equal([selected(early.place), early.told], [[3], []]);
  early.view.close();
  const { view, place, update } = await stage();
  history.replaceState(null, "", "/?session=s&at=3&tab=json");
  update({ running: true });
  equal(selected(place), [], "it was not told that the address is another");
  update({ written: 1 });
  equal([selected(place), textOf(place.querySelector("[role=tab][aria-selected=true]"))], [[4], "JSON"]);
  view.close();
});

test("an older link names an event by its seq: its number takes the place of that", async () => {
  const early = await stage(null, {}, "&event=3&tab=json");
  equal(location.search, "?session=s&event=3&tab=json");
  early.socket.say({ type: "hello", session: { events: 3 }, tree: null }, log(talk()));
  await frame();
  equal([selected(early.place), location.search, early.told], [[3], "?session=s&tab=json&at=2", []]);
  early.view.close();
});

const isInView = (place, key) => {
  const row = live(place, `.row[data-key='${key}']`)[0]?.getBoundingClientRect();
  const list = live(place, ".list")[0].getBoundingClientRect();
  return row !== undefined && row.top >= list.top && row.bottom <= list.bottom;
};

test("the event that a link names is in view in the end, however the log comes", async () => {
  for (const [count, ...ends] of [[20, 20], [20, 6, 20], [60, 6, 60], [60, 3, 30, 60], [600, 6, 500, 600]]) {
    for (const link of ["&event=4", "&at=4"]) {
      const { view, place, socket } = await stage(null, {}, link);
      startAt();
      const entries = Array.from({ length: count }, (_, i) => event("Critic", `Text ${i + 1}.`));
      const tail = { type: "tail", entries: entries.slice(-150), events: count };
      socket.say({ type: "hello", session: { events: count }, tree: null }, ...(count > 400 ? [tail] : []));
      let begin = 0;
      for (const end of ends) {
        socket.say(log(entries.slice(begin, end), end < count));
        begin = end;
        await frame();
        equal(isInView(place, count), false, "no detour to the end");
      }
      equal([selected(place), isInView(place, 4)], [[4], true], `${link}, ${count} events, sent up to ${ends}`);
      view.close();
    }
  }
});

test("the row before is in view for an entry that has no row", async () => {
  startAt();
  const say = (count) => Array.from({ length: count }, (_, i) => event("Critic", `Text ${i + 1}.`));
  const entries = [entry("session_created"), ...say(4), entry("agent_started", { agent: "Critic" }), ...say(60)];
  for (const [link, shown] of [["at=4.1", 5], ["event=6", 5], ["event=1", 2]]) {
    const { view, place, socket } = await stage(null, {}, `&${link}`);
    socket.say({ type: "hello", session: { events: 64 }, tree: null }, log(entries));
    await frame();
    equal(isInView(place, shown), true, link);
    view.close();
  }
});

test("what the script drops from the address is put back, and stays selected where it is", async () => {
  const { view, place, update } = await stage();
  place.querySelector(".row[data-key='3']").click();
  all(place, "[role=tab]").find((tab) => textOf(tab) === "JSON").click();
  history.pushState(null, "", "/?session=s&model=m");
  update({ written: 1 });
  equal([selected(place), location.search], [[3], "?session=s&model=m&at=2&tab=json"]);
  history.back();
  await until(() => location.search === "?session=s&at=2");
  await until(() => textOf(place.querySelector("[role=tab][aria-selected=true]")) === "State");
  equal(selected(place), [3]);
  view.close();
});

test("an agent of the graph narrows the list to its events", async () => {
  const { view, place } = await stage();
  all(place, ".graph .node")[1].click();
  await frame();
  equal([names(place), textOf(place.querySelector(".filter"))], [["Critic"], "Only Critic · 1 eventShow all"]);
  equal(all(place, ".row.event .number").map(textOf), ["2"], "it keeps its number");
  place.querySelector(".filter button").click();
  await frame();
  equal(names(place).length, 3);
  view.close();
});

test("the agent that the list is narrowed to and what is folded stand in the address, and are found there again", async () => {
  const nested = () => {
    const entries = talk().slice(0, -1);
    const inner = ["Critic:1", "Critic:2"].map((branch) => event("Critic", "inner", { branch }));
    return [...entries, ...inner, entry("run_finished", { status: "completed" })];
  };
  const { view, place, told } = await stage(nested());
  all(place, ".fold-block")[1].click();
  equal([names(place).length, location.search], [4, "?session=s&folds=1"]);
  view.close();
  const again = await stage(nested(), {}, "&folds=1&agent=Critic");
  equal([names(again.place), location.search], [["Critic", "Critic"], "?session=s&folds=1&agent=Critic"]);
  press(document.body, "Escape");
  await until(() => location.search === "?session=s&folds=1");
  await frame();
  equal([names(again.place).length, told, again.told], [4, [], []]);
  again.view.close();
  const junk = await stage(nested(), {}, "&folds=0-999999.5&agent=nobody");
  equal([names(junk.place), textOf(junk.place.querySelector(".nothing"))], [[], "No events of nobody so far."]);
  equal(location.search, "?session=s&folds=0-1&agent=nobody");
  junk.view.close();
});

test("what happens now is shown as it comes, and the page hears when a run starts and ends", async () => {
  const { view, place, told, socket } = await stage();
  const start = entry("run_started", { invocation_id: "two" });
  const partial = { type: "partial", id: "e9", author: "Critic", offset: 0, text: "Bet", thought: false };
  socket.say(log([start, entry("agent_started", { agent: "Critic", invocation_id: "two" })]), partial);
  await frame();
  equal([textOf(place.querySelector(".row.partial .name")), all(place, ".node.pulse").length], ["Critic", 1]);
  const whole = event("Critic", "Better.", { id: "e9", invocation_id: "two" });
  socket.say(log([whole, entry("run_finished", { invocation_id: "two", status: "failed" })]));
  await frame();
  equal([place.querySelector(".row.partial"), names(place).length], [null, 4]);
  equal(told, [["run_changed", "running"], ["run_changed", "failed"]]);
  view.close();
});

test("a reader further up is told how much is new, and stays there", async () => {
  startAt();
  const { view, place, socket } = await stage(Array.from({ length: 60 }, (_, i) => event("Critic", `Text ${i}.`)));
  press(document.body, "j");
  place.querySelector(".list").dispatchEvent(new WheelEvent("wheel", { deltaY: -100 }));
  place.querySelector(".list").scrollTop = 0;
  await frame();
  socket.say(log([event("Critic", "one more"), event("Refiner", "and another")]));
  await frame();
  equal([textOf(place.querySelector(".pill")), textOf(place.querySelector(".row .number"))], ["2 new ↓", "1"]);
  view.close();
});

test("an answer to a call that waits goes to the page, and is not taken for one of another session", async () => {
  startAt();
  const args = { originalFunctionCall: { name: "pay", args: { n: 1 } }, toolConfirmation: { hint: "Shall I?" } };
  const ask = { function_call: { id: "c", name: "adk_request_confirmation", args } };
  const entries = [
    entry("run_started"),
    event("Critic", null, { parts: [ask], long_running_tool_ids: ["c"] }),
    entry("run_finished", { status: "paused" }),
  ];
  const { view, place, told, update } = await stage(entries);
  place.querySelector(".status button.detail").click();
  ok(root().activeElement.classList.contains("card"), "the status leads to the card");
  place.querySelector("[data-do=approve]").click();
  equal(told.at(-1), ["answer", { call_id: "c", response: '{"confirmed":true}' }]);
  await frame();
  equal(textOf(place.querySelector(".card .said")), "sending…");
  update({ session: "copy" });
  sockets[1].say({ type: "hello", session: { events: 1 }, tree: null }, log(entries));
  await frame();
  equal(place.querySelector(".card .said"), null);
  view.close();
});

test("a long log can be read from its end while the rest is coming", async () => {
  startAt();
  const many = Array.from({ length: 600 }, (_, i) => event("Critic", `Text ${i + 1}.`));
  const { view, place, socket } = await stage(null);
  socket.say({ type: "hello", session: { events: 600 }, tree: null }, {
    type: "tail",
    entries: many.slice(-20),
    events: 600,
  });
  socket.say(log(many.slice(0, 500), true));
  await frame();
  place.querySelector(".row[data-key='599']").click();
  equal(textOf(place.querySelector(".row[data-key='599'] .number")), "599");
  equal([all(place, ".row.event .number").at(-1).textContent, place.querySelector(".progress").hidden], ["600", false]);
  socket.say(log(many.slice(500)));
  await frame();
  equal([all(place, ".row.event .number").at(-1).textContent, place.querySelector(".progress").hidden], ["600", true]);
  await until(() => location.search === "?session=s&at=599");
  view.close();
});

test("another session has nothing of the one before; none shows what will happen", async () => {
  const { view, place, update, socket } = await stage();
  place.querySelector(".row[data-key='3']").click();
  history.replaceState(null, "", "/?session=other");
  update({ session: "other", written: 1 });
  equal([socket.closed, sockets.length, sockets[1].url.searchParams.get("session")], [true, 2, "other"]);
  await frame();
  equal([names(place), selected(place)], [[], []]);
  update({ session: null, empty: { title: "Writing", text: "Two agents write." } });
  equal([textOf(place.querySelector(".empty h2")), sockets.length], ["Writing", 2]);
  view.close();
});

test("a session that is gone says so, and is not asked for again", async () => {
  const { view, place, socket } = await stage([]);
  socket.say({ type: "gone", message: "There is no such session." });
  await frame();
  equal([textOf(place.querySelector(".banner")), socket.closed], ["There is no such session.", true]);
  view.close();
});

test("the panes tell what a user does, but not with a control in a row", () => {
  const did = [];
  const look = lookAt([]);
  const note = (name) => (...values) => did.push([name, ...values].join(" "));
  const actions = Object.fromEntries(
    ["onScroll", "onAgent", "onRow", "onTab", "onClear", "onRetry", "onWaiting", "step", "toEdge", "openRow", "escape"]
      .map((name) => [name, note(name)]),
  );
  const draw = (row) => {
    const element = document.createElement("div");
    element.className = "row";
    element.dataset.key = String(row.key);
    element.append(document.createElement("button"), "words");
    return element;
  };
  const panes = new Panes(root(), { ...actions, draw, stamp: () => "", context: () => look });
  panes.layout.element.style.height = "400px";
  panes.list.setRows([{ key: 5 }, { key: 5.5 }]);
  const [row, card] = all(panes.list.element, ".row");
  row.querySelector("button").click();
  row.click();
  card.click();
  press(document.body, "j");
  equal(did.filter((each) => each !== "onScroll"), ["onRow 5 false", "step 1"]);
  panes.close();
  press(document.body, "j");
  equal([did.filter((each) => each === "step 1").length, panes.layout.element.isConnected], [1, false]);
});

test("Streamlit's calls for one place share a view; only the latest may take it down", async () => {
  sockets = [];
  const place = document.createElement("div");
  root().append(place);
  const data = { ...PROPS, tree: [TREE], empty: ["Title", "Text"], session: null };
  const call = () => sessionView({ parentElement: place, data, setTriggerValue: () => {} });
  const first = call();
  const second = call();
  equal([all(place, ".session-view").length, textOf(place.querySelector(".empty h2")), all(place, ".node").length], [
    1,
    "Title",
    3,
  ]);
  first();
  second();
  const third = call();
  await new Promise((done) => setTimeout(done, 80));
  equal(all(place, ".session-view").length, 1, "it was called again before it was taken down");
  third();
  await until(() => !place.querySelector(".session-view"));
});

test("a lesson ticks itself off as the log comes, and only its readers are told", async () => {
  const observation = { text: "It goes round.", kind: "loop_iteration", body: { iteration: 2 }, count: 1, sample: "a" };
  const lesson = { pipeline: "p", text: "What.", observations: [{ ...observation, break_title: "" }] };
  startAt();
  const { place, socket } = await stage([entry("run_started"), event("Critic", "x")], { lesson }, "&event=2");
  const said = () => textOf(place.querySelector(".speech"));
  const ticked = () => textOf(place.querySelector("h3 small"));
  place.querySelector("#tab-lesson").click();
  equal(ticked(), "0 of 1 seen");
  socket.say(log([entry("loop_iteration", { agent: "Loop", iteration: 2 })]));
  await until(() => ticked() === "1 of 1 seen");
  await until(() => said().endsWith("Seen: It goes round."));
  const other = await stage([], { lesson });
  other.place.querySelector("#tab-state").click();
  other.socket.say(log([entry("run_started"), entry("loop_iteration", { agent: "Loop", iteration: 2 })]));
  await until(() => textOf(other.place.querySelector(".speech")));
  equal(textOf(other.place.querySelector(".speech")), "Run started.");
});

test("what was shown stays until the next session is drawn", async () => {
  const { place, update } = await stage();
  const shown = () => textOf(place.querySelector(".last-picture"));
  update({ session: "other" });
  ok(shown().includes("Critic"), "the session that was left is still to be seen");
  sockets.at(-1).say({ type: "hello", session: { events: 1 }, tree: null }, log([event("user", "another")]));
  await until(() => !place.querySelector(".last-picture"));
  ok(textOf(place).includes("another"));
});

test("one cursor drives the list, graph, inspector, status line and address; new events leave it where it is", async () => {
  const { view, place, socket } = await stage();
  const range = place.querySelector(".cursor-bar input");
  range.value = "2";
  range.dispatchEvent(new InputEvent("input", { bubbles: true }));
  await frame();
  await frame();
  equal([selected(place), location.search], [[3], "?session=s&at=2"]);
  equal(live(place, ".row.event.later .name").map(textOf), ["Refiner"]);
  equal(textOf(place.querySelector(".inspector .where")), "State after event 2 of 3");
  equal([all(place, ".node.author .name").map(textOf), textOf(place.querySelector(".status .used"))], [
    ["Critic"],
    "event 2 of 3",
  ]);
  socket.say(log([entry("run_started"), event("user", "more"), event("Critic", "Again.")]));
  await frame();
  await frame();
  equal([selected(place), textOf(place.querySelector(".to-live"))], [[3], "Live · 2 new"]);
  place.querySelector(".to-live").click();
  await frame();
  equal([selected(place), live(place, ".row.later").length], [[], 0]);
  await until(() => location.search === "?session=s");
  view.close();
});

test("the arrow keys and space move and play; the address keeps what state is compared with", async () => {
  const { view, place } = await stage(talk(), {}, "&since=start&at=3");
  equal(textOf(place.querySelector(".changes h3")), "Changed from the start to event 3");
  press(document.body, "ArrowLeft");
  equal(selected(place), [3]);
  press(document.body, " ");
  await frame();
  equal(place.querySelector(".play").ariaLabel, "Pause");
  press(document.body, "ArrowLeft");
  await frame();
  equal([selected(place), place.querySelector(".play").ariaLabel], [[2], "Play"]);
  view.close();
});
