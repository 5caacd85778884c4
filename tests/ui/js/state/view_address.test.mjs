import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { ViewAddress } from "../../../../ui/session_view/js/state/view_address.js";

const WRITE_EVERY = 300;
const S = { pipeline: "p", session: "s" };
let writes = 0;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  writes = 0;
  globalThis.history = { state: { a: 1 }, replaceState: (state, _, url) => (assert.ok(state.a), (writes += 1), goTo(url)) };
});

/** Leads to an address, as the script, a link or the Back button does. */
function goTo(address) {
  const { href, pathname } = new URL(address, "http://here/");
  globalThis.location = { href, pathname };
}

/** The address of a view that is shown there. */
function at(address, place = S) {
  goTo(address);
  const view = new ViewAddress();
  return { view, shown: view.arrive(place) };
}

const shows = (some) => ({ at: null, event: null, tab: null, filters: {}, folds: null, since: null, ...some });
const where = () => location.href.replace("http://here", "");

test("at first the address says what is shown, and stays as it is", () => {
  assert.deepEqual(at("/?session=s&at=7&tab=json").shown, shows({ at: "7", tab: "json" }));
  assert.deepEqual(at("/?session=s").shown, shows({ event: null, tab: null }));
  assert.equal(writes, 0);
});

test("an event that is no number is none, and does no harm", () => {
  for (const junk of ["", "-1", "1e3", "٣", "<b>", "1".repeat(16), "1.", "1.0", ".1", "1.2.3"]) {
    assert.deepEqual(at(`/?session=s&at=${encodeURIComponent(junk)}`).shown, shows({}));
    assert.equal(where(), "/?session=s");
    assert.deepEqual(at(`/?session=s&event=${encodeURIComponent(junk)}`).shown, shows({}));
    assert.equal(where(), "/?session=s");
  }
});

test("an older link names an event by its seq, until the view knows its number", () => {
  const { view, shown } = at("/?session=s&event=312&tab=json");
  assert.deepEqual(shown, shows({ event: 312, tab: "json" }));
  assert.equal(where(), "/?session=s&event=312&tab=json");
  view.choose({ at: "12.3", event: null });
  assert.equal(where(), "/?session=s&tab=json&at=12.3");
  assert.deepEqual(at("/?session=s&at=7&event=312").shown, shows({ at: "7" }), "the number counts");
  assert.equal(where(), "/?session=s&at=7");
});

test("a choice stands in the address at once, one that is let go of does not", () => {
  const { view } = at("/?session=s&model=m");
  view.choose({ at: "3" });
  assert.equal(where(), "/?session=s&model=m&at=3");
  mock.timers.tick(WRITE_EVERY);
  view.choose({ tab: "json" });
  mock.timers.tick(WRITE_EVERY);
  view.choose({ at: null });
  assert.equal(where(), "/?session=s&model=m&tab=json");
});

test("a key that is held down does not exhaust what a browser allows; the last choice counts", () => {
  const { view } = at("/?session=s");
  for (let at = 1; at <= 30; at += 1) view.choose({ at: `${at}` });
  assert.deepEqual([writes, where()], [1, "/?session=s&at=1"]);
  mock.timers.tick(WRITE_EVERY);
  assert.deepEqual([writes, where()], [2, "/?session=s&at=30"]);
  mock.timers.tick(WRITE_EVERY);
  view.choose({ at: "31" });
  assert.equal(where(), "/?session=s&at=31");
});

test("what the script dropped is put back", () => {
  const { view } = at("/?session=s&at=7&tab=json");
  goTo("/?session=s&model=m");
  assert.deepEqual(view.arrive(S), shows({ at: "7", tab: "json" }));
  assert.equal(where(), "/?session=s&model=m&at=7&tab=json");
});

test("what the script names is shown instead, and 0 lets go", () => {
  const { view } = at("/?session=s&at=7&tab=json");
  goTo("/?session=s&at=9&tab=playbook");
  assert.deepEqual(view.arrive(S), shows({ at: "9", tab: "playbook" }));
  goTo("/?session=s&at=0");
  assert.deepEqual(view.arrive(S), shows({ event: null, tab: "playbook" }));
  assert.equal(where(), "/?session=s&tab=playbook");
});

