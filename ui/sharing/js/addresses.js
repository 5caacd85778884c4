// @ts-check
/** Where other things are: only the files that the page holds. Takes the place of the app's addresses. */

import { fileKey, recorded } from "./recorded.js";

/** No page of the app is here, so that what would lead to one is no link. */
export function settingsPage() {
  return null;
}

/** See `settingsPage`. */
export function lessonPage() {
  return null;
}

/** See `settingsPage`. */
export function sessionPage() {
  return null;
}

/** See `settingsPage`. */
export function playbookPage() {
  return null;
}

/**
 * A file that an agent saved, as an address that holds it; null if the page does not have it.
 * @param {string} _base
 * @param {{ name: string; version: number }} file
 */
export function artifactUrl(_base, file) {
  return recorded().files[fileKey(file)] ?? null;
}
