/** Rows as the server sends them. */

export function row(id, more = {}) {
  const updated = 1_000_000 - Number(id.replace(/\D/g, "") || 0);
  return {
    pipeline: "p",
    id,
    title: `title ${id}`,
    status: "completed",
    outcome: "✓ completed",
    model: "",
    updated,
    fork: "",
    ...more,
  };
}

export function page(rows, more = {}) {
  const pipelines = [["p", "Pipeline P"], ["q", "Pipeline Q"]];
  return { look: "compact", pipeline: "p", session: null, rows, total: rows.length, pipelines, ...more };
}
