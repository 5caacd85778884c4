/** What the inspector looks at, made of log entries. */

import { indexTree } from "../../../ui/session_view/js/log/agent_tree.js";
import { append, emptyLog, entryAt, ordinalAt, usageAt } from "../../../ui/session_view/js/log/log.js";
import { createBullets } from "../../../ui/session_view/js/playbook/bullets.js";

/** A look at entries: at the one with `seq` `at`, or at the end; what is asked for is noted in `asked`. */
export function lookAt(entries, { at = null, open = [], ...more } = {}) {
  const log = emptyLog();
  append(log, entries);
  const asked = [];
  return {
    log,
    index: indexTree(null),
    prices: [],
    windows: [],
    bullets: createBullets({ get: () => Promise.reject(new Error("There is no server.")), onChange: () => {} }),
    texts: { of: () => ({ found: new Map(), error: "", ready: true }), retry: () => asked.push(["retry"]) },
    codes: { of: () => ({ code: null, error: "" }), retry: () => asked.push(["retry"]) },
    place: { pipeline: "p", session: "s" },
    starting: null,
    lesson: null,
    learns: log.playbook,
    selected: entryAt(log, at),
    ordinal: ordinalAt(log, at),
    usage: () => usageAt(log, at),
    since: null,
    sinceSeq: null,
    compare: (since) => asked.push(["compare", since]),
    running: false,
    raw: false,
    toggleRaw: () => asked.push(["raw"]),
    select: (seq) => asked.push(["select", seq]),
    pickSpan: (span) => asked.push(["span", span.name]),
    isOpen: (key) => open.includes(key),
    toggle: (key) => asked.push(["toggle", key]),
    asked,
    ...more,
  };
}
