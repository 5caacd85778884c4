/** Rows and answers as the server sends them, and a server that the test is. */

import { row as plain } from "./rows.mjs";

export function row(id, more = {}) {
  const updated = Date.now() / 1000 - 120;
  return { ...plain(id), updated, tags: [], facts: ["2 KB"], depth: 0, may: ["rename", "tag", "delete"], ...more };
}

export function answer(rows, more = {}) {
  const statuses = [["completed", "✓ completed"], ["running", "● running"]];
  const tags = [...new Set(rows.flatMap((each) => each.tags))];
  const counts = { found: rows.length, count: rows.length, size: "9 KB", unread: 0 };
  return { rows, ...counts, pipelines: ["p", "q"], statuses, tags, ...more };
}

/** Answers what is asked for with what `give` returns for the query; gives the queries, and what ends it. */
export function serve(give) {
  const real = globalThis.fetch;
  const asked = [];
  globalThis.fetch = async (url, { signal }) => {
    const query = Object.fromEntries(new URL(url, "http://here").searchParams);
    asked.push({ ...query, signal });
    const said = await give(query);
    if (signal.aborted) throw new DOMException("aborted", "AbortError");
    return said instanceof Response ? said : new Response(JSON.stringify(said));
  };
  return { asked, stop: () => (globalThis.fetch = real) };
}
