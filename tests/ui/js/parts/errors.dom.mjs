import { drawError, drawSettingsLink } from "../../../../ui/session_view/js/parts/errors.js";
import { all, equal, test, textOf } from "../stage.mjs";

test("an error has its code and message; one that Settings mend leads there", () => {
  equal(textOf(drawError("X", "It broke.")), "XIt broke.");
  equal(textOf(drawError(undefined, undefined)), "No message was given.");
  equal(all(drawError("API_KEY_MISSING", "No key."), "a").map((link) => link.getAttribute("href")), ["/settings"]);
});

test("a link to a part of Settings keeps the way back", () => {
  history.replaceState(null, "", "/?session=s&event=3");
  equal(drawSettingsLink("Prices", "prices").getAttribute("href"), "/settings?tab=prices&session=s");
  history.replaceState(null, "", "/");
});
