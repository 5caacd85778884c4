import {
  button,
  buttons,
  closeForm,
  drawField,
  drawValues,
  onEnter,
  problem,
} from "../../../../ui/session_view/js/cards/controls.js";
import { all, equal, press, show, test, textOf, type } from "../stage.mjs";
import { form } from "./desk.mjs";

test("a button that is off stays in the tab order and does nothing", () => {
  let acted = 0;
  const act = () => (acted += 1);
  const view = show(
    buttons(button("On", "on", act, { off: false, look: "main", sign: "check" }), button("Off", "off", act, { off: true })),
  );
  all(view, "button").forEach((each) => each.click());
  equal([acted, all(view, "button").map((each) => [each.dataset.do, each.getAttribute("aria-disabled"), each.disabled])], [
    1,
    [
      ["on", null, false],
      ["off", "true", false],
    ],
  ]);
});

test("Enter sends, but not while a word is composed", () => {
  let sent = 0;
  const input = document.createElement("input");
  input.onkeydown = onEnter(() => (sent += 1));
  show(input);
  press(input, "a");
  press(input, "Enter", { isComposing: true });
  equal(press(input, "Enter").defaultPrevented, true);
  equal(sent, 1);
});

test("a form that is closed forgets what was wrong, and leads back to what opened it", () => {
  const made = form({ draft: { form: "edit", reason: "kept", errors: { a: "x" }, fields: {} } });
  closeForm(made);
  equal([made.draft.form, made.draft.errors, made.draft.fields, made.draft.reason, made.shown], [
    "choose",
    {},
    null,
    "kept",
    ["[data-do=edit]"],
  ]);
});

test("a field is what its value is, and what is typed is told at once", () => {
  const told = [];
  const drawn = (kind, held) =>
    show(
      drawField({ kind, held }, { label: kind, error: "", off: false, onDone: () => {}, onChange: (now) => told.push(now) }),
    )
      .querySelector("input, textarea");
  const fields = {
    text: drawn("text", "a"),
    number: drawn("number", "7"),
    long: drawn("long", "a\nb"),
    json: drawn("json", "{}"),
  };
  equal(Object.values(fields).map(({ type, value }) => [type, value]), [
    ["text", "a"],
    ["text", "7"],
    ["textarea", "a\nb"],
    ["textarea", "{}"],
  ]);
  type(fields.long, "c");
  const check = drawn("boolean", true);
  check.click();
  equal(told, ["c", false]);
});

test("what is wrong with a field is tied to it and said", () => {
  const options = { label: "n", error: "This has to be a number.", off: true, onDone: () => {}, onChange: () => {} };
  const view = show(drawField({ kind: "number", held: "x" }, options));
  const [input, note] = [view.querySelector("input"), view.querySelector(".problem")];
  equal([input.getAttribute("aria-invalid"), input.getAttribute("aria-describedby") === note.id, input.disabled], [
    "true",
    true,
    true,
  ]);
  equal([textOf(note), note.getAttribute("role")], ["This has to be a number.", "alert"]);
  equal(problem(undefined).note, null);
});

test("values on a line where they fit, else as indented JSON", () => {
  const view = show(drawValues({ a: "<b>", small: { x: 1 }, large: { text: "word ".repeat(20) } }));
  equal(all(view, "dt").map(textOf), ["a", "small", "large"]);
  equal(all(view, "dd").map((each) => each.textContent.split("\n").length), [1, 1, 3]);
  equal(drawValues({}), false);
});
