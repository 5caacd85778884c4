// @ts-check
/** A row of text that is being written: thoughts stream until the answer begins, then fold to what they began with. */

import { h, setText } from "../../../browser/js/elements.js";
import { icon, markIcon } from "../dom/icons.js";
import { markOf } from "../log/agent_tree.js";
import { writeOn } from "../markdown/patch.js";
import { TextStream } from "../markdown/text_stream.js";
import { clip } from "../words/format.js";

/** @import { Draw, Row } from "../rows/types.d.ts" */

/** @type {Draw<"partial">} */
export function drawPartial(element, { partial }, { index, raw }) {
  const { author } = partial;
  const mark = markOf(index, author);
  const answer = new TextStream(raw);
  const thought = document.createTextNode("");
  const doing = h("span.tag.live");
  const gist = h("span.gist");
  const stream = h("div.stream", {}, h("div.text", {}, thought));
  const thinking = h("div.thought", {}, h("span.fold", {}, icon("thought"), "thought"), gist, stream);
  element.classList.add(`c-${mark.colour}`, "event");
  element.append(
    h("div.glyph.busy", {}, markIcon(mark)),
    h("div.body", {}, h("div.head", {}, h("span.name", {}, author), doing, h("span.space")), thinking, answer.element),
  );

  /** @param {typeof partial} now */
  function show(now) {
    const answering = now.text !== "";
    answer.update(now.text);
    if (!answering) writeOn(thought, now.thought);
    setText(gist, clip(now.thought.slice(0, 200).replace(/\s+/g, " "), 110));
    thinking.hidden = !now.thought;
    gist.hidden = !answering;
    stream.hidden = answering;
    answer.element.hidden = !answering;
    thinking.classList.toggle("now", !answering);
    setText(doing, answering ? "writing" : "thinking");
    element.setAttribute("aria-label", `${author} is ${answering ? "writing" : "thinking"}`);
  }

  /** @param {Row} row */
  function update(row) {
    if (row.type !== "partial") return false;
    show(row.partial);
    return true;
  }

  Object.assign(element, { update });
  show(partial);
}
