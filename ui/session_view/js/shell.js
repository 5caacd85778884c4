/** The frame around the panes: status line, banner, filter, pill, empty state, sizes and theme. */

import { h, icon, replace, setAttribute, setText } from "./dom.js";
import { CALLS_LIMIT } from "./activity.js";
import { drawReplays } from "./chips.js";
import { clip, count, duration, plural } from "./format.js";
import { workedInAll } from "./run_list.js";
import { costOfSums } from "./usage.js";
import { missingWords, sumsLine } from "./usage_words.js";
import { iterationLabel, loadingWords, tryingWords, waitingWords } from "./wording.js";

const WIDE = 900;
const MEDIUM = 620;
const LEAST_HEIGHT = 380;
const WORDS = { idle: "ready", paused: "waiting for you" };
const PANES = [["agents", "Agents"], ["events", "Events"], ["inspector", "Inspector"]];

export function createShell({ parent, graph, list, inspector, onClear, onRetry, onWaiting }) {
  const word = h("span.word");
  const detail = h("span.detail");
  const toCard = h("button.plain.detail", { type: "button", hidden: true, title: "Go to it", onclick: onWaiting });
  const events = h("span.events");
  const spent = h("span");
  const used = h("button.plain.used", { type: "button", onclick: toUsage }, events, spent);
  const badge = h("span.tag.simulated");
  const replayed = h("span.badges");
  const status = h("div.status", { role: "status" }, h("span.lamp", { "aria-hidden": "true" }), word, badge, replayed, toCard, detail, h("span.space"), used);
  const banner = h("div.banner", { role: "status", hidden: true });
  const progress = h("div.progress", { role: "progressbar", "aria-label": "Loading events", hidden: true }, h("i"));
  const filter = h("div.filter", { hidden: true });
  const pill = h("button.pill", { type: "button", hidden: true, onclick: () => list.toEnd() });
  const empty = h("div.empty", { hidden: true });
  const speech = h("div.speech", { "aria-live": "polite" });
  const centre = h("section.centre", { "aria-label": "Events" }, status, progress, banner, filter, h("div.listing", {}, list.element, pill, empty));
  const switches = PANES.map(([name, label]) => h("button", { type: "button", "aria-pressed": "false", onclick: () => showPane(name, true) }, label));
  const panes = h("div.panes", {}, graph.element, centre, inspector.element);
  const element = h("div.session-view", {}, h("div.switch", { role: "group", "aria-label": "Panes" }, switches), panes, speech);
  parent.append(element);

  let pane = "events";
  let fill = false;
  let ticking = null;
  let latest = null;
  let shownOrigin = null;

  const resized = new ResizeObserver(() => {
    const width = element.clientWidth;
    const size = width >= WIDE ? "wide" : width >= MEDIUM ? "medium" : "narrow";
    if (element.dataset.size !== size) element.dataset.size = size;
    showPane(pane);
    fit();
  });
  resized.observe(element);
  const around = document.querySelector("[data-testid=stMainBlockContainer]");
  if (around) resized.observe(around);
  const below = document.querySelector("[data-testid=stBottom]");
  if (below) resized.observe(below);
  window.addEventListener("resize", fit);

  /** Takes the height between the top of the view and the chat input, so that the page itself need not scroll. */
  function fit() {
    if (!fill) return;
    const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
    const below = document.querySelector("[data-testid=stBottom]")?.offsetHeight ?? 0;
    const height = Math.max(LEAST_HEIGHT, Math.floor(window.innerHeight - element.getBoundingClientRect().top - scrolled - below - 12));
    if (element.style.height !== `${height}px`) element.style.height = `${height}px`;
  }

  function showPane(name) {
    pane = name;
    element.dataset.pane = name;
    const shown = element.dataset.size === "medium" && name === "events" ? "agents" : name;
    PANES.forEach(([at], i) => setAttribute(switches[i], "aria-pressed", String(at === shown)));
    list.paint();
  }

  function showStatus(log, state, waiting, prices) {
    latest = { log, state, prices };
    const run = log.runs.at(-1);
    const limited = state === "failed" && run?.error === CALLS_LIMIT;
    element.dataset.run = limited ? "stopped" : state;
    setText(word, limited ? "stopped at its limit" : (WORDS[state] ?? state));
    toCard.hidden = state !== "paused" || waiting === 0;
    setText(toCard, waitingWords(waiting));
    showOrigin(run?.origin);
    tick();
    if (state === "running" && !ticking) ticking = setInterval(tick, 1000);
    if (state !== "running" && ticking) ticking = void clearInterval(ticking);
  }

  /** What the last run's answers come from, if not from language models alone. */
  function showOrigin(origin) {
    if (origin === shownOrigin) return;
    shownOrigin = origin;
    badge.hidden = !origin?.simulated;
    setText(badge, origin?.partly ? "partly simulated" : "simulated");
    setAttribute(badge, "title", `${origin?.partly ? "Some answers" : "Answers"} come from the built-in simulation, not from a language model`);
    replace(replayed, drawReplays(origin?.replays ?? []));
  }

  /** What goes on with the time alone: how long it takes, how long a failed call waits. */
  function tick() {
    const now = Date.now() / 1000;
    const { log, state, prices } = latest;
    setText(detail, state === "running" ? whereNow(log, now) : "");
    const { total } = log.usage;
    const seconds = workedInAll(log.runs, now);
    const facts = [...sumsLine(total, prices), seconds != null && (state === "running" ? `${Math.floor(seconds)} s` : duration(seconds))].filter(Boolean);
    used.hidden = !log.events;
    setText(events, `${plural(log.events, "event")}${facts.length ? " · " : ""}`);
    setText(spent, facts.join(" · "));
    setAttribute(used, "title", ["The whole session. Click for more", missingWords(costOfSums(total, prices))].filter(Boolean).join(". "));
  }

  function toUsage() {
    showPane("inspector");
    inspector.choose("usage");
  }

  function showLink({ link, gone, loading, done }) {
    const lost = link === "lost";
    const text = gone ?? (lost ? "Connection lost, reconnecting. Nothing that was stored is lost." : null);
    banner.hidden = !text;
    banner.classList.toggle("gone", Boolean(gone));
    if (text && banner.firstChild?.textContent !== text) replace(banner, h("span", {}, text), !gone && h("button.plain", { type: "button", onclick: onRetry }, "Try now"));
    progress.hidden = !(loading && !lost);
    progress.firstChild.style.width = `${Math.round(Math.min(1, done) * 100)}%`;
  }

  function showFilter(name, matches) {
    const text = name ? `${name} · ${plural(matches, "event")}` : "";
    filter.hidden = !name;
    if (!name || filter.dataset.text === text) return;
    filter.dataset.text = text;
    replace(filter, h("span", {}, "Only ", h("b", {}, name), ` · ${plural(matches, "event")}`), h("button.plain", { type: "button", onclick: onClear }, "Show all"));
  }

  function showPill(rows, arrived, read) {
    if (rows.following) read();
    pill.hidden = rows.following || (arrived === 0 && rows.below < rows.element.clientHeight);
    setText(pill, arrived > 0 && !rows.following ? `${count(arrived)} new ↓` : "Latest ↓");
  }

  function setEmpty(words) {
    empty.hidden = !words;
    list.element.hidden = Boolean(words);
    if (words) replace(empty, h("h2", {}, words.title), h("p", {}, words.text),
      h("p.keys", {}, h("kbd", {}, "/"), " to type, then ", h("kbd", {}, "j"), " ", h("kbd", {}, "k"), " to step through what happens"));
  }

  /** Says new answers to those who listen instead of look; in a rush only the last one and how many there were. */
  let unsaid = [];
  let speaking = null;
  function announce(entries) {
    unsaid.push(...entries.filter((entry) => entry.kind === "event" && entry.body.author !== "user"));
    if (!unsaid.length || speaking) return;
    speaking = setTimeout(() => {
      const { body } = unsaid.at(-1);
      const text = body.error_message ?? (body.content?.parts ?? []).map((part) => (part.thought ? "" : part.text ?? "")).join(" ");
      setText(speech, `${unsaid.length > 1 ? `${unsaid.length} new events. ` : ""}${body.author}: ${clip(text.replace(/\s+/g, " "), 140)}`);
      unsaid = [];
      speaking = null;
    }, 1000);
  }

  return {
    element, showPane, showStatus, showLink, showFilter, showPill, setEmpty, announce,
    setTheme() {
      const dark = isDark(getComputedStyle(element).getPropertyValue("--st-background-color"));
      setAttribute(element, "data-theme", dark ? "dark" : "light");
    },
    setHeight(wanted) {
      fill = Boolean(wanted);
      if (!fill) element.style.height = "";
      fit();
    },
    /** On a screen that shows one pane at a time, a chosen event opens the inspector. */
    selected(some) {
      if (element.dataset.size === "wide") return;
      showPane(some ? "inspector" : "events");
    },
    closePane() {
      if (element.dataset.size === "wide" || pane === "events") return false;
      showPane("events");
      return true;
    },
    close() {
      clearInterval(ticking);
      clearTimeout(speaking);
      resized.disconnect();
      window.removeEventListener("resize", fit);
      element.remove();
    },
  };
}

/** Where a run stands: its innermost open loop, and who is at work, or what they wait for. */
function whereNow({ activity }, now) {
  const loop = [...activity.loops].findLast(([, held]) => held.open);
  const busy = [...activity.models, ...activity.tools].filter(([, n]) => n > 0).map(([key]) => key.split("/")[0]);
  const tries = [...activity.retrying.values()];
  const trying = new Set(tries.map(({ agent }) => agent));
  const who = [...new Set(busy)].filter((name) => !trying.has(name));
  const names = who.length > 3 ? `${who.length} agents` : who.join(", ");
  const loads = [...activity.loading].map(([model, progress]) => loadingWords({ model, progress }));
  return [loop && iterationLabel({ iteration: loop[1].iteration, max_iterations: loop[1].max }), tries.length > 0 && tryingWords(tries.at(-1), now), tries.length > 1 && `${tries.length - 1} more`, names, ...loads].filter(Boolean).join(" · ");
}

function isDark(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour.trim() || "#fff";
  const value = probe.fillStyle;
  const [r, g, b] = value.startsWith("#") ? [1, 3, 5].map((i) => parseInt(value.slice(i, i + 2), 16)) : value.match(/\d+(\.\d+)?/g).map(Number);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 110;
}
