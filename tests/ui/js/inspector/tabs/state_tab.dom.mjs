import { parseJson } from "../../../../../ui/browser/js/json.js";
import { drawStateTab } from "../../../../../ui/session_view/js/inspector/tabs/state_tab.js";
import { drawValue } from "../../../../../ui/session_view/js/inspector/values.js";
import { entry, event, startAt } from "../../log_entries.mjs";
import { lookAt } from "../../look.mjs";
import { all, equal, ok, show, test, textOf } from "../../stage.mjs";

function talk() {
  startAt();
  return [
    entry("session_created", { state: { topic: "tea", "user:tone": "dry" } }),
    event("A", "x", { delta: { draft: "One two three four five six seven eight nine ten." } }),
    event("B", "y", { delta: { draft: "One two three four FIVE six seven eight nine ten.", "app:n": 1, topic: "tea" } }),
  ];
}

test("state stands by scope, each key with who wrote it", () => {
  const look = lookAt(talk());
  const view = show(drawStateTab(look));
  equal(all(view, ".scope h3").map((title) => title.firstChild.data), ["Session", "User", "App"]);
  equal(all(view, ".scope .item").map((item) => textOf(item.querySelector(".key"))), [
    "draftby B, event 2",
    "topicby B, event 2",
    "tonefrom the start",
    "nby B, event 2",
  ]);
  view.querySelector("button.by").click();
  equal(look.asked, [["select", 3]]);
});

test("numbers keep every digit, alone and in what holds them", () => {
  const folds = { isOpen: () => true, toggle: () => {} };
  const account = parseJson("1234567890123456789");
  const alone = show(drawValue("session:account", account, folds));
  equal(textOf(alone.querySelector(".value.number")), "1234567890123456789");
  ok(textOf(show(drawValue("session:held", { accounts: [account] }, folds))).includes("1234567890123456789"));
});

test("the state after an event, and what it changed: marked, new, or written again", () => {
  const view = show(drawStateTab(lookAt(talk(), { at: 3 })));
  equal(textOf(view.querySelector(".where")), "State after event 2 of 2");
  const changes = all(view, ".changes .item");
  equal(changes.map((item) => textOf(item.querySelector(".key"))), ["draft", "app:n", "topic"]);
  equal([textOf(changes[0].querySelector("ins")), textOf(changes[1].querySelector(".tag")), textOf(changes[2])], [
    "FIVE",
    "new",
    "topicwritten again, same value",
  ]);
  equal(all(show(drawStateTab(lookAt(talk(), { at: 2 }))), ".scope code").map(textOf), ["draft", "topic", "tone"]);
});

test("where the state is from: now, at the end, before the first event, of no session", () => {
  const where = (...given) => textOf(show(drawStateTab(lookAt(...given))).querySelector(".where"));
  equal([where(talk()), where(talk(), { running: true }), where(talk(), { at: 1 }), where([])], [
    "State at the end, after event 2 of 2",
    "State now, after event 2",
    "State before the first event",
    "No session yet",
  ]);
});

test("an empty state teaches what state is; the playbook that a run will start with stands in it", () => {
  equal(textOf(show(drawStateTab(lookAt([])))).includes("State is what agents share."), true);
  const view = show(drawStateTab(lookAt([], { starting: { playbook: "ace", revision: 2, bullets: 5 } })));
  equal(textOf(view.querySelector(".item")), "playbookfrom the startPlaybook ace, revision 2, 5 bullets");
});

test("values: texts as they are, others as JSON, long ones cut, pictures shown", () => {
  const folds = (open) => ({ isOpen: () => open, toggle: () => {} });
  const value = (held, open = false) => show(drawValue("state:v", held, folds(open)));
  equal(textOf(value("<b>x</b>")), "<b>x</b>");
  equal(textOf(value("")), "empty text");
  equal(textOf(value({ a: [1] })), '{ "a": [ 1 ] }');
  const long = "word ".repeat(400);
  equal([textOf(value(long)).endsWith("show all 2,000 characters"), textOf(value(long, true)).endsWith("show less")], [
    true,
    true,
  ]);
  const picture = value("data:image/png;base64,AAAA").querySelector("img");
  equal([picture.alt, picture.src], ["Picture in v", "data:image/png;base64,AAAA"]);
});

test("a text is Markdown, or as it was written", () => {
  const folds = (raw) => ({ isOpen: () => false, toggle: () => {}, raw });
  const view = show(drawValue("state:v", "**a** [b](https://b.test/)", folds(false)));
  equal([textOf(view.querySelector("strong")), view.querySelector("a").href], ["a", "https://b.test/"]);
  equal(textOf(show(drawValue("state:v", "**a**", folds(true)))), "**a**");
});

