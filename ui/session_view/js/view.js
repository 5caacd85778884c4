/** One session on the page: the log, what is selected, and the three panes that show it. */

import { createAsking } from "./asking.js";
import { toolBranches } from "./branches.js";
import { createBullets } from "./bullets.js";
import { openFeed } from "./feed.js";
import { activityAt, append, emptyLog, entryAt, loseRun, ordinalAt, runStatus } from "./fold.js";
import { createGraph } from "./graph.js";
import { createInspector } from "./inspector.js";
import { keyboard } from "./keyboard.js";
import { createList } from "./list.js";
import { painter, throttle } from "./pacing.js";
import { createSender } from "./page_values.js";
import { emptyPartials, placePiece, settle } from "./partials.js";
import { startOf } from "./playbook.js";
import { keepsPlaybook } from "./playbook_run.js";
import { createRowView } from "./row_view.js";
import { emptyRows, extendRows, isStop, rowsOfTail } from "./rows.js";
import { getBullets } from "./server.js";
import { createShell } from "./shell.js";
import { emptyShown, rowsToDraw } from "./shown.js";
import { indexTree, namesUnder, sameTree } from "./tree.js";

const INSPECT_EVERY = 120;
const PATIENCE = 1500;
const CONTROLS = "a, button, input, textarea, label";

