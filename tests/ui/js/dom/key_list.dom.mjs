import { showKeys } from "../../../../ui/session_view/js/dom/key_list.js";
import { isInDialog } from "../../../../ui/browser/js/keyboard.js";
import { equal, test, until } from "../stage.mjs";

test("the list of keys opens once, takes the focus, and goes when it is closed", async () => {
  showKeys();
  showKeys();
  const [dialog, ...more] = document.querySelectorAll("dialog");
  equal([more.length, dialog.open, isInDialog(), document.activeElement.textContent], [0, true, true, "Close"]);
  document.activeElement.click();
  equal(isInDialog(), false);
  await until(() => !dialog.isConnected);
});
