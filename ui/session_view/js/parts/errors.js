// @ts-check
/** An error, with the way to what mends it. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { appBase } from "../../../browser/js/streamlit_page.js";
import { settingsPage } from "../../../browser/js/addresses.js";
import { clip } from "../words/format.js";
import { leadsToSettings } from "../words/records.js";

/**
 * @param {string | null | undefined} code
 * @param {string | null | undefined} message
 */
export function drawError(code, message) {
  return h(
    "div.error",
    {},
    icon("alert"),
    h(
      "div",
      {},
      code && h("b", {}, code),
      h("div.text", {}, clip(message ?? "No message was given.", 4000)),
      leadsToSettings(code) && drawSettingsLink("Open Settings"),
    ),
  );
}

/**
 * A link to where keys, servers, models and prices are set.
 * @param {string} words
 * @param {string} [section]
 */
export function drawSettingsLink(words, section) {
  return h("a.to-settings", { href: settingsPage(appBase(), section, location.search) }, words);
}
