// @ts-check
/** Addresses of the app's own pages and routes, below its base path. */

import { appBase } from "./streamlit_page.js";

const WAY_BACK = ["pipeline", "session", "model", "agent_model"];

/**
 * The socket of a session's log, from the entry after `after` on.
 * @param {{ pipeline: string; session: string; after: number }} from
 */
export function logUrl({ pipeline, session, after }, doc = document) {
  return `${socketBase(doc)}api/log?${new URLSearchParams({ pipeline, session, after: String(after) })}`;
}

/** Where the app's sockets are. */
export function socketBase(doc = document) {
  const { protocol, host } = doc.location;
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}${appBase(doc)}`;
}

/**
 * @param {string} base
 * @param {string} section the part of it to open; "" for its first
 * @param {string} from the query of the page that leads there, so that there is a way back
 */
export function settingsPage(base, section = "", from = "") {
  const query = new URLSearchParams(section ? { tab: section } : {});
  for (const [name, value] of new URLSearchParams(from)) if (WAY_BACK.includes(name)) query.append(name, value);
  return `${base}settings${query.size ? `?${query}` : ""}`;
}

/**
 * @param {string} base
 * @param {string} pipeline
 * @param {string} from the query of the page that leads there: the model chosen on it is kept
 */
export function lessonPage(base, pipeline, from) {
  const model = new URLSearchParams(from).get("model");
  return `${base}gallery?${new URLSearchParams({ pipeline, ...(model && { model }) })}`;
}

/**
 * @param {string} base
 * @param {{ pipeline: string; session: string }} place
 */
export function sessionPage(base, { pipeline, session }) {
  return `${base}?${new URLSearchParams({ pipeline, session })}`;
}

/**
 * The Playbook page at a revision, with a bullet in view if one is named.
 * @param {string} base
 * @param {{ playbook: string; revision: number | null; bullet?: string }} place
 */
export function playbookPage(base, { playbook, revision, bullet }) {
  const query = new URLSearchParams({ playbook });
  if (revision != null) query.set("revision", String(revision));
  if (bullet) query.set("bullet", bullet);
  return `${base}playbook?${query}`;
}

/**
 * Where a file is served, below `base`.
 * @param {string} base
 * @param {{ pipeline: string; session: string; name: string; version: number }} file
 */
export function artifactUrl(base, { pipeline, session, name, version }) {
  return `${base}api/artifact?${new URLSearchParams({ pipeline, session, name, version: String(version) })}`;
}
