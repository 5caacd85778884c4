import { h } from "../../../../ui/browser/js/elements.js";
import { Layout } from "../../../../ui/session_view/js/view/layout.js";
import { all, equal, ok, root, test, textOf, until } from "../stage.mjs";

async function stage(width) {
  let shows = 0;
  const layout = new Layout(h("div.panes"), h("div.speech"), () => (shows += 1));
  layout.element.style.width = `${width}px`;
  root().append(layout.element);
  await until(() => layout.element.dataset.size);
  const pressed = () => all(layout.element, ".switch button[aria-pressed=true]").map(textOf);
  return { layout, pressed, shows: () => shows };
}

test("panes stand side by side as there is room", async () => {
  const sizes = [];
  for (const width of [950, 700, 400]) {
    const { layout } = await stage(width);
    sizes.push(layout.element.dataset.size);
    layout.close();
  }
  equal(sizes, ["wide", "medium", "narrow"]);
});

test("where one pane is shown at a time, a switch changes it, and the list is painted", async () => {
  const { layout, pressed, shows } = await stage(400);
  equal([layout.element.dataset.pane, pressed()], ["events", ["Events"]]);
  const before = shows();
  all(layout.element, ".switch button")[0].click();
  equal([layout.element.dataset.pane, pressed(), shows() > before], ["agents", ["Agents"], true]);
  layout.close();
});

test("a chosen event opens the inspector where it is not in view; Esc goes back", async () => {
  const narrow = (await stage(400)).layout;
  equal(narrow.closePane(), false);
  narrow.showChoice(true);
  equal([narrow.element.dataset.pane, narrow.closePane(), narrow.element.dataset.pane], ["inspector", true, "events"]);
  narrow.close();
  const wide = (await stage(950)).layout;
  wide.showChoice(true);
  equal([wide.element.dataset.pane, wide.closePane()], ["events", false]);
  wide.close();
});

test("the view takes the height above the chat input, and not less than it needs", async () => {
  const bottom = h("div", { "data-testid": "stBottom" });
  bottom.style.height = "100px";
  document.body.append(bottom);
  const { layout } = await stage(950);
  layout.setHeight(true);
  const top = layout.element.getBoundingClientRect().top;
  const fits = Math.max(380, Math.floor(innerHeight - top - 100 - 12));
  equal(layout.element.style.height, `${fits}px`);
  layout.setHeight(false);
  equal(layout.element.style.height, "");
  bottom.remove();
  layout.close();
});

test("the theme follows the page's background; a view that is closed is gone", async () => {
  const { layout } = await stage(950);
  layout.element.style.setProperty("--st-background-color", "#0e1117");
  layout.setTheme();
  equal(layout.element.dataset.theme, "dark");
  layout.close();
  ok(!layout.element.isConnected);
});
