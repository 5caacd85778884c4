import { isDark } from "../../../../ui/session_view/js/dom/theme.js";
import { equal, show, test } from "../stage.mjs";

test("the page's own background tells whether it is dark, however the colour is written", () => {
  const view = show();
  const dark = (colour) => {
    view.style.setProperty("--st-background-color", colour);
    return isDark(view);
  };
  equal(["#ffffff", "#0e1117", "rgb(20, 20, 20)", "white", "rgba(10, 10, 10, 0.9)", ""].map(dark), [
    false,
    true,
    true,
    false,
    true,
    false,
  ]);
});