test("another session keeps the tab and none of the events", () => {
  const { view } = at("/?session=s&at=7&tab=json");
  goTo("/?session=t");
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({ event: null, tab: "json" }));
  assert.equal(where(), "/?session=t&tab=json");
});

test("an event that is chosen while the script goes on is not written into the other session's address", () => {
  const { view } = at("/?session=s");
  goTo("/?session=t");
  view.choose({ at: "3" });
  assert.equal(where(), "/?session=t");
  goTo("/settings?session=s");
  view.choose({ at: "4" });
  mock.timers.tick(WRITE_EVERY);
  assert.equal(where(), "/settings?session=s");
});

test("Back leads to what that address names, and to nothing that it does not name", () => {
  const { view } = at("/?session=s&at=7&tab=json");
  goTo("/?session=s&at=3");
  assert.deepEqual(view.goBack(), shows({ at: "3", tab: null }));
  goTo("/?session=s");
  assert.deepEqual(view.goBack(), shows({ event: null, tab: null }));
});

test("Back to another session waits for the script, and shows that session's event and tab", () => {
  const { view } = at("/?session=s&at=7&tab=json");
  goTo("/?session=t&at=2");
  assert.equal(view.goBack(), null);
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({ at: "2", tab: null }));
  goTo("/settings?tab=prices");
  assert.equal(view.goBack(), null);
  goTo("/?session=t");
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({ at: "2", tab: null }));
});

test("a view that is taken down leaves its last choice in the address, and nothing follows", () => {
  const { view } = at("/?session=s");
  view.choose({ at: "1" });
  view.choose({ at: "2" });
  view.stop();
  assert.equal(where(), "/?session=s&at=2");
  goTo("/?session=s");
  mock.timers.tick(WRITE_EVERY);
  assert.equal(where(), "/?session=s");
  view.arrive(S);
  view.choose({ at: "5" });
  assert.equal(where(), "/?session=s&at=5");
});

test("filters and folds stand there too; another session keeps the filters, another pipeline neither", () => {
  const { view, shown } = at("/?session=s&agent=Critic&folds=0-3.7");
  assert.deepEqual(shown, shows({ filters: { agent: "Critic" }, folds: "0-3.7" }));
  goTo("/?session=s&model=m");
  assert.deepEqual(view.arrive(S), shown);
  assert.equal(where(), "/?session=s&model=m&agent=Critic&folds=0-3.7");
  goTo("/?session=t");
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({ filters: { agent: "Critic" } }));
  goTo("/?session=t");
  assert.deepEqual(view.arrive({ pipeline: "q", session: "t" }), shows({}));
});

test("Back takes the filters and the folds from the address, and not those of another session", () => {
  const { view } = at("/?session=s&agent=Critic&folds=1");
  goTo("/?session=s&folds=2");
  assert.deepEqual(view.goBack(), shows({ folds: "2" }));
  goTo("/?session=t&agent=Refiner");
  assert.equal(view.goBack(), null);
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({ filters: { agent: "Refiner" } }));
});

test("a name or folds that are too long or nonsense are none, and leave the address", () => {
  const { shown } = at(`/?session=s&agent=${"a".repeat(101)}&folds=${"1.".repeat(500)}`);
  assert.deepEqual([shown, where()], [shows({}), "/?session=s"]);
  assert.deepEqual(at("/?session=s&folds=%3Cscript%3E").shown, shows({}));
});

test("what state is compared with stands there too, unless it is nonsense; another session begins anew", () => {
  const { view, shown } = at("/?session=s&at=7&since=3.2");
  assert.deepEqual(shown, shows({ at: "7", since: "3.2" }));
  view.choose({ since: "start" });
  mock.timers.tick(WRITE_EVERY);
  assert.equal(where(), "/?session=s&at=7&since=start");
  goTo("/?session=t");
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({}));
  for (const junk of ["0", "-1", "beginning", "1.0", "<b>"]) {
    assert.equal(at(`/?session=s&since=${encodeURIComponent(junk)}`).shown.since, null);
  }
});
