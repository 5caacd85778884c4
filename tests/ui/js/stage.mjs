/** A stage for tests in a browser: cases, assertions, and a place in the page with the view's styles. */

import { orderMatters } from "./style_order.mjs";

/** Milliseconds after which what has not happened is taken to never happen; a busy machine needs far less. */
const PATIENCE = 20_000;
/** The same for a whole case, which may wait for several things, or for a promise of its own. */
const LONGEST_CASE = 60_000;
const cases = [];
let place = null;

/** Declares a case; `act` may be asynchronous. */
export function test(name, act) {
  cases.push({ name, act });
}

/** Runs the cases declared so far, each on an empty stage; gives how many there were and what failed. */
export async function run() {
  const failures = [];
  const all = cases.splice(0);
  for (const { name, act } of all) {
    place = newPlace();
    try {
      await Promise.race([act(), failLate()]);
      equal(orderMatters(place.root), [], "the order of the style sheets matters");
    } catch (error) {
      failures.push(`${name}\n${error.stack ?? error}`);
    }
    place.host.remove();
  }
  return { ran: all.length, failures };
}

/** Fails after the time that the longest case may take. */
function failLate() {
  return new Promise((_, fail) => setTimeout(() => fail(new Error("the case has not ended")), LONGEST_CASE));
}

/** A shadow root with the view's styles, as Streamlit gives one to a component. */
function newPlace() {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [globalThis.viewStyles];
  document.body.append(host);
  return { host, root };
}

/** Puts elements on the stage, in a view of some size; gives what holds them. */
export function show(...elements) {
  const view = document.createElement("div");
  view.className = "session-view";
  view.dataset.size = "wide";
  view.style.cssText = "width: 900px; height: 600px; display: block";
  view.append(...elements.flat(Infinity).filter((element) => element && element !== ""));
  place.root.append(view);
  return view;
}

/** The shadow root of the stage. */
export function root() {
  return place.root;
}

/** A row as a drawing function fills it. */
export function filled(draw, row, drawing = {}) {
  const element = document.createElement("div");
  element.className = `row ${row.type}`;
  draw(element, row, {
    open: false,
    index: { nodes: new Map(), order: [], strangers: new Map(), leaves: 0, truthKey: null, revision: null },
    place: { pipeline: "p", session: "s" },
    onToggle: () => {},
    folded: () => false,
    onFold: () => {},
    onSelect: () => {},
    raw: false,
    onResize: () => {},
    ...drawing,
  });
  show(element);
  return element;
}

/** Text as a reader sees it, on one line. */
export function textOf(element) {
  return element.textContent.replace(/\s+/g, " ").trim();
}

export function all(element, selector) {
  return [...element.querySelectorAll(selector)];
}

/** Until the next frame was painted. */
export function frame() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

/** Until something is so. What is not so after `PATIENCE` fails the case. */
export async function until(so) {
  const end = performance.now() + PATIENCE;
  while (!so()) {
    if (performance.now() > end) throw new Error(`it has not become so: ${so}`);
    await frame();
  }
}

export function press(element, key, more = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true, ...more });
  element.dispatchEvent(event);
  return event;
}

export function type(field, text) {
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

export function ok(value, message = "it is not so") {
  if (!value) throw new Error(`${message}: ${JSON.stringify(value)}`);
}

export function equal(actual, expected, message = "") {
  const [is, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (is !== wanted) throw new Error(`${message}\n  is     ${is}\n  wanted ${wanted}`);
}
