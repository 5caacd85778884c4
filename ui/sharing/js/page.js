// @ts-check
/** The page of one session: its title, and the session view over the log that the page holds. */

import { h, replace } from "../../browser/js/elements.js";
import { ViewAddress } from "../../session_view/js/state/view_address.js";
import { SessionView } from "../../session_view/js/view/view.js";
import { recorded } from "./recorded.js";

const DARK = "(prefers-color-scheme: dark)";

export default function start() {
  const { pipeline, session, title, left_out, tree, prices, windows } = recorded();
  const place = h("main.view", {});
  const left = left_out.length ? ` Left out: state of the scope ${left_out.join(" and ")}.` : "";
  const said = `A recorded session of ${pipeline}. Nothing runs, and nothing is sent.${left}`;
  replace(document.body, h("header.about", {}, h("h1", {}, title || "Session"), h("p", {}, said)), place);
  const view = new SessionView(place, new ViewAddress());
  const draw = () => view.update({ pipeline, session, tree, prices, windows, written: 0, empty: { title, text: "" } }, {});
  matchMedia(DARK).addEventListener("change", draw);
  draw();
}

start();
