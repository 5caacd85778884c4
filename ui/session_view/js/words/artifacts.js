// @ts-check
/** Files that agents saved: what kind they are, and what they are saved as. */

/** @import { Actions } from "../log/entries.d.ts" */
/** @typedef {{ name: string; version: number; look: "picture" | "file" | "unknown" }} Artifact */

const PICTURES = new Set(["png", "jpg", "jpeg", "webp", "gif"]);

/**
 * The files that an event saved: `[{name, version, look}]`; look is "picture", "file", or "unknown" without an ending.
 * @param {Actions | undefined} actions
 * @returns {Artifact[]}
 */
export function artifactsOf(actions) {
  return Object.entries(actions?.artifact_delta ?? {}).map(([name, version]) => ({ name, version, look: lookOf(name) }));
}

/** @param {string} name */
function lookOf(name) {
  const ending = /\.([^./\\]+)$/.exec(name)?.[1].toLowerCase();
  return !ending ? "unknown" : PICTURES.has(ending) ? "picture" : "file";
}

/**
 * A file's name without the mark of the person's own files, and without folders, to be saved under.
 * @param {string} name
 */
export function plainName(name) {
  return name.replace(/^user:/, "").split(/[\\/]/).at(-1) || "file";
}
