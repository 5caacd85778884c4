// @ts-check
/** Files that agents saved: what kind they are and where they are fetched from. */

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
 * Where a file is served, below `base`.
 * @param {string} base
 * @param {{ pipeline: string; session: string; name: string; version: number }} file
 */
export function artifactUrl(base, { pipeline, session, name, version }) {
  return `${base}api/artifact?${new URLSearchParams({ pipeline, session, name, version: String(version) })}`;
}

/**
 * A file's name without the mark of the person's own files, and without folders, to be saved under.
 * @param {string} name
 */
export function plainName(name) {
  return name.replace(/^user:/, "").split(/[\\/]/).at(-1) || "file";
}
