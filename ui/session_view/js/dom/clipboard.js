// @ts-check
/** Copying: a button that says whether it did. */

import { h, setText } from "../../../browser/js/elements.js";
import { icon } from "./icons.js";

/**
 * @param {string} name what the button says
 * @param {() => string} text what it copies
 */
export function drawCopy(name, text) {
  const label = h("span", {}, name);
  const copy = h("button.plain.copy", { type: "button" }, icon("copy"), label);
  copy.onclick = async () => setText(label, await copyText(text()) ? "Copied" : "Could not copy");
  return copy;
}

/**
 * The clipboard needs a secure page (https or this machine); elsewhere the old way still works.
 * @param {string} text
 */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
