// @ts-check
/** One session on the page: its parts put together, and what comes in from the page and the server. */

import { drawAsModel } from "../as_model/form.js";
import { createDecisions } from "../cards/decisions.js";
import { listenToPrinting } from "../dom/printing.js";
import { createPainter, createThrottle } from "../dom/timers.js";
import { indexTree, sameTree } from "../log/agent_tree.js";
import { openFeed } from "../page/feed.js";
import { getBullets, getTexts } from "../page/server.js";
import { createBullets } from "../playbook/bullets.js";
import { createTexts } from "../prompt/texts.js";
import { Choices } from "../state/choices.js";
import { contextOf } from "../state/context.js";
import { Cursor } from "../state/cursor.js";
import { Navigation } from "../state/navigation.js";
import { Session } from "../state/session.js";
import { Panes } from "./panes.js";
import { Renderer } from "./renderer.js";

/** @import { Entry } from "../log/entries.d.ts" */
/** @import { AgentNode } from "../log/folds.d.ts" */
/** @import { Frame } from "../page/feed.js" */
/** @import { Socket } from "../../../browser/js/socket.js" */
/** @import { Api, Props } from "../state/types.d.ts" */
/** @import { ViewAddress } from "../state/view_address.js" */

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

  #frame = createPainter(() => this.#renderer.paint());
  #inspection = createThrottle(() => this.#panes.inspector.draw(), INSPECT_EVERY);
  #bullets = createBullets({ get: getBullets, onChange: () => this.#inspection.ask() });
  #texts = createTexts({ get: getTexts, onChange: () => this.#inspection.ask() });
  #decisions = createDecisions({
    session: () => {
      const { log, book, caughtUp } = this.#session;
      return { log, book, caughtUp, index: this.#index, props: this.#props };
    },
    bullets: this.#bullets,
    drawAsModel,
    send: (name, value) => this.#api.setTriggerValue?.(name, value),
    onChange: () => this.#frame.ask(),
  });
  #address;
  /** @type {Navigation} */
  #navigation = new Navigation({
    session: () => this.#session,
    choices: this.#choices,
    panes: () => this.#panes,
    paint: () => this.#renderer.paint(),
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
  #renderer = new Renderer({
    now: () => ({ session: this.#session, index: this.#index, props: this.#props }),
    choices: this.#choices,
    decisions: this.#decisions,
    navigation: this.#navigation,
    cursor: this.#cursor,
    panes: () => this.#panes,
  });
  #wentBack = () => this.#navigation.show(this.#address.goBack());
  #endPrinting = listenToPrinting((printing) => this.#print(printing));
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
      draw: (row) => this.#renderer.drawRow(row),
      stamp: (row) => this.#renderer.stamp(row),
      context: () =>
        contextOf(this.#session, this.#choices, this.#navigation, {
          index: this.#index,
          props: this.#props,
          bullets: this.#bullets,
          texts: this.#texts,
        }),
      onScroll: () => this.#panes.listing.showPill(),
      onFilter: (filter, choice) => this.#navigation.toggleFilter(filter, choice),
      onRow: (seq, inResult) => this.#navigation.click(seq, inResult),
      onTab: (name) => this.#address.choose({ tab: name }),
      onClear: () => this.#navigation.filterBy({}),
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
    this.#endPrinting();
    this.#panes.close();
  }

  /** @param {boolean} printing whether the session is on paper: whole, each text in full */
  #print(printing) {
    this.#choices.showWhole(printing);
    this.#panes.layout.setTheme(printing);
    this.#panes.list.setWhole(printing);
    this.#renderer.paint();
  }

  /** @param {boolean} otherPipeline */
  #openSession(otherPipeline) {
    this.#feed?.close();
    this.#feed = undefined;
    clearTimeout(this.#patience);
    this.#session = new Session(this.#props.lesson);
    this.#choices.leaveSession();
    if (otherPipeline) this.#choices.filterBy({});
    this.#panes.listing.leaveSession();
    this.#navigation.leaveSession();
    this.#decisions.clear();
    this.#bullets.clear();
    this.#panes.list.clear();
    this.#panes.inspector.leaveSession();
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
    this.#choices.resetShown();
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
      this.#panes.listing.countArrived(added.filter(({ kind }) => kind === "event").length);
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
}

const figuresOf = (/** @type {Props} */ { prices, playbook }) => JSON.stringify([prices, playbook]);
