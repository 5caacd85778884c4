/** Short ways to write log entries in tests. */

let seq = 0;

export function startAt(n = 0) {
  seq = n;
}

export function entry(kind, body = {}) {
  seq += 1;
  return { seq, kind, body: { invocation_id: "run", agent: "", timestamp: 1000 + seq, ...body } };
}

export function event(author, text, more = {}) {
  const { delta, escalate, parts, ...rest } = more;
  const actions = { ...(delta && { state_delta: delta }), ...(escalate && { escalate }) };
  return entry("event", {
    id: `e${seq + 1}`,
    author,
    agent: undefined,
    content: { role: "model", parts: parts ?? (text == null ? [] : [{ text }]) },
    ...(Object.keys(actions).length && { actions }),
    ...rest,
  });
}
