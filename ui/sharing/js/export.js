// @ts-check
/**
 * What of a session is exported, and links to its files. A choice changes the links in the browser, so a click right after it
 * asks for what is chosen.
 */

import { appBase } from "../../browser/js/streamlit_page.js";
import { h, replace } from "../../browser/js/elements.js";

/** @typedef {{ name: string; label: string; about: string; empty: boolean }} Scope */
/** @typedef {{ name: string; title: string; about: string }} Format */
/** @typedef {{ pipeline: string; session: string; scopes: Scope[]; formats: Format[] }} Data */

/** @type {WeakMap<ParentNode, string>} */
const drawn = new WeakMap();

/** @param {{ parentElement: ParentNode; data: Data }} component */
export default function exports({ parentElement, data }) {
  const shown = JSON.stringify(data);
  if (drawn.get(parentElement) === shown) return;
  drawn.set(parentElement, shown);
  const boxes = data.scopes.map(({ name, empty }) =>
    h("input", { type: "checkbox", checked: true, disabled: empty, value: name, onchange: point })
  );
  const links = data.formats.map(({ title }) => h("a", { download: "" }, title));
  const form = h(
    "form.export",
    {},
    h("p", {}, h("strong", {}, "What goes along")),
    data.scopes.map(({ label, about }, index) => [
      h("label", {}, boxes[index], h("span", {}, label)),
      about ? h("p.about", {}, about) : null,
    ]),
    h(
      "p.about",
      {},
      "Messages, answers and requests always go along, with the state that was written into them. Keys never do.",
    ),
    data.formats.map(({ about }, index) => h("div.format", {}, links[index], h("span.about", {}, about))),
  );
  const place = /** @type {Element} */ (parentElement.querySelector(".export-place") ?? h("div.export-place"));
  parentElement.append(place);
  replace(place, form);
  point();

  function point() {
    const { pipeline, session } = data;
    const chosen = boxes.filter((box) => box.checked).map((box) => ["scope", box.value]);
    data.formats.forEach(({ name }, index) => {
      const query = new URLSearchParams([["pipeline", pipeline], ["session", session], ["format", name], ...chosen]);
      links[index].href = `${appBase()}api/export?${query}`;
    });
  }
}
