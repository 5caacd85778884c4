import { Inspector, TABS } from "../../../../ui/session_view/js/inspector/inspector.js";
import { event, startAt } from "../log_entries.mjs";
import { lookAt } from "../look.mjs";
import { all, equal, ok, press, root, show, test, textOf, until } from "../stage.mjs";

function stage(more = {}) {
  startAt();
  const told = [];
  const look = lookAt([event("A", "x", { delta: { n: "long ".repeat(300) } })], more);
  const inspector = new Inspector({
    onTab: (name) => told.push(name),
    onClose: () => told.push("close"),
    context: () => look,
  });
  const view = show(inspector.element);
  const tab = (name) => view.querySelector(`#tab-${name}`);
  return { inspector, view, told, look, tab };
}

const shownTabs = (view) => all(view, ".tab").filter(({ hidden }) => !hidden).map(textOf);
const selected = (view) => all(view, ".tab[aria-selected=true]").map(textOf);

test("every tab can be shown, and an unknown one is the first", () => {
  const { inspector, view } = stage({ learns: true, lesson: { pipeline: "p", text: "", sightings: [] } });
  for (const { name, label } of TABS) {
    inspector.show(name);
    equal([selected(view), inspector.tab], [[label], name]);
  }
  inspector.show("unknown");
  equal([selected(view), inspector.tab], [["State"], "state"]);
});

test("a click on a tab is told, once", () => {
  const { view, told, tab } = stage();
  tab("json").click();
  tab("json").click();
  equal([told, selected(view)], [["json"], ["JSON"]]);
  view.querySelector(".close").click();
  equal(told, ["json", "close"]);
});

test("the tab of a playbook is there only where there is one; what was wanted comes with it", () => {
  const { inspector, view, look } = stage();
  inspector.show("playbook");
  equal([shownTabs(view).includes("Playbook"), selected(view), inspector.tab], [false, ["State"], "playbook"]);
  look.learns = true;
  inspector.draw();
  equal([shownTabs(view).includes("Playbook"), selected(view)], [true, ["Playbook"]]);
});

test("the tab of a lesson is there only where there is one", () => {
  const { inspector, view, look } = stage();
  inspector.show("lesson");
  equal([shownTabs(view).includes("Lesson"), selected(view)], [false, ["State"]]);
  look.lesson = { pipeline: "p", text: "", sightings: [] };
  inspector.draw();
  equal([shownTabs(view).includes("Lesson"), selected(view)], [true, ["Lesson"]]);
});

test("arrows lead through the tabs that are there, round and round; other keys are left alone", () => {
  const { view, told, tab } = stage();
  press(tab("state"), "ArrowLeft");
  equal([told, root().activeElement.id], [["json"], "tab-json"]);
  press(tab("json"), "ArrowRight");
  press(tab("state"), "End");
  press(tab("json"), "Home");
  press(tab("state"), "ArrowRight");
  equal(selected(view), ["Event"]);
  equal([press(tab("event"), "x").defaultPrevented, press(tab("event"), "toString").defaultPrevented], [false, false]);
});

test("what was open of an entry is closed in another session, where another entry has its number", () => {
  const { inspector, view, look } = stage();
  const entry = event("A", "# Tea\n\n- green");
  Object.assign(look, lookAt([entry]), { selected: entry });
  inspector.show("event");
  const isRaw = () => view.querySelector(`[data-fold="raw:${entry.seq}"]`)?.getAttribute("aria-pressed");
  view.querySelector(`[data-fold="raw:${entry.seq}"]`).click();
  equal(isRaw(), "true");
  inspector.leaveSession();
  equal(isRaw(), "false");
});

test("a value that was opened in full stays so while other things are drawn", () => {
  const { inspector, view } = stage();
  view.querySelector("button.more").click();
  equal(textOf(view.querySelector("button.more")), "show less");
  const panel = view.querySelector(".panel");
  panel.style.cssText = "flex: none; height: 100px; overflow: auto";
  panel.scrollTop = 60;
  inspector.draw();
  equal([textOf(view.querySelector("button.more")), panel.scrollTop], ["show less", 60]);
  inspector.show("json");
  equal(panel.scrollTop, 0);
});

test("what opens in place keeps the focus, so that it closes by the same key", () => {
  const { view } = stage();
  const fold = () => all(view, "[data-fold]").find((button) => textOf(button).startsWith("show"));
  fold().focus();
  fold().click();
  equal([textOf(fold()), root().activeElement === fold()], ["show less", true]);
  fold().click();
  equal([textOf(fold()).startsWith("show all"), root().activeElement === fold()], [true, true]);
});

const inRow = (view) => new Set(all(view, ".tab").filter(({ hidden }) => !hidden).map((tab) => Math.round(tab.offsetTop)));
const more = (view) => view.querySelector(".more-tabs");
const listed = (view) => all(view, ".more-tabs option").slice(1).map(textOf);

test("tabs stand in one row, whole: those without room are in a list, which opens them", async () => {
  const { view, told, inspector } = stage({ learns: true, lesson: { pipeline: "p", text: "", sightings: [] } });
  for (const width of [900, 320, 240, 420, 900]) {
    view.style.width = `${width}px`;
    await until(() => more(view).hidden === (width === 900));
    const list = view.querySelector(".tablist");
    await until(() => list.scrollWidth <= list.clientWidth);
    equal([inRow(view).size, [...shownTabs(view), ...listed(view)]], [1, TABS.map(({ label }) => label)]);
  }
  view.style.width = "320px";
  await until(() => listed(view).includes("Lesson"));
  more(view).value = "lesson";
  more(view).dispatchEvent(new Event("change"));
  equal([told, selected(view), inRow(view).size], [["lesson"], ["Lesson"], 1]);
  ok(shownTabs(view).includes("Lesson") && !listed(view).includes("Lesson"), "the tab that is shown is in the row");
  equal(more(view).value, "");
  inspector.close();
});
