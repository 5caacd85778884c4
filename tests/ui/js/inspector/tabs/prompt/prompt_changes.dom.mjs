import { drawChanges } from "../../../../../../ui/session_view/js/inspector/tabs/prompt/prompt_changes.js";
import { lookAt } from "../../../look.mjs";
import { all, equal, show, test, textOf } from "../../../stage.mjs";

const part = (kind, text, more = {}) => ({ kind, name: "", text, tokens: text.length, seq: null, ...more });
const said = (name, text) => part("history", text, { name });
const promptOf = (...parts) => ({ record: { started: { body: { call: 3 } } }, parts });
const BEFORE = promptOf(
  part("instruction", "Write about tea."),
  said("A", "one"),
  said("B", "two"),
  said("C", "<i>old</i>"),
);
const AFTER = promptOf(part("instruction", "Write about rum."), said("A", "one"), said("B", "two"), said("D", "<b>new</b>"));

const draw = (before, after, open = []) => {
  const look = lookAt([], { open });
  return { look, view: show(drawChanges(before, after, 100, look)) };
};

test("texts are compared word by word, the history message by message; what stayed is folded away", () => {
  const { look, view } = draw(BEFORE, AFTER);
  equal(textOf(view.querySelector("h3")), "Changed since call 3");
  equal(all(view, ".sent-part").map((one) => one.className.split(" ").slice(1).join(" ")), [
    "source-instruction",
    "source-history",
    "source-history gone",
    "source-history new",
  ]);
  const fold = view.querySelector("[data-fold]");
  equal([textOf(fold), fold.getAttribute("aria-expanded")], ["Show 2 messages that stayed", "false"]);
  fold.click();
  equal(look.asked, [["toggle", "prompt:message:0"]]);
  equal(all(view, ".gone .sent-text, .new .sent-text").map(textOf), ["<i>old</i>", "<b>new</b>"], "text is text");
  equal(all(view, ".sent-part .tag").map(textOf), ["gone", "new"], "and not colour alone");
});

test("what stayed can be read, and a message with another text is marked word by word", () => {
  const open = draw(BEFORE, AFTER, ["prompt:message:0"]).view;
  equal(all(open, ".sent-part .sent-part .sent-text").map(textOf), ["one", "two"]);
  equal(textOf(open.querySelector("[data-fold]")), "Hide 2 messages that stayed");
  const text = "The harbour lights were out, and nobody on the quay could say why it was so ";
  const { view } = draw(promptOf(said("A", `${text}dark.`)), promptOf(said("A", `${text}quiet.`)));
  equal(all(view, ".changed del, .changed ins").map(textOf), ["dark", "quiet"]);
});

test("where nothing differs, that is said", () => {
  equal(textOf(draw(AFTER, AFTER).view.querySelector(".note")), "The same was sent, word by word.");
});
