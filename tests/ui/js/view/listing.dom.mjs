import { h } from "../../../../ui/browser/js/elements.js";
import { Listing } from "../../../../ui/session_view/js/view/listing.js";
import { equal, show, test, textOf } from "../stage.mjs";

function stage() {
  const asked = [];
  const element = h("div.list", { style: "height: 300px; flex: none" });
  const list = { element, following: true, below: 0, toEnd: () => asked.push("end") };
  const options = { status: h("div.status"), list, onClear: () => asked.push("all"), onRetry: () => asked.push("retry") };
  const listing = new Listing(options);
  const view = show(listing.element);
  const seen = (selector) => (view.querySelector(selector).hidden ? null : textOf(view.querySelector(selector)));
  return { asked, list, listing, view, seen };
}

const FINE = { lost: false, problem: null, waits: false, loading: false, done: 1 };

test("a lost connection is told, with a way to try at once; what is wrong besides is told in its place", () => {
  const { asked, listing, view, seen } = stage();
  listing.showLink(FINE);
  equal(seen(".banner"), null);
  listing.showLink({ ...FINE, lost: true });
  equal(seen(".banner"), "Connection lost, reconnecting. Nothing that was stored is lost.Try now");
  view.querySelector(".banner button").click();
  listing.showLink({ ...FINE, lost: true, problem: "It was <deleted>." });
  equal([seen(".banner"), view.querySelector(".banner").classList.contains("gone"), asked], ["It was <deleted>.", true, [
    "retry",
  ]]);
  listing.showLink({ ...FINE, problem: "Waiting for its turn.", waits: true });
  equal([seen(".banner"), view.querySelector(".banner").classList.contains("gone")], ["Waiting for its turn.", false]);
});

test("progress shows how much is here, and not while nothing comes", () => {
  const { listing, view, seen } = stage();
  listing.showLink({ ...FINE, loading: true, done: 0.256 });
  equal([seen(".progress") !== null, view.querySelector(".progress i").style.width], [true, "26%"]);
  listing.showLink({ ...FINE, loading: true, lost: true });
  equal(seen(".progress"), null);
});

test("what the list is narrowed to is said, and how many events that are, with a way back to all", () => {
  const { asked, listing, view, seen } = stage();
  listing.showFilters("Critic", 3, false);
  equal(seen(".filter"), "Only Critic · 3 eventsShow all");
  view.querySelector(".filter button").click();
  listing.showFilters(null, 0, false);
  equal([seen(".filter"), asked], [null, ["all"]]);
});

test("a reader further up sees how much is new, and gets to the end", () => {
  const { asked, list, listing, view, seen } = stage();
  const pill = (arrived) => (listing.countArrived(arrived), listing.showPill(), seen(".pill"));
  equal(pill(2), null, "who follows sees it come");
  Object.assign(list, { following: false, below: 5000 });
  equal([pill(0), pill(1000), pill(234)], ["Latest ↓", "1,000 new ↓", "1,234 new ↓"]);
  view.querySelector(".pill").click();
  equal(asked, ["end"]);
  listing.leaveSession();
  equal(pill(0), "Latest ↓");
  list.following = true;
  listing.showPill();
  list.following = false;
  equal(pill(1), "1 new ↓", "what was reached is not new any more");
  list.below = 0;
  equal(pill(1), null, "it is in view");
  list.below = 60;
  equal(pill(1), "1 new ↓");
});

test("where there is no session, words stand in the place of the list", () => {
  const { list, listing, view, seen } = stage();
  listing.setEmpty({ title: "Writing", text: "Two agents <write>." });
  equal([seen(".empty h2"), seen(".empty p"), list.element.hidden], ["Writing", "Two agents <write>.", true]);
  listing.setEmpty(null);
  equal([view.querySelector(".empty").hidden, list.element.hidden], [true, false]);
});

test("an agent without events says so where its rows would be, with the way back above", () => {
  const { listing, view, seen } = stage();
  listing.showFilters("<b>", 0, true);
  equal([seen(".nothing"), textOf(view.querySelector(".filter"))], [
    "No events of <b> so far.",
    "Only <b> · 0 eventsShow all",
  ]);
  listing.showFilters("<b>", 0, false);
  equal(seen(".nothing"), null);
});
