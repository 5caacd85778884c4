// @ts-check
/** One session on the page: what comes in, and what is shown of it. */

import { createDecisions } from "../cards/decisions.js";
import { Cursor } from "../cursor/cursor.js";
import { createPainter, createThrottle } from "../dom/timers.js";
import { contextOf } from "../cursor/context.js";
import { createRowView } from "../list/row_view.js";
import { indexTree, sameTree } from "../log/agent_tree.js";
import { entryAt, ordinalAt } from "../log/log.js";
import { openFeed } from "../page/feed.js";
import { getBullets, getTexts } from "../page/server.js";
import { createBullets } from "../playbook/bullets.js";
import { createTexts } from "../prompt/texts.js";
import { rowsToDraw } from "../rows/filter.js";
import { Choices } from "./choices.js";
import { Navigation } from "./navigation.js";
import { Panes } from "./panes.js";
import { Session } from "./session.js";

/** @import { Entry } from "../log/entries.d.ts" */
/** @import { AgentNode } from "../log/folds.d.ts" */
/** @import { Frame } from "../page/feed.js" */
/** @import { Socket } from "../page/socket.js" */
/** @import { ViewAddress } from "../page/view_address.js" */
/** @import { Row } from "../rows/types.d.ts" */
/** @import { Api, Props } from "./types.d.ts" */

const INSPECT_EVERY = 120;
/** A log with nothing new sends nothing: so long it is waited for. */
const PATIENCE = 1500;
/** @type {Props} */
const NO_PROPS = { pipeline: "", session: null, tree: null, written: 0, empty: { title: "", text: "" }, prices: [] };

export class SessionView {
  #props = NO_PROPS;
  /** @type {Api} */
  #api = {};
  #session = new Session();
  #choices = new Choices();
  /** @type {AgentNode | null} */
  #tree = null;
  #index = indexTree(null);
  /** @type {Socket | undefined} */
  #feed;
  /** @type {number | undefined} */
  #patience;
  /** Events that came while the reader was further up. */
  #arrived = 0;

