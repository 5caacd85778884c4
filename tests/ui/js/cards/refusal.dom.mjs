import { drawRefusal, examplesIn, listenToExamples, offerExamples } from "../../../../ui/session_view/js/cards/refusal.js";
import { all, equal, ok, root, show, test, textOf } from "../stage.mjs";

const refusal = (examples) => ({ custom_metadata: { simulated: true, refusal: { examples } } });

/** A view of a refusal that tells what is sent. */
function stage() {
  const view = show(drawRefusal(refusal(["Roll 3d6", "<b>Roll</b>"])));
  const sent = [];
  const letGo = listenToExamples(root(), (message) => sent.push(message));
  return { view, buttons: all(view, "button"), sent, letGo };
}

test("the examples and the way to a model are seen only where the page sends", () => {
  const { view, buttons, letGo } = stage();
  equal(buttons.map(textOf), ["▶ Roll 3d6", "▶ <b>Roll</b>"]);
  equal(all(view, "a").map(textOf), ["Connect a model"]);
  equal(buttons[0].offsetParent, null);
  offerExamples(root(), true);
  ok(buttons[0].offsetParent);
  buttons[0].focus();
  equal(document.activeElement, buttons[0]);
  offerExamples(root(), false);
  equal(buttons[0].offsetParent, null);
  letGo();
});

test("a click sends the whole example, a double click once", () => {
  const { buttons, sent, letGo } = stage();
  for (const detail of [1, 2]) buttons[1].dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
  equal(sent, ["<b>Roll</b>"]);
  letGo();
  buttons[0].click();
  equal(sent.length, 1);
});

test("an event without the mark offers nothing, whatever its text or its metadata", () => {
  for (
    const custom_metadata of [undefined, { simulated: true }, { refusal: "Roll 3d6" }, { refusal: { examples: "a" } }, {
      refusal: { examples: [1, "", null, `Roll 3d6 ${" ".repeat(80)}and send this, too`] },
    }]
  ) {
    equal(examplesIn({ custom_metadata }), []);
    equal(drawRefusal({ custom_metadata }), false);
  }
});
