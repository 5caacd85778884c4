/** Addresses of the app's own pages, below its base path. Pure. */

const WAY_BACK = ["pipeline", "session", "model", "agent_model"];

/**
 * @param section the part of it to open; "" for its first
 * @param from the query of the page that leads there, so that there is a way back
 */
export function settingsPage(base, section = "", from = "") {
  const query = new URLSearchParams(section ? { tab: section } : {});
  for (const [name, value] of new URLSearchParams(from)) if (WAY_BACK.includes(name)) query.append(name, value);
  return `${base}settings${query.size ? `?${query}` : ""}`;
}

export function sessionPage(base, { pipeline, session }) {
  return `${base}?${new URLSearchParams({ pipeline, session })}`;
}
