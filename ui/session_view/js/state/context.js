// @ts-check
/** What the inspector looks at, put together from the session and what the user chose. */

import { entryAt, ordinalAt } from "../log/log.js";
import { startOf } from "../playbook/commits.js";
import { keepsPlaybook } from "../playbook/run.js";

/** @import { Context } from "../inspector/types.d.ts" */
/** @import { TreeIndex } from "../log/folds.d.ts" */
/** @import { Bullets } from "../playbook/bullets.js" */
/** @import { Texts } from "../prompt/texts.js" */
/** @import { Choices } from "./choices.js" */
/** @import { Navigation } from "./navigation.js" */
/** @import { Session } from "./session.js" */
/** @import { Props } from "./types.d.ts" */

/**
 * @param {Session} session
 * @param {Choices} choices
 * @param {Navigation} navigation
 * @param {{ index: TreeIndex; props: Props; bullets: Bullets; texts: Texts }} around
 * @returns {Context}
 */
export function contextOf(session, choices, navigation, { index, props, bullets, texts }) {
  const { log, status } = session;
  const selected = entryAt(log, choices.selected);
  return {
    log,
    index,
    prices: props.prices,
    windows: props.windows ?? [],
    starting: startOf(props.playbook),
    bullets,
    texts,
    place: { pipeline: props.pipeline, session: props.session },
    lesson: session.lesson,
    learns: log.playbook || keepsPlaybook(index),
    selected,
    ordinal: ordinalAt(log, choices.selected),
    usage: () => session.usageAt(selected),
    since: choices.since,
    sinceSeq: choices.sinceSeq(log),
    compare: (since) => navigation.compare(since),
    running: status === "running",
    raw: choices.raw,
    toggleRaw: () => navigation.toggleRaw(),
    select: (seq) => navigation.select(seq),
    pickSpan: (span) => navigation.selectSpan(span),
  };
}
