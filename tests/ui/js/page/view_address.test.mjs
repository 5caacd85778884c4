import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { ViewAddress } from "../../../../ui/session_view/js/page/view_address.js";

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

const shows = (some) => ({ event: null, tab: null, agent: null, folds: null, ...some });
const where = () => location.href.replace("http://here", "");

test("at first the address says what is shown, and stays as it is", () => {
  assert.deepEqual(at("/?session=s&event=7&tab=json").shown, shows({ event: 7, tab: "json" }));
  assert.deepEqual(at("/?session=s").shown, shows({ event: null, tab: null }));
  assert.equal(writes, 0);
});

test("an event that is no number is none, and does no harm", () => {
  for (const junk of ["", "-1", "1e3", "٣", "<b>", "1".repeat(16)]) {
    assert.equal(at(`/?session=s&event=${encodeURIComponent(junk)}`).shown.event, null);
    assert.equal(where(), "/?session=s");
  }
});

test("a choice stands in the address at once, one that is let go of does not", () => {
  const { view } = at("/?session=s&model=m");
  view.choose({ event: 3 });
  assert.equal(where(), "/?session=s&model=m&event=3");
  mock.timers.tick(WRITE_EVERY);
  view.choose({ tab: "json" });
  mock.timers.tick(WRITE_EVERY);
  view.choose({ event: null });
  assert.equal(where(), "/?session=s&model=m&tab=json");
});

test("a key that is held down does not exhaust what a browser allows; the last choice counts", () => {
  const { view } = at("/?session=s");
  for (let event = 1; event <= 30; event += 1) view.choose({ event });
  assert.deepEqual([writes, where()], [1, "/?session=s&event=1"]);
  mock.timers.tick(WRITE_EVERY);
  assert.deepEqual([writes, where()], [2, "/?session=s&event=30"]);
  mock.timers.tick(WRITE_EVERY);
  view.choose({ event: 31 });
  assert.equal(where(), "/?session=s&event=31");
});

test("what the script dropped is put back", () => {
  const { view } = at("/?session=s&event=7&tab=json");
  goTo("/?session=s&model=m");
  assert.deepEqual(view.arrive(S), shows({ event: 7, tab: "json" }));
  assert.equal(where(), "/?session=s&model=m&event=7&tab=json");
});

test("what the script names is shown instead, and 0 lets go", () => {
  const { view } = at("/?session=s&event=7&tab=json");
  goTo("/?session=s&event=9&tab=playbook");
  assert.deepEqual(view.arrive(S), shows({ event: 9, tab: "playbook" }));
  goTo("/?session=s&event=0");
  assert.deepEqual(view.arrive(S), shows({ event: null, tab: "playbook" }));
  assert.equal(where(), "/?session=s&tab=playbook");
});

test("another session keeps the tab and none of the events", () => {
  const { view } = at("/?session=s&event=7&tab=json");
  goTo("/?session=t");
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({ event: null, tab: "json" }));
  assert.equal(where(), "/?session=t&tab=json");
});

test("an event that is chosen while the script goes on is not written into the other session's address", () => {
  const { view } = at("/?session=s");
  goTo("/?session=t");
  view.choose({ event: 3 });
  assert.equal(where(), "/?session=t");
  goTo("/settings?session=s");
  view.choose({ event: 4 });
  mock.timers.tick(WRITE_EVERY);
  assert.equal(where(), "/settings?session=s");
});

test("Back leads to what that address names, and to nothing that it does not name", () => {
  const { view } = at("/?session=s&event=7&tab=json");
  goTo("/?session=s&event=3");
  assert.deepEqual(view.goBack(), shows({ event: 3, tab: null }));
  goTo("/?session=s");
  assert.deepEqual(view.goBack(), shows({ event: null, tab: null }));
});

test("Back to another session waits for the script, and shows that session's event and tab", () => {
  const { view } = at("/?session=s&event=7&tab=json");
  goTo("/?session=t&event=2");
  assert.equal(view.goBack(), null);
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({ event: 2, tab: null }));
  goTo("/settings?tab=prices");
  assert.equal(view.goBack(), null);
  goTo("/?session=t");
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({ event: 2, tab: null }));
});

test("a view that is taken down leaves its last choice in the address, and nothing follows", () => {
  const { view } = at("/?session=s");
  view.choose({ event: 1 });
  view.choose({ event: 2 });
  view.stop();
  assert.equal(where(), "/?session=s&event=2");
  goTo("/?session=s");
  mock.timers.tick(WRITE_EVERY);
  assert.equal(where(), "/?session=s");
  view.arrive(S);
  view.choose({ event: 5 });
  assert.equal(where(), "/?session=s&event=5");
});

test("the agent and the folds stand there too; another session keeps the agent, another pipeline neither", () => {
  const { view, shown } = at("/?session=s&agent=Critic&folds=0-3.7");
  assert.deepEqual(shown, shows({ agent: "Critic", folds: "0-3.7" }));
  goTo("/?session=s&model=m");
  assert.deepEqual(view.arrive(S), shown);
  assert.equal(where(), "/?session=s&model=m&agent=Critic&folds=0-3.7");
  goTo("/?session=t");
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({ agent: "Critic" }));
  goTo("/?session=t");
  assert.deepEqual(view.arrive({ pipeline: "q", session: "t" }), shows({}));
});

test("Back takes the agent and the folds from the address, and not those of another session", () => {
  const { view } = at("/?session=s&agent=Critic&folds=1");
  goTo("/?session=s&folds=2");
  assert.deepEqual(view.goBack(), shows({ folds: "2" }));
  goTo("/?session=t&agent=Refiner");
  assert.equal(view.goBack(), null);
  assert.deepEqual(view.arrive({ pipeline: "p", session: "t" }), shows({ agent: "Refiner" }));
});

test("a name or folds that are too long or nonsense are none, and leave the address", () => {
  const { shown } = at(`/?session=s&agent=${"a".repeat(101)}&folds=${"1.".repeat(500)}`);
  assert.deepEqual([shown, where()], [shows({}), "/?session=s"]);
  assert.deepEqual(at("/?session=s&folds=%3Cscript%3E").shown, shows({}));
});
