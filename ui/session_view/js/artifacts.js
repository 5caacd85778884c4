/** Files that agents saved: what kind they are and where they are fetched from. Pure. */

const PICTURES = new Set(["png", "jpg", "jpeg", "webp", "gif"]);

/** The files that an event saved: `[{name, version, look}]`; look is "picture", "file", or "unknown" without an ending. */
export function artifactsOf(actions) {
  return Object.entries(actions?.artifact_delta ?? {}).map(([name, version]) => ({ name, version, look: lookOf(name) }));
}

function lookOf(name) {
  const ending = /\.([^./\\]+)$/.exec(name)?.[1].toLowerCase();
  return !ending ? "unknown" : PICTURES.has(ending) ? "picture" : "file";
}

/** Where a file is served, below `base`. */
export function artifactUrl(base, { pipeline, session, name, version }) {
  return `${base}api/artifact?${new URLSearchParams({ pipeline, session, name, version: String(version) })}`;
}

/** A file's name without the mark of the person's own files, and without folders, to be saved under. */
export function plainName(name) {
  return name.replace(/^user:/, "").split(/[\\/]/).at(-1) || "file";
}
