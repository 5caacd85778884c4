import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { indexOfKey } from "../../../../ui/session_view/js/rows/places.js";
import { Choices } from "../../../../ui/session_view/js/state/choices.js";
import { Navigation } from "../../../../ui/session_view/js/state/navigation.js";
import { Session } from "../../../../ui/session_view/js/state/session.js";
import { entry, event, startAt } from "../log_entries.mjs";

const NOTHING = { at: null, event: null, tab: null, filters: {}, folds: null, since: null };

beforeEach(() => startAt());

/** A session and panes that note what is asked of them. */
function stage(entries, { closesPane = false } = {}) {
  const session = new Session();
  session.receive({ type: "hello", session: { events: 0 }, tree: null });
  session.receive({ type: "log", entries, more: false });
  const done = [];
  const note = (name) => (...values) => void done.push([name, ...values].join(" "));
  const list = {
    rows: session.book.rows,
    following: false,
    firstInView: session.book.rows[0],
    indexOf: (key) => indexOfKey(session.book.rows, key),
    select: () => {},
    seeks: false,
    reveal: note("reveal"),
    focus: note("focus"),
    paint: note("paint list"),
    toEnd: note("to end"),
  };
  const layout = { showPane: note("pane"), showChoice: note("choice"), closePane: () => closesPane };
  const choices = new Choices();
  const navigation = new Navigation({
    session: () => session,
    choices,
    panes: () => ({ list, layout, inspector: { tab: "state", draw: () => {}, show: note("tab") } }),
    paint: note("paint"),
    ask: () => {},
    onChoose: (chosen) => done.push(`tell ${JSON.stringify(chosen)}`),
  });
  return { session, choices, navigation, list, done };
}

function talk() {
  return [entry("run_started"), event("user", "hi"), event("A", "one"), event("B", "two")];
}

test("a click selects and lets go; the address is told, and a narrow screen shows it", () => {
  const { choices, navigation, done } = stage(talk());
  navigation.click(3);
  assert.equal(choices.selected, 3);
  navigation.click(3);
  assert.equal(choices.selected, null);
  assert.deepEqual(done, ['tell {"at":"2","event":null}', "choice true", 'tell {"at":null,"event":null}', "choice false"]);
});

test("what the address names is selected without telling it, at once or when it is here", () => {
  const { session, choices, navigation, list, done } = stage(talk());
  navigation.show({ ...NOTHING, at: "3" });
  assert.deepEqual([choices.selected, done], [4, ["reveal 4"]]);
  navigation.show({ ...NOTHING, at: "4" });
  assert.deepEqual([choices.selected, navigation.waits], [4, true]);
  navigation.followLate();
  assert.equal(choices.selected, 4, "not here yet");
  session.caughtUp = false;
  session.receive({ type: "log", entries: [event("C", "three")], more: true });
  done.length = 0;
  navigation.followLate();
  navigation.followLate();
  assert.deepEqual([choices.selected, navigation.waits, done], [5, false, ["reveal 5"]]);
  list.seeks = true;
  assert.equal(navigation.waits, true, "it has no row yet");
});

test("what the address names is shown where it is not shown already, and null waits", () => {
  const { choices, navigation, done } = stage(talk());
  const filters = { agent: "A" };
  navigation.show({ ...NOTHING, at: "3", tab: "json", filters });
  navigation.show({ ...NOTHING, at: "3", filters: { ...filters } });
  navigation.show(null);
  assert.equal(choices.filters, filters, "the rows are not looked for again");
  assert.deepEqual([choices.selected, done], [4, ["tab json", "reveal 4"]]);
});

test("an older link names an event by its seq: it is selected, at once or when it is here, and its number is told", () => {
  const { session, choices, navigation, done } = stage(talk());
  navigation.show({ ...NOTHING, event: 4 });
  assert.deepEqual([choices.selected, done], [4, ["reveal 4", 'tell {"at":"3","event":null}']]);
  navigation.show({ ...NOTHING, event: 6 });
  session.receive({ type: "log", entries: [entry("transfer"), entry("transfer")], more: false });
  navigation.followLate();
  assert.deepEqual([choices.selected, done.at(-1)], [6, 'tell {"at":"3.2","event":null}']);
});

test("what is selected in the end of a log that is loading has no number yet; it is told when it has", () => {
  const { session, choices, navigation, done } = stage(talk());
  const more = [event("A", "three"), event("A", "four")];
  navigation.click(6);
  navigation.show(NOTHING);
  navigation.followLate();
  assert.deepEqual([choices.selected, done.at(-1)], [6, 'tell {"at":null,"event":null}']);
  session.receive({ type: "log", entries: more, more: false });
  navigation.followLate();
  assert.deepEqual([choices.selected, done.at(-1)], [6, 'tell {"at":"5","event":null}']);
  done.length = 0;
  navigation.followLate();
  assert.deepEqual(done, [], "once");
});

test("a user who selects something else no longer waits for what the address names", () => {
  const { choices, navigation } = stage(talk());
  navigation.show({ ...NOTHING, at: "8" });
  navigation.click(3);
  assert.deepEqual([choices.selected, navigation.waits], [3, false]);
});

