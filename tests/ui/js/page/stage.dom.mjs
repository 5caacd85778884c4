import { Stage } from "../../../../ui/session_view/js/page/stage.js";
import { equal, test } from "../stage.mjs";

const here = location.href;
const goTo = (query) => history.replaceState(null, "", `${here}${query}`);
const isLarge = () => document.documentElement.hasAttribute("data-stage");
const button = () => document.querySelector(".leave-stage");

test("the stage is in the address, and its button leaves it", () => {
  goTo("?session=s");
  const stage = new Stage();
  stage.turn(true);
  equal([location.search, isLarge(), stage.isOn], ["?session=s&stage=1", true, true]);
  button().click();
  equal([location.search, isLarge(), button()], ["?session=s", false, null]);
  goTo("");
});

test("what the script drops from the address is put back; Back leaves the stage", () => {
  goTo("?stage=1");
  const stage = new Stage();
  goTo("?session=t");
  stage.show();
  equal([location.search, isLarge()], ["?session=t&stage=1", true]);
  goTo("");
  stage.goBack();
  equal([location.search, isLarge()], ["", false]);
});
