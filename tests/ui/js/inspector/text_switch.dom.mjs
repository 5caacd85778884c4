import { drawOneSwitch, drawTextSwitch } from "../../../../ui/session_view/js/inspector/text_switch.js";
import { lookAt } from "../look.mjs";
import { equal, show, test, textOf } from "../stage.mjs";

test("a switch says whether it is on, and tells when it is pressed", () => {
  const look = lookAt([], { open: ["raw:1"] });
  const [all, one] = show(drawTextSwitch(look), drawOneSwitch("raw:1", look)).children;
  equal([textOf(all), all.ariaPressed, textOf(one), one.ariaPressed], ["Raw texts", "false", "Raw", "true"]);
  all.click();
  one.click();
  equal(look.asked, [["raw"], ["toggle", "raw:1"]]);
});