test("keys step from row to row and to the ends", () => {
  const { choices, navigation, done } = stage(talk());
  navigation.step(1);
  navigation.step(1);
  assert.equal(choices.selected, 3);
  navigation.step(-1);
  navigation.step(-1);
  assert.equal(choices.selected, 2, "there is nothing before it");
  navigation.toEdge(true);
  assert.deepEqual([choices.selected, done.at(-1)], [4, "to end"]);
});

test("the way to the beginning waits for it; a reader of the end stays there", () => {
  const early = stage(talk());
  early.session.preview = { rows: [] };
  early.navigation.toEdge(false);
  assert.equal(early.choices.selected, null);
  early.navigation.endPreview();
  assert.deepEqual([early.choices.selected, early.session.preview], [2, null]);
  const reading = stage(talk());
  reading.session.preview = { rows: [] };
  reading.navigation.endPreview();
  assert.equal(reading.done.at(-1), `reveal ${reading.list.rows[0].key}`);
});

test("Esc closes the pane, then the selection, then the narrowing, then nothing", () => {
  assert.equal(stage(talk(), { closesPane: true }).navigation.escape(), true);
  const { choices, navigation } = stage(talk());
  navigation.toggleFilter("agent", "A");
  navigation.click(3);
  assert.deepEqual([navigation.escape(), choices.selected, choices.filters], [true, null, { agent: "A" }]);
  assert.deepEqual([navigation.escape(), choices.filters], [true, {}]);
  assert.equal(navigation.escape(), false);
});

test("a filter that is clicked narrows the list, another choice takes its place, the same lifts it", () => {
  const { choices, navigation, done } = stage(talk());
  navigation.toggleFilter("agent", "A");
  assert.deepEqual([choices.filters, done], [{ agent: "A" }, ['tell {"filters":{"agent":"A"}}', "pane events"]]);
  navigation.toggleFilter("agent", "B");
  assert.deepEqual(choices.filters, { agent: "B" });
  done.length = 0;
  navigation.toggleFilter("agent", "B");
  assert.deepEqual([choices.filters, done], [{}, ['tell {"filters":{}}']]);
});

test("the selected row is shown in full; without one the key is left alone", () => {
  const { choices, navigation } = stage(talk());
  assert.equal(navigation.openRow(), false);
  navigation.click(3);
  assert.deepEqual([navigation.openRow(), choices.isOpen(3)], [true, true]);
});

test("what is folded away is shown again for who goes to it by key, not with a click on another row", () => {
  const { choices, navigation } = stage([event("user", "?", { branch: "h:1" }), event("h", "x", { branch: "h:1" })]);
  navigation.fold("h:1");
  navigation.select(2);
  assert.equal(choices.isFolded("h:1"), false);
});

test("what is folded is told to the address, and found by it again before and after it is here", () => {
  const talk = () => (startAt(), ["h:1", "h:2", "h:3"].map((branch) => event("h", "x", { branch })));
  const { navigation, done } = stage(talk());
  navigation.fold("h:3");
  navigation.fold("h:1");
  assert.deepEqual(done.filter((each) => each.startsWith("tell")), ['tell {"folds":"2"}', 'tell {"folds":"0.2"}']);
  const named = { ...NOTHING, folds: "0.2-99" };
  const early = stage([]);
  early.session.caughtUp = false;
  early.navigation.show(named);
  early.session.receive({ type: "log", entries: talk(), more: false });
  early.navigation.followLate();
  const late = stage(talk());
  late.navigation.show(named);
  for (const { choices, done } of [early, late]) {
    assert.deepEqual(["h:1", "h:2", "h:3"].map((branch) => choices.isFolded(branch)), [true, false, true]);
    assert.deepEqual(done, ['tell {"folds":"0.2"}'], "no more than there is");
  }
});

test("a span leads to its event, and the status to the first call that waits", () => {
  const ask = { function_call: { id: "c", name: "lookup", args: {} } };
  const { choices, navigation, done } = stage([
    entry("run_started"),
    event("A", null, { parts: [ask], long_running_tool_ids: ["c"] }),
    entry("run_finished", { status: "paused" }),
  ]);
  navigation.selectSpan({ seq: 1, endSeq: null, agent: "A" });
  assert.equal(choices.selected, 2);
  navigation.toCard();
  assert.deepEqual(done.slice(-2), ["paint", "focus 2.5"]);
  const none = stage(talk());
  none.navigation.toCard();
  assert.deepEqual(none.done, []);
});

test("another session wants nothing of the one before", () => {
  const { navigation } = stage(talk());
  navigation.show({ ...NOTHING, at: "99" });
  navigation.leaveSession();
  assert.equal(navigation.waits, false);
});

test("state is compared with what is named, or the selected entry is pinned; the address is told, and says it again", () => {
  const { choices, navigation, done } = stage(talk());
  navigation.compare("start");
  navigation.select(3, { quiet: true });
  done.length = 0;
  navigation.compare("here");
  assert.deepEqual([choices.since, done], ["2", ['tell {"since":"2"}']]);
  navigation.compare(null);
  assert.equal(choices.since, null);
  navigation.show({ ...NOTHING, since: "start" });
  assert.equal(choices.since, "start");
});