  #frame = createPainter(() => this.#paint());
  #inspection = createThrottle(() => this.#panes.inspector.draw(), INSPECT_EVERY);
  #bullets = createBullets({ get: getBullets, onChange: () => this.#inspection.ask() });
  #texts = createTexts({ get: getTexts, onChange: () => this.#inspection.ask() });
  #decisions = createDecisions({
    session: () => {
      const { log, book, caughtUp } = this.#session;
      return { log, book, caughtUp, index: this.#index, props: this.#props };
    },
    bullets: this.#bullets,
    send: (name, value) => this.#api.setTriggerValue?.(name, value),
    onChange: () => this.#frame.ask(),
  });
  #drawRow = createRowView({ card: this.#decisions.drawCard, thumbs: this.#decisions.drawThumbs });
  #address;
  /** @type {Navigation} */
  #navigation = new Navigation({
    session: () => this.#session,
    choices: this.#choices,
    panes: () => this.#panes,
    paint: () => this.#paint(),
    ask: () => this.#frame.ask(),
    onChoose: (chosen) => this.#address.choose(chosen),
  });
  #cursor = new Cursor({
    session: () => this.#session,
    choices: this.#choices,
    navigation: this.#navigation,
    bar: () => this.#panes.cursorBar,
    toEnd: () => this.#panes.list.toEnd(),
    ask: () => this.#frame.ask(),
  });
  #wentBack = () => this.#navigation.show(this.#address.goBack());
  /** @type {Panes} */
  #panes;

  /**
   * @param {ParentNode} parent where the view is drawn
   * @param {ViewAddress} address
   */
  constructor(parent, address) {
    this.#address = address;
    window.addEventListener("popstate", this.#wentBack);
    this.#panes = new Panes(parent, {
      draw: (row) => this.#draw(row),
      stamp: (row) => this.#stamp(row),
      context: () =>
        contextOf(this.#session, this.#choices, this.#navigation, {
          index: this.#index,
          props: this.#props,
          bullets: this.#bullets,
          texts: this.#texts,
        }),
      onScroll: () => this.#scrolled(),
      onAgent: (name) => this.#navigation.clickAgent(name),
      onRow: (seq) => this.#navigation.click(seq),
      onTab: (name) => this.#address.choose({ tab: name }),
      onClear: () => this.#navigation.pick(null),
      onRetry: () => this.#feed?.retryNow(),
      onWaiting: () => this.#navigation.toCard(),
      step: (by) => this.#navigation.step(by),
      toEdge: (end) => this.#navigation.toEdge(end),
      openRow: () => this.#navigation.openRow(),
      escape: () => this.#navigation.escape(),
      cursor: () => this.#cursor,
    });
  }

  /**
   * Takes the page's values.
   * @param {Props} props
   * @param {Api} api
   */
  update(props, api) {
    const before = this.#props;
    this.#props = props;
    this.#api = api;
    const { layout, listing } = this.#panes;
    const other = before.pipeline !== props.pipeline || before.session !== props.session;
    layout.setTheme();
    layout.setHeight(Boolean(props.fill));
    if ((other || !this.#tree) && !sameTree(this.#tree, props.tree)) this.#setTree(props.tree);
    if (other && before.session !== null && props.session !== null) this.#panes.lastPicture.draw(layout.element);
    if (other) this.#openSession(before.pipeline !== props.pipeline);
    listing.setEmpty(props.session === null ? props.empty : null);
    if (figuresOf(before) !== figuresOf(props)) this.#inspection.ask();
    if (other || before.written !== props.written) this.#navigation.show(this.#address.arrive(props));
    this.#frame.ask();
  }

  close() {
    this.#feed?.close();
    this.#cursor.pause();
    this.#decisions.clear();
    clearTimeout(this.#patience);
    this.#frame.stop();
    this.#inspection.stop();
    this.#address.stop();
    window.removeEventListener("popstate", this.#wentBack);
    this.#panes.close();
  }

  /** @param {boolean} otherPipeline */
  #openSession(otherPipeline) {
    this.#feed?.close();
    this.#feed = undefined;
    clearTimeout(this.#patience);
    this.#session = new Session(this.#props.lesson);
    this.#choices.leaveSession();
    if (otherPipeline) this.#choices.pick(null);
    this.#arrived = 0;
    this.#navigation.leaveSession();
    this.#decisions.clear();
    this.#bullets.clear();
    this.#panes.list.clear();
    this.#panes.inspector.draw();
    const { pipeline, session } = this.#props;
    if (session === null) return;
    this.#feed = openFeed({
      pipeline,
      session,
      after: () => this.#session.log.lastSeq,
      onMessage: (frame) => this.#receive(frame),
      onState: (link) => {
        this.#session.link = link;
        this.#frame.ask();
      },
    });
  }

  /** @param {AgentNode | null} tree */
  #setTree(tree) {
    this.#tree = tree;
    this.#index = indexTree(tree);
    this.#choices.resetFilter();
    this.#panes.graph.setTree(tree, this.#index);
  }

  /** @param {Frame} frame */
  #receive(frame) {
    const current = this.#session.caughtUp;
    const added = this.#session.receive(frame);
    if (frame.type === "hello") {
      clearTimeout(this.#patience);
      this.#patience = setTimeout(() => (this.#session.settleEmpty(), this.#frame.ask()), PATIENCE);
      if (frame.tree && !sameTree(this.#tree, frame.tree)) this.#setTree(frame.tree);
    } else if (frame.type === "log") this.#takeEntries(added, current);
    else if (frame.type === "lost") this.#tellRun();
    this.#frame.ask();
  }

  /**
   * @param {Entry[]} added
   * @param {boolean} current whether they happened just now
   */
  #takeEntries(added, current) {
    const reads = this.#panes.inspector.tab === "lesson";
    this.#decisions.settle();
    if (current) {
      if (!this.#panes.list.following) this.#arrived += added.filter(({ kind }) => kind === "event").length;
      this.#panes.speech.announce(added, reads ? this.#session.seenIn(added) : []);
    }
    this.#navigation.followLate();
    if (this.#session.caughtUp) {
      this.#tellRun();
      if (this.#session.preview) this.#navigation.endPreview();
    }
    if (added.length && (reads || this.#choices.selected === null)) this.#inspection.ask();
  }

  /** Tells the page when a run starts or ends, so that it can swap Run and Stop. */
  #tellRun() {
    const status = this.#session.changedRun(this.#props.running);
    if (status !== null) this.#api.setTriggerValue?.("run_changed", status);
  }

  // ---- what is shown -------------------------------------------------------------------------------------------

  #paint() {
    const { link, problem, done } = this.#session;
    const loading = this.#props.session !== null && this.#session.loading;
    this.#panes.listing.showLink({ lost: link === "lost", problem, loading, done });
    this.#paintRows(loading);
    this.#paintGraph();
    this.#paintStatus();
    this.#cursor.paint();
  }

  /** @param {boolean} loading */
  #paintRows(loading) {
    const { preview, book, partials, readable } = this.#session;
    // Of a log that is still loading, an entry that the page wants is looked for in the whole, not in its end.
    if (loading && (!readable || (preview && this.#navigation.waits))) return;
    const filter = this.#choices.filter(this.#index);
    const { rows, same, matches } = rowsToDraw(filter, preview ?? book, partials.values());
    this.#panes.listing.showFilter(this.#choices.picked, matches ?? 0, !loading && !rows.length);
    this.#panes.list.setRows(rows, same);
    if (!loading || rows.length) this.#panes.lastPicture.remove();
    this.#navigation.revealLate();
  }

  #paintGraph() {
    const { log, status } = this.#session;
    const entry = entryAt(log, this.#choices.selected);
    const activity = this.#session.activityAt(entry);
    const live = entry ? this.#cursor.playing : status === "running";
    const author = entry?.kind === "event" ? entry.body.author : null;
    this.#panes.graph.update({ activity, live, picked: this.#choices.picked, author });
  }

  #paintStatus() {
    const { log, book, status } = this.#session;
    const selected = entryAt(log, this.#choices.selected);
    const past = selected && { at: ordinalAt(log, selected.seq), usage: this.#session.usageAt(selected) };
    const waiting = book.pending.waiting.size;
    const look = this.#panes.status.show({ log, status, waiting, prices: this.#props.prices, past });
    this.#panes.layout.element.dataset.run = look;
  }

  /** @param {Row} row */
  #draw(row) {
    const { pipeline, session } = this.#props;
    return this.#drawRow(row, {
      ...this.#choices.drawing(row.key),
      index: this.#index,
      place: { pipeline, session: session ?? "" },
      onToggle: (key) => this.#navigation.toggle(key),
      onFold: (branch) => this.#navigation.fold(branch),
      onResize: () => this.#panes.list.paint(),
    });
  }

  /**
   * What a row is drawn from, as a text: one that changed is drawn again.
   * @param {Row} row
   */
  #stamp(row) {
    const { version } = row.type === "partial" ? row.partial : row.live ?? { version: 0 };
    const open = `${this.#choices.isOpen(row.key) ? "+" : ""}${this.#choices.raw ? "=" : ""}`;
    const folded = row.type === "block" && this.#choices.isFolded(row.live.branch) ? "-" : "";
    return `${version}${open}${this.#decisions.stamp(row)}${folded}`;
  }

  #scrolled() {
    if (this.#panes.list.following) this.#arrived = 0;
    this.#panes.listing.showPill(this.#arrived);
  }
}

const figuresOf = (/** @type {Props} */ { prices, playbook }) => JSON.stringify([prices, playbook]);
