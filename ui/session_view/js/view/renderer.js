// @ts-check
/** How a session is shown at a moment: rows, graph and status line, from what there is and what the user chose. */

import { filterWords } from "../filters/filters.js";
import { rowsToDraw } from "../filters/shown_rows.js";
import { createRowView } from "../list/row_view.js";
import { entryAt, ordinalAt } from "../log/log.js";

/** @import { createDecisions } from "../cards/decisions.js" */
/** @import { TreeIndex } from "../log/folds.d.ts" */
/** @import { Row } from "../rows/types.d.ts" */
/** @import { Choices } from "../state/choices.js" */
/** @import { Cursor } from "../state/cursor.js" */
/** @import { Navigation } from "../state/navigation.js" */
/** @import { Session } from "../state/session.js" */
/** @import { Props } from "../state/types.d.ts" */
/** @import { Panes } from "./panes.js" */

/**
 * What is shown, and where.
 * @typedef {object} Subject
 * @property {() => { session: Session; index: TreeIndex; props: Props }} now
 * @property {Choices} choices
 * @property {ReturnType<typeof createDecisions>} decisions
 * @property {Navigation} navigation
 * @property {Cursor} cursor
 * @property {() => Panes} panes
 */

export class Renderer {
  #subject;
  #drawRow;

  /** @param {Subject} subject */
  constructor(subject) {
    const { drawCard, drawThumbs } = subject.decisions;
    this.#subject = subject;
    this.#drawRow = createRowView({ card: drawCard, thumbs: drawThumbs });
  }

  paint() {
    const { cursor, now, panes } = this.#subject;
    const { session, props } = now();
    const { link, problem, waits, done } = session;
    const loading = props.session !== null && session.loading;
    panes().listing.showLink({ lost: link === "lost", problem, waits, loading, done });
    this.#paintRows(loading);
    this.#paintGraph();
    this.#paintStatus();
    cursor.paint();
  }

  /** @param {boolean} loading */
  #paintRows(loading) {
    const { choices, navigation, now, panes } = this.#subject;
    const { session: { preview, book, partials, readable }, index } = now();
    const { lastPicture, list, listing } = panes();
    // Of a log that is still loading, an entry that the page wants is looked for in the whole, not in its end.
    if (loading && (!readable || (preview && navigation.waits))) return;
    const { rows, same, matches } = rowsToDraw(choices.shown(index), preview ?? book, partials.values());
    listing.showFilters(filterWords(choices.filters), matches ?? 0, !loading && !rows.length);
    list.setRows(rows, same);
    if (!loading || rows.length) lastPicture.remove();
  }

  #paintGraph() {
    const { choices, cursor, now, panes } = this.#subject;
    const { session } = now();
    const entry = entryAt(session.log, choices.selected);
    const activity = session.activityAt(entry);
    const live = entry ? cursor.playing : session.status === "running";
    const author = entry?.kind === "event" ? entry.body.author : null;
    panes().graph.update({ activity, live, filters: choices.filters, author });
  }

  #paintStatus() {
    const { choices, now, panes } = this.#subject;
    const { session, props: { prices } } = now();
    const { log, book, queued } = session;
    const status = queued ? "queued" : session.status;
    const selected = entryAt(log, choices.selected);
    const past = selected && { at: ordinalAt(log, selected.seq), usage: session.usageAt(selected) };
    const look = panes().status.show({ log, status, waiting: book.pending.waiting.size, prices, past });
    panes().layout.element.dataset.run = look;
  }

  /** @param {Row} row */
  drawRow(row) {
    const { choices, navigation, now, panes } = this.#subject;
    const { index, props: { pipeline, session } } = now();
    return this.#drawRow(row, {
      ...choices.drawing(row.key),
      index,
      place: { pipeline, session: session ?? "" },
      onToggle: (key) => navigation.toggle(key),
      onFold: (branch) => navigation.fold(branch),
      onSelect: (seq) => navigation.select(seq),
      onResize: () => panes().list.paint(),
    });
  }

  /**
   * What a row is drawn from, as a text: one that changed is drawn again.
   * @param {Row} row
   */
  stamp(row) {
    const { choices, decisions } = this.#subject;
    const { version } = row.type === "partial" ? row.partial : row.live ?? { version: 0 };
    const open = `${choices.isOpen(row.key) ? "+" : ""}${choices.raw ? "=" : ""}`;
    const folded = row.type === "block" && choices.isFolded(row.live.branch) ? "-" : "";
    return `${version}${open}${decisions.stamp(row)}${folded}`;
  }
}
