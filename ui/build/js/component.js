// @ts-check
/** What Streamlit calls. */

import { mounted } from "../../browser/js/mount.js";
import { TeamEditor } from "./team_editor.js";

/** @import { Api, Data } from "./types.d.ts" */

const draw = mounted((parent, /** @type {Data} */ _) => new TeamEditor(parent));

/** @param {{ parentElement: ParentNode; data: Data } & Api} call */
export default function teamEditor(call) {
  return draw(call);
}
