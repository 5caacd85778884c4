// @ts-check
/** What Streamlit calls. */

import { mounted } from "../../../browser/js/mount.js";
import { CollectionList } from "./collection_list.js";

/** @import { Api, Data } from "./types.d.ts" */

const draw = mounted((parent) => new CollectionList(parent));

/** @param {{ parentElement: ParentNode; data: Data } & Api} call */
export default function collectionList(call) {
  return draw(call);
}
