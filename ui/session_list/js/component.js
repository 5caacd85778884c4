// @ts-check
/** What Streamlit calls. */

import { mounted } from "../../browser/js/mount.js";
import { SessionList } from "./session_list.js";

/** @import { Api, Data } from "./types.d.ts" */

const draw = mounted((parent, /** @type {Data} */ data) => new SessionList(parent, data.look));

/** @param {{ parentElement: ParentNode; data: Data } & Api} call */
export default function sessionList(call) {
  return draw(call);
}
