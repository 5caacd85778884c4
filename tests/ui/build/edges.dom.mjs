import { focusedIn } from "../../../ui/browser/js/elements.js";
import "../../../ui/build/js/form/controls.js";
import "../../../ui/build/js/form/edges.js";
import { Form } from "../../../ui/build/js/form/form.js";
import { Outbox } from "../../../ui/build/js/outbox.js";
import { all, equal, ok, show, test, textOf } from "../js/stage.mjs";
import { GRAPH, team } from "./teams.mjs";

/** The form of an agent of the graph; what it tells is drawn at once, as on its way to the page. */
function stage(selected, data = team({ agents: GRAPH })) {
  const done = [];
  const outbox = new Outbox((acts) => {
    done.push(acts.at(-1));
    form.draw(data, selected);
  });
  const form = new Form(outbox);
  show(form.element).className = "team-editor";
  form.draw(data, selected);
  return {
    form,
    done,
    rows: () => all(form.element, ".edges li"),
    parts: (what) => all(form.element, what),
    find: (what) => form.element.querySelector(what),
  };
}

const put = (input, value) => {
  input.focus();
  input.value = value;
  input.dispatchEvent(new Event("change", { bubbles: true }));
};
const told = (act) =>
  (act.value ?? []).map(({ from, to, route }) => `${from} > ${to}${route === null ? "" : ` by ${route}`}`);

test("a node's form has the edges that leave it, and changes those of its graph", () => {
  const { rows, find, done } = stage("ask");
  equal([rows().length, find(".edges select").value], [1, "writer"]);
  put(find(".edges select"), "both");
  equal([done[0].agent, done[0].field], ["desk", "edges"]);
  equal(told(done[0]), ["START > writer", "writer > ask", "ask > both by again"]);
});

test("a new edge takes the answer that none takes yet, and the focus", () => {
  const { find, done, parts } = stage("ask");
  find(".insert").click();
  equal(told(done[0]).at(-1), "ask > both by good");
  ok(focusedIn(find(".edges")) === parts("[data-part=to]").at(-1));
});

test("a graph's form has all edges; what is added leads on from where none leaves yet", () => {
  const { rows, find, done } = stage("desk");
  equal(rows().length, 3);
  find(".insert").click();
  equal(told(done[0]).at(-1), "both > writer");
});

test("a route is typed as a word; nothing is always, and any other route has a name", () => {
  const { find, done, parts } = stage("ask");
  equal(parts("[id$=routes] option").map(({ value }) => value), ["good", "again", "any other"]);
  put(find("[data-part=route]"), "any other");
  put(find("[data-part=route]"), " ");
  equal(done.map((act) => act.value.at(-1).route), ["__DEFAULT__", null]);
});

test("an edge is removed; with the last one a node ends the graph", () => {
  const { find, done } = stage("ask");
  find("[data-part=remove]").click();
  equal(told(done[0]), ["START > writer", "writer > ask"]);
  equal(textOf(find(".edges")), "Nothing: the graph ends here.");
});

test("without edges nothing is run, and the form says so", () => {
  const empty = GRAPH.map((one) => one.name === "desk" ? { ...one, fields: {} } : one);
  const { find, done } = stage("desk", team({ agents: empty }));
  equal(textOf(find(".edges")), "No edges: nothing is run. Add one from START.");
  find(".insert").click();
  equal(told(done[0]), ["START > writer"]);
});

test("what can only be read cannot be changed", () => {
  const { find } = stage("desk", team({ agents: GRAPH, locked: true }));
  ok(find(".edges select").disabled && find("[data-part=route]").readOnly && find(".insert").hidden);
});

test("a finding about edges stands at them, and leads there", () => {
  const findings = [{ agent: "ask", field: "edges", level: "warning", text: "No way leads here." }];
  const { form, find } = stage("ask", team({ agents: GRAPH, findings }));
  equal(textOf(find("[data-field=then] > .note")), "No way leads here.");
  form.focus("edges");
  ok(focusedIn(find("[data-field=then]")) !== null);
});

test("an agent that stands in no graph has no edges", () => {
  equal(stage("writer", team()).find("[data-field=then]"), null);
});

test("sixty nodes are not drawn again where nothing has changed", () => {
  const nodes = Array.from({ length: 60 }, (_, at) => ({ ...GRAPH[1], name: `n${at}`, file: `n${at}.yaml` }));
  const edges = nodes.map(({ name }, at) => ({ from: at ? `n${at - 1}` : "START", to: name, route: null }));
  const data = team({ agents: [{ ...GRAPH[0], fields: { edges } }, ...nodes] });
  const { form, find, rows } = stage("desk", data);
  const first = find(".edges select");
  form.draw(data, "desk");
  equal(rows().length, 60);
  ok(find(".edges select") === first);
});

test("letters are kept while others change the team", () => {
  const { form, find } = stage("ask");
  const route = find("[data-part=route]");
  route.focus();
  route.value = "later";
  const renamed = GRAPH.map((one) => one.name === "both" ? { ...one, name: "all" } : one);
  form.draw(team({ agents: renamed }), "ask");
  equal(find("[data-part=route]").value, "later");
});
