import { drawCopy } from "../../../../ui/session_view/js/dom/clipboard.js";
import { equal, show, test, textOf, until } from "../stage.mjs";

test("what is copied is made when it is wanted, and the button says whether it was", async () => {
  const copied = [];
  const clipboard = { writeText: (text) => (copied.push(text), Promise.resolve()) };
  Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
  let text = "one";
  const button = drawCopy("curl", () => text);
  show(button);
  equal(textOf(button), "curl");
  text = "two";
  button.click();
  await until(() => textOf(button) === "Copied");
  equal(copied, ["two"]);
});