/** Builds the view under `parent`; `update` takes Python's values, `close` lets everything go. */
export function createView(parent) {
  const view = {
    props: { prices: [] }, api: {}, log: emptyLog(), book: emptyRows(), partials: emptyPartials(), index: indexTree(null), tree: null,
    selected: null, picked: null, feed: null, link: "idle", caughtUp: false, gone: null, notice: null, waiting: null, loss: null, lastRun: null, open: new Set(), folded: new Set(), arrived: 0,
    target: 0, wantedSeq: null, preview: null, shown: null,
  };
  const frame = painter(() => paint());
  const inspectSoon = throttle(() => inspector.draw(), INSPECT_EVERY);
  const sender = createSender(view, { event: () => view.selected, tab: () => inspector.tab });

  const graph = createGraph({ onPick: (name) => pick(view.picked === name ? null : name) });
  const bullets = createBullets({ get: getBullets, onChange: inspectSoon });
  const asking = createAsking({ view, bullets, onChange: () => frame.ask(), onResize: () => list.paint() });
  const rowView = createRowView({
    index: () => view.index, place: () => ({ pipeline: view.props.pipeline, session: view.props.session }), onToggle: toggle,
    blocks: { folded: (branch) => view.folded.has(branch), onFold: fold }, drawCard: asking.drawCard, drawThumbs: asking.drawThumbs, onResize: () => list.paint(),
  });
  const list = createList({
    label: "Events", guess: rowView.guess,
    draw: (row) => rowView.draw(row, view.open.has(row.key)),
    stamp: (row) => `${(row.partial ?? row.live)?.version ?? 0}${view.open.has(row.key) ? "+" : ""}${asking.stamp(row)}${row.type === "block" && view.folded.has(row.live.branch) ? "-" : ""}`,
    onScroll: () => shell.showPill(list, view.arrived, () => (view.arrived = 0)),
  });
  const inspector = createInspector({
    onTab: (name) => sender.send("tab", name),
    onClose: () => shell.showPane("events"),
    context: () => ({ log: view.log, index: view.index, prices: view.props.prices, starting: startOf(view.props.playbook), bullets, learns: view.log.playbook || keepsPlaybook(view.index), selected: entryAt(view.log, view.selected), ordinal: ordinalAt(view.log, view.selected), running: isRunning(), select, pickSpan }),
  });
  const shell = createShell({ parent, graph, list, inspector, onClear: () => pick(null), onRetry: () => view.feed?.retryNow(), onWaiting: toCard });
  const letKeysGo = keyboard({ root: shell.element, list: list.element, step, toEdge, open: () => view.selected != null && toggle(view.selected), escape });

  list.element.addEventListener("click", (event) => {
    const row = event.target.closest?.(".row[data-key]");
    const seq = Number(row?.dataset.key);
    if (!row || !Number.isInteger(seq) || event.target.closest(CONTROLS) || String(document.getSelection?.() ?? "")) return;
    select(seq === view.selected ? null : seq, { byHand: true });
  });

  function isRunning() {
    return runStatus(view.log) === "running";
  }

  // ---- what comes in -------------------------------------------------------------------------------------------

  function update(props, api) {
    const before = view.props;
    view.props = props;
    view.api = api;
    shell.setTheme();
    shell.setHeight(props.fill);
    if (!sameTree(view.tree, props.tree) && !(view.tree && before.pipeline === props.pipeline && props.session === before.session)) setTree(props.tree);
    if (before.pipeline !== props.pipeline || before.session !== props.session) open(before.pipeline !== props.pipeline);
    shell.setEmpty(props.session ? null : props.empty);
    if (JSON.stringify([before.prices, before.playbook]) !== JSON.stringify([props.prices, props.playbook])) inspectSoon();
    sender.receive("tab", props.tab, (name) => inspector.show(name));
    sender.receive("event", props.event, (seq) => {
      if (seq == null || view.log.places.has(seq)) select(seq, { reveal: true, quiet: true });
      else view.wantedSeq = seq;
    });
    frame.ask();
  }

  function open(newPipeline) {
    view.feed?.close();
    Object.assign(view, { log: emptyLog(), book: emptyRows(), partials: emptyPartials(), selected: null, feed: null, link: "idle", caughtUp: false, gone: null, notice: null, waiting: null, loss: null, lastRun: null, arrived: 0, target: 0, wantedSeq: null, preview: null, shown: null });
    view.open.clear();
    view.folded.clear();
    asking.clear();
    bullets.clear();
    if (newPipeline) view.picked = null;
    list.clear();
    inspector.draw();
    const { pipeline, session } = view.props;
    if (!session) return;
    view.feed = openFeed({ pipeline, session, after: () => view.log.lastSeq, onMessage: receive, onState: (state) => ((view.link = state), frame.ask()) });
  }

  function setTree(tree) {
    view.tree = tree;
    view.index = indexTree(tree);
    view.shown = null;
    graph.setTree(tree, view.index);
  }

  function receive(message) {
    if (message.type === "hello") {
      view.partials.clear();
      view.notice = view.waiting = view.loss = null;
      view.target = message.session.events;
      clearTimeout(view.patience);
      view.patience = setTimeout(beCaughtUp, PATIENCE); // a log with nothing new sends nothing
      if (message.tree && !sameTree(view.tree, message.tree)) setTree(message.tree);
    } else if (message.type === "tail") view.preview = rowsOfTail(message.entries, view.target);
    else if (message.type === "log") takeEntries(message);
    else if (message.type === "partial") placePiece(view.partials, message);
    else if (message.type === "waiting") view.waiting = message.message || null;
    else if (message.type === "lost") loseLastRun(message);
    else if (message.type === "error" && message.retry) view.notice = message.message;
    else if (message.type === "gone" || message.type === "error") view.gone = message.message;
    frame.ask();
  }

  function loseLastRun({ invocation, message }) {
    loseRun(view.log, invocation);
    view.loss = message;
    view.partials.clear();
    tellRun();
  }

  function takeEntries({ entries, more }) {
    const added = append(view.log, entries);
    settle(view.partials, added);
    if (added.some(({ kind }) => kind === "run_started" || kind === "run_finished")) view.loss = null;
    extendRows(view.book, added);
    asking.settle();
    if (view.caughtUp) {
      if (!list.following) view.arrived += added.filter((entry) => entry.kind === "event").length;
      shell.announce(added);
    }
    if (view.wantedSeq != null && view.log.places.has(view.wantedSeq)) {
      const seq = view.wantedSeq;
      view.wantedSeq = null;
      view.revealSeq = seq;
      select(seq, { quiet: true });
    }
    if (!more) view.caughtUp = true;
    if (view.caughtUp) tellRun();
    if (view.caughtUp && view.preview) endPreview();
    if (added.length && view.selected == null) inspectSoon();
  }

  /** All is here: whoever reads in the end of the log, which was shown ahead, stays where they are. */
  function endPreview() {
    const reading = list.following ? null : (view.selected ?? list.firstInView?.key);
    const { toStart } = view.preview;
    view.preview = null;
    view.shown = null;
    paint();
    if (toStart) toEdge(false);
    else if (reading != null) list.reveal(reading);
    inspector.draw();
  }

  function beCaughtUp() {
    if (view.log.entries.length) return;
    view.caughtUp = true;
    frame.ask();
  }

  /** Tells the page when a run starts or ends, so that it can swap Run and Stop: once for each change. */
  function tellRun() {
    const run = view.log.runs.at(-1);
    const now = `${run?.invocation ?? ""} ${runStatus(view.log)}`;
    const before = view.lastRun;
    if (now === before) return;
    view.lastRun = now;
    const told = view.props.running;
    if (before === null && (told == null ? !isRunning() : told === isRunning())) return;
    view.api.setTriggerValue?.("run_changed", runStatus(view.log));
  }

  // ---- what a person does --------------------------------------------------------------------------------------

  function select(seq, { byHand = false, reveal = false, quiet = false } = {}) {
    view.selected = seq;
    list.select(seq);
    if (!byHand) unfoldAround(entryAt(view.log, seq));
    if (seq != null && (reveal || !byHand) && view.caughtUp) list.reveal(seq);
    if (!quiet) sender.send("event", seq);
    if (byHand) shell.selected(seq != null);
    inspector.draw();
    frame.ask();
  }

  function pickSpan(span) {
    const inside = view.book.rows.findLast((row) => row.type === "event" && row.seq >= span.seq && row.seq <= (span.endSeq ?? Infinity) && row.entry.body.author === span.agent)
      ?? view.book.rows.find((row) => row.type === "event" && row.seq >= span.seq);
    if (inside) select(inside.seq);
  }

  function step(by) {
    const stops = list.rows;
    let at = view.selected == null ? (by > 0 ? -1 : stops.length) : list.indexOf(view.selected);
    do at += by;
    while (stops[at] && !isStop(stops[at]));
    if (stops[at]) select(stops[at].seq);
  }

  function toEdge(end) {
    if (!end && view.preview) {
      view.preview.toStart = true; // the beginning is not here yet
      return;
    }
    const at = end ? list.rows.findLastIndex(isStop) : list.rows.findIndex(isStop);
    if (at >= 0) select(list.rows[at].seq);
    if (end) list.toEnd();
  }

  function escape() {
    if (shell.closePane()) return true;
    if (view.selected == null && !view.picked) return false;
    if (view.selected != null) select(null);
    else pick(null);
    return true;
  }

  function toggle(key) {
    if (!view.open.delete(key)) view.open.add(key);
    list.paint();
  }

  /** Folds an agent at work as a tool away, or shows again what it does. */
  function fold(branch) {
    if (!view.folded.delete(branch)) view.folded.add(branch);
    view.shown = null;
    paint();
  }

  function unfoldAround(entry) {
    for (const branch of entry ? toolBranches(entry.body.branch ?? "") : []) if (view.folded.has(branch)) fold(branch);
  }

  /** Leads to the first call that waits. */
  function toCard() {
    const waiting = view.book.rows.find((row) => row.type === "card" && row.call.state === "waiting");
    if (!waiting) return;
    pick(null);
    shell.showPane("events");
    paint();
    list.focus(waiting.key);
  }

  function pick(name) {
    view.picked = name;
    view.shown = null;
    if (name) shell.showPane("events");
    frame.ask();
  }

  // ---- what is shown -------------------------------------------------------------------------------------------

  function paint() {
    const loading = Boolean(view.props.session) && !view.caughtUp && !view.gone;
    shell.showLink({ link: view.link, gone: view.gone ?? view.loss ?? view.notice ?? view.waiting, loading, done: view.target ? view.log.events / view.target : 0, events: view.log.events });
    // While a long log loads, its end is there to be read; laying out every batch would only be thrown away.
    if (!loading || (view.preview ? view.wantedSeq == null : view.log.events < 400)) {
      view.shown ??= emptyShown(view.picked ? namesUnder(view.index, view.picked) : null, view.folded);
      const { rows, same, matches } = rowsToDraw(view.shown, view.preview ?? view.book, view.partials.values());
      shell.showFilter(view.picked, matches);
      list.setRows(rows, same);
      if (view.revealSeq != null && list.reveal(view.revealSeq)) view.revealSeq = null;
    }
    const entry = entryAt(view.log, view.selected);
    const live = isRunning() && !entry;
    graph.update({ activity: activityOf(entry), live, picked: view.picked, author: entry?.body.author ?? null });
    shell.showStatus(view.log, runStatus(view.log), view.book.pending.waiting.size, view.props.prices);
  }

  function activityOf(entry) {
    if (!entry) return view.log.activity;
    if (view.past?.seq !== entry.seq || view.past.log !== view.log) view.past = { seq: entry.seq, log: view.log, activity: activityAt(view.log, entry.seq) };
    return view.past.activity;
  }

  return {
    update,
    close() {
      view.feed?.close();
      asking.clear();
      letKeysGo();
      clearTimeout(view.patience);
      frame.stop();
      inspectSoon.stop();
      sender.stop();
      list.close();
      shell.close();
    },
  };
}
