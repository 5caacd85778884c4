import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { Choices } from "../../../../ui/session_view/js/state/choices.js";
import { Session } from "../../../../ui/session_view/js/state/session.js";
import { Renderer } from "../../../../ui/session_view/js/view/renderer.js";
import { entry, event, startAt } from "../log_entries.mjs";
import { equal, test, textOf } from "../stage.mjs";

/** A renderer of a session, and panes that note what they are told to show. */
function stage(entries, { more = false, waits = false } = {}) {
  const session = new Session();
  session.receive({ type: "hello", session: { events: 2 }, tree: null });
  session.receive({ type: "log", entries, more });
  const shown = {};
  const note = (name) => (...values) => void (shown[name] = values);
  const panes = {
    listing: { showLink: note("link"), showFilters: note("filters") },
    list: { setRows: note("rows"), paint: note("list") },
    graph: { update: note("graph") },
    status: { show: (standing) => (shown.status = standing, "busy") },
    layout: { element: document.createElement("div") },
    lastPicture: { remove: note("picture gone") },
  };
  const choices = new Choices();
  const decisions = { drawCard: () => {}, drawThumbs: () => {}, stamp: () => "" };
  const index = indexTree(null);
  const renderer = new Renderer({
    now: () => ({ session, index, props: { pipeline: "p", session: "s", prices: [] } }),
    choices,
    decisions,
    navigation: { waits, toggle: note("toggle"), fold: note("fold") },
    cursor: { playing: false, paint: note("cursor") },
    panes: () => panes,
  });
  return { choices, panes, renderer, session, shown };
}

const talk = () => (startAt(), [entry("run_started"), event("user", "tea"), event("A", "<b>yes</b>")]);

test("rows, graph and status show what there is, and what the user chose", () => {
  const { choices, panes, renderer, shown } = stage(talk());
  renderer.paint();
  equal([shown.rows[0].length, shown.filters, shown.graph[0].author], [3, [null, 0, false], null]);
  equal([shown.status.past, panes.layout.element.dataset.run, "cursor" in shown], [null, "busy", true]);
  choices.filterBy({ agent: "A" });
  choices.selected = 3;
  renderer.paint();
  equal([shown.rows[0].length, shown.filters, shown.graph[0].author], [2, ["A", 1, false], "A"]);
  equal([shown.graph[0].filters, shown.status.past.at], [{ agent: "A" }, 2]);
  choices.filterBy({ agent: "nobody" });
  renderer.paint();
  equal(shown.filters, ["nobody", 0, true]);
});

test("of a log that is still loading, the end is not shown to a reader who waits for an entry", () => {
  const preview = (how) => {
    const { renderer, session, shown } = stage(talk(), { more: true, ...how });
    session.preview = { rows: [], scopes: [] };
    renderer.paint();
    return ["rows" in shown, shown.link[0].loading];
  };
  equal([preview({}), preview({ waits: true })], [[true, true], [false, true]]);
});

test("a row is drawn from the session's place, and again once it is opened, shown as written, or changed", () => {
  const { choices, renderer, session } = stage(talk());
  const row = session.book.rows[2];
  equal(textOf(renderer.drawRow(row)).includes("<b>yes</b>"), true);
  const before = renderer.stamp(row);
  choices.toggle(row.key);
  const open = renderer.stamp(row);
  choices.raw = true;
  equal(new Set([before, open, renderer.stamp(row)]).size, 3);
  const partial = { type: "partial", key: "p:1", partial: { version: 7 } };
  equal(renderer.stamp(partial) === renderer.stamp({ ...partial, partial: { version: 8 } }), false);
});