test("long JSON is folded into a line, and so are its members", () => {
  const value = { operations: [{ content: "word ".repeat(60), n: 1 }, 2], about: { a: 1 }, none: null };
  const opened = (...open) => {
    const asked = [];
    const look = { isOpen: (key) => open.includes(key), toggle: (key) => asked.push(key) };
    return [show(drawValue("value:plan", value, look)), asked];
  };
  const [closed, asked] = opened();
  equal([textOf(closed), closed.querySelector("button").ariaExpanded], ["▸ {…} 3 keys1 null left out, all", "false"]);
  closed.querySelector(".folded").click();
  closed.querySelector(".nulls button").click();
  equal(asked, ["value:plan", "nulls"]);
  const [open] = opened("value:plan");
  equal(all(open, ".member").map(textOf), ["operations▸ 2 operations", 'about{ "a": 1 }']);
  const [whole] = opened("value:plan", "value:plan/operations", "value:plan/operations/0", "nulls");
  equal([all(whole, ".member > .name").map(textOf), textOf(whole.querySelector(".nulls"))], [
    ["operations", "0", "content", "n", "1", "about", "none"],
    "1 null, leave out",
  ]);
});

test("of a very long list the first members are shown, and the rest where it is wanted", () => {
  const list = (...open) =>
    show(
      drawValue("value:n", Array.from({ length: 150 }, (_, i) => i), {
        isOpen: (key) => open.includes(key),
        toggle: () => {},
      }),
    );
  equal([textOf(list()), all(list("value:n"), ".member").length, textOf(list("value:n").querySelector(".more"))], [
    "▸ […] 150 items",
    100,
    "show all 150",
  ]);
  equal(all(list("value:n", "value:n//"), ".member").length, 150);
});

test("the outputs of the roles around a playbook are shown as what they are", () => {
  startAt();
  const delta = {
    generator_output: { final_answer: "42", bullet_ids: ["a-1"] },
    "app:playbook": { playbook: "p", revision: 1 },
  };
  const view = show(drawStateTab(lookAt([event("G", "", { delta })], { at: 1 })));
  equal(all(view, ".output").map(textOf), ["42citesa-1", "42citesa-1"]);
  equal(all(view, ".output a.bullet-id").length, 2);
});

test("the key that was written last stands first", () => {
  startAt();
  const entries = [{ b: 1, a: 1 }, { c: 1 }, { b: 2 }].map((delta) => event("A", "", { delta }));
  equal(all(show(drawStateTab(lookAt(entries))), ".scope code").map(textOf), ["b", "c", "a"]);
});

test("a picture that replaced another one stands beside it", () => {
  startAt();
  const entries = ["AAAA", "BBBB"].map((data) => event("P", "", { delta: { image: `data:image/png;base64,${data}` } }));
  equal(all(show(drawStateTab(lookAt(entries, { at: 2 }))), ".changes img").length, 2);
});

test("changes are those of the event, since the start, or since a pinned event", () => {
  const keys = (more) => all(show(drawStateTab(lookAt(talk(), { at: 3, ...more }))), ".changes .item code").map(textOf);
  equal(keys({}), ["draft", "app:n", "topic"]);
  equal(keys({ since: "start", sinceSeq: 1 }), ["draft", "app:n"]);
  equal(keys({ since: "1", sinceSeq: 2 }), ["draft", "app:n"]);
  const title = (more) => textOf(show(drawStateTab(lookAt(talk(), more))).querySelector(".changes h3"));
  equal(title({ since: "start", sinceSeq: 1 }), "Changed from the start to event 2");
  equal(title({ at: 2, since: "2", sinceSeq: 3 }), "Changed from event 1 to event 2", "the earlier one first");
  const same = show(drawStateTab(lookAt(talk(), { at: 3, since: "2", sinceSeq: 3 })));
  equal(textOf(same.querySelector(".changes .note")), "No key has another value.");
});

test("what changes are counted from is a choice, and the selected event can be pinned", () => {
  const look = lookAt(talk(), { at: 3, since: "1", sinceSeq: 2 });
  const view = show(drawStateTab(look));
  const choices = all(view, ".since .choice");
  equal(choices.map((one) => [textOf(one), one.ariaPressed]), [
    ["event before", "false"],
    ["start", "false"],
    ["event 1, pinned", "true"],
  ]);
  choices[0].click();
  choices[1].click();
  equal(textOf(view.querySelector(".pin")), "Pin event 2");
  view.querySelector(".pin").click();
  equal(look.asked, [["compare", null], ["compare", "start"], ["compare", "here"]]);
  const pinned = (more) => show(drawStateTab(lookAt(talk(), more))).querySelector(".pin");
  equal([pinned({}), pinned({ at: 2, since: "1", sinceSeq: 2 })], [null, null], "nothing to pin, or it is");
});
