"""`python -m tests.benchmarks.browser`: what a person waits for, in Chromium, beside the budgets.

Figures are printed, not judged: they depend on the machine and on what else it does.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks import waits
from tests.benchmarks.clicks import event_clicks, fold_clicks, tab_clicks
from tests.benchmarks.long_session import write_long_session
from tests.benchmarks.peers import adk_page, adk_session, adk_web, bare_page, bare_streamlit, write_adk_session
from tests.benchmarks.processes import WorkerError
from tests.journeys.app import App
from tests.journeys.conftest import CHROMIUM, FLAGS
from tests.journeys.playground_page import Playground

LONG = 10_000
STORED = 1_000
ROUNDS = 7
TICKS = 500
TICKER = """
import asyncio, time
from agents import BaseAgent, Event
from google.genai import types

class Ticker(BaseAgent):
    async def _run_async_impl(self, ctx):
        due = time.perf_counter()
        for number in range(500):
            due += 0.02
            await asyncio.sleep(max(0, due - time.perf_counter()))
            text = f"tick {number} at {time.time():.4f}"
            yield Event(author=self.name, content=types.Content(role="model", parts=[types.Part(text=text)]))

root_agent = Ticker(name="Ticker")
"""
GRAPH_TICKS = 281
GRAPH = """
import asyncio, time
from agents import Event, Workflow
from agents.workflow import JoinNode
from google.genai import types

count = 0

def step(name):
    async def run(node_input):
        global count
        await asyncio.sleep(0.02)
        count += 1
        return Event(message=f"tick {count} at {time.time():.4f}", output=1)
    run.__name__ = name
    return run

def judge(node_input, ctx):
    ctx.state["round"] = ctx.state.get("round", 0) + 1
    return Event(output=1, route="again" if ctx.state["round"] < 5 else "done")

before = [step(f"before_{number}") for number in range(10)]
parts = tuple(step(f"part_{number}") for number in range(20))
inner = Workflow(name="inner", edges=[("START", *(step(f"inner_{number}") for number in range(10)))])
after = [step(f"after_{number}") for number in range(16)]
root_agent = Workflow(name="sixty", edges=[
    ("START", *before, parts, JoinNode(name="both"), inner, *after, judge, {"again": before[0], "done": step("end")}),
])
"""
"""Sixty nodes: a chain, twenty at once, a join, a graph of ten, and a loop of five rounds by a route.

Of twenty rows that come at once some are above the window before a frame has shown them.
"""
WATCH_TICKS = """() => {
  window.delays = new Map();
  const look = () => {
    const rows = document.querySelectorAll('[data-testid=stBidiComponentIsolated]');
    for (const host of rows) for (const row of host.shadowRoot?.querySelectorAll('.row .text') ?? []) {
      const found = /^tick (\\d+) at ([\\d.]+)/.exec(row.textContent);
      if (found && !delays.has(found[1])) delays.set(found[1], Date.now() - 1000 * Number(found[2]));
    }
    requestAnimationFrame(look);
  };
  look();
}"""

IS_SHOWN = """number => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')].some(host =>
  [...host.shadowRoot?.querySelectorAll('.row.event .number') ?? []].some(shown => shown.textContent === String(number)))"""
"""Asked at every frame: Playwright's own waiting looks only every half second in the end."""


def main() -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        say(
            "server ready (health answers), from the start of the process",
            [ready(folder / "ready.db") for _ in range(3)],
            "1.5 s",
        )
        app = App(folder / "app.db", words_per_second=2, agents=ticking_agents(folder)).start()
        try:
            say("first page, opened as soon as the address is printed", [first_page(browser, app)], "")
            first_loads(browser, app)
            say("Stop pressed → shown as stopped", [stop(browser, app) for _ in range(5)], "0.5 s")
            say("event → visible at 50 a second", ticks(browser, app, "ticking", least=TICKS * 0.9), "p95 60 ms")
            say("event of a graph of sixty nodes → visible", ticks(browser, app, "sixty", least=GRAPH_TICKS * 0.5), "0.05 s")
            server_waits(browser, app)
            beside_bare_streamlit(browser, app, folder)
            stored = write_long_session(app.database, STORED)
            link = write_long_session(app.database, LONG)
            beside_adk_web(browser, app, stored, folder)
            for events, path in ((STORED, stored), (LONG, link)):
                clicks(browser, app, path, events)
            first, *later = open_long(browser, app, link, events=LONG, times=6)
            for visit, seconds in (("first visit of a browser", [first]), ("later visits", later)):
                say(f"{LONG:,} events, {visit}: navigation → the last event shown", [shown for shown, _ in seconds], "1.5 s")
                say(f"{LONG:,} events, {visit}: navigation → all there", [whole for _, whole in seconds], "")
            app.kill()  # runs that were begun above may go on, and would be measured, too
            app.start()
            print(f"idle server, one tab open: {idle(browser, app, link):.2f} % of a core (budget 1 %)")
        finally:
            app.kill()
            browser.close()


def first_loads(browser: Browser, app: App) -> None:
    """The app in browsers that have nothing of it, from a warm server."""
    loads: list[waits.FirstLoad] = []
    for _ in range(ROUNDS):
        with page_of(browser) as page:
            loads.append(waits.first_load(page, app.url))
    say("first load: navigation → something drawn", [load.drawn for load in loads], "1 s")
    say("first load: navigation → usable", [load.usable for load in loads], "2 s")


def server_waits(browser: Browser, app: App) -> None:
    """Clicks that the server answers. The runs leave the sessions that are opened then."""
    first_rows: list[float] = []
    for _ in range(ROUNDS):
        with page_of(browser) as page:
            first_rows.append(waits.first_row(page, app.url))
    say("Run pressed → first row", first_rows, "0.4 s")
    for what, measure, budget in (
        ("another session", waits.sessions, "0.35 s"),
        ("another pipeline", waits.pipelines, "0.35 s"),
        ("another page", waits.pages, "0.3 s"),
    ):
        with page_of(browser) as page:
            say(f"click on {what} → shown", measure(page, app.url), budget)


def beside_bare_streamlit(browser: Browser, app: App, folder: Path) -> None:
    """Our page and one that writes a word, in turns: what Streamlit itself takes is in both."""
    with bare_streamlit(folder) as url:
        pairs = [(first_page(browser, app), alone(browser, bare_page, url)) for _ in range(ROUNDS)]
    compare("page visible in a new tab", "a bare Streamlit page", pairs, "1.15 ×")


def beside_adk_web(browser: Browser, app: App, stored: str, folder: Path) -> None:
    """Our page and `adk web`, in turns: until one can type, and until the end of a stored session is shown."""
    try:
        with adk_web(folder) as url:
            pages = [(first_page(browser, app), alone(browser, adk_page, url)) for _ in range(3)]
            long = write_adk_session(url, STORED)
            opened = [
                (
                    open_long(browser, app, stored, events=STORED, times=1)[0][0],
                    alone(browser, partial(adk_session, events=STORED), long),
                )
                for _ in range(3)
            ]
    except WorkerError as error:
        print(f"adk web is not measured: {error}", flush=True)
        return
    compare("page visible in a new tab", "adk web", pages, "")
    compare(f"{STORED:,} stored events: navigation → the last event shown", "adk web", opened, "")


def compare(what: str, peer: str, pairs: list[tuple[float, float]], budget: str) -> None:
    """One line: both medians, and the median of the ratios of each round."""
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(own / other for own, other in pairs)
    aside = f" (budget {budget})" if budget else ""
    print(f"{what}: {ours:.3f} s; {peer}: {theirs:.3f} s; ratio {ratio:.2f}{aside}", flush=True)


def alone(browser: Browser, measure: Callable[[Page, str], float], url: str) -> float:
    """A measurement in a page with nothing cached."""
    with page_of(browser) as page:
        return measure(page, url)


def clicks(browser: Browser, app: App, link: str, events: int) -> None:
    """How soon clicks are seen in a session of so many events."""
    with page_of(browser) as page:
        page.goto(f"{app.url}/{link}")
        page.wait_for_function(IS_SHOWN, arg=events, polling="raf")
        Playground(page).loading.wait_for(state="hidden")
        for what, measure in (("an event", event_clicks), ("a tab", tab_clicks), ("a fold", fold_clicks)):
            say(f"{events:,} events: click on {what} → seen", measure(page), "0.05 s")


def say(what: str, seconds: list[float], budget: str) -> None:
    """One line: median and 95th percentile, or the single figure."""
    high = statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 20 else max(seconds)
    aside = f" (budget {budget})" if budget else ""
    worst = "p95" if len(seconds) > 20 else "max"
    figures = f"{statistics.median(seconds):.3f} s" + (f", {worst} {high:.3f} s" if len(seconds) > 1 else "")
    print(f"{what}: {figures}{aside}", flush=True)


def ready(database: Path) -> float:
    """Seconds until a new server answers."""
    app = App(database)
    port = 18000 + os.getpid() % 10000
    command = [sys.executable, "-m", "ui.cli", "--no-browser", "--port", str(port), "--db", str(database)]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=app.environment)
    try:
        while True:
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5):
                return time.perf_counter() - started
            if process.poll() is not None:
                raise RuntimeError(f"the server ended with {process.returncode}")
    finally:
        process.kill()
        process.wait()


@contextmanager
def page_of(browser: Browser) -> Iterator[Page]:
    """A page with nothing cached."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.set_default_timeout(60_000)
    try:
        yield context.new_page()
    finally:
        context.close()


def first_page(browser: Browser, app: App) -> float:
    """Seconds from navigation until Run can be pressed."""
    with page_of(browser) as page:
        started = time.perf_counter()
        page.goto(app.url)
        Playground(page).run_button.wait_for()
        return time.perf_counter() - started


def stop(browser: Browser, app: App) -> float:
    """Seconds from pressing Stop in mid-answer until the page says so."""
    with page_of(browser) as page:
        view = Playground(page).open(app.url)
        view.run_button.click()
        view.events.get_by_role("row", name="InitialWriterAgent is writing").wait_for()
        started = time.perf_counter()
        view.stop_button.click()
        view.events.get_by_role("row", name="Run stopped").wait_for()
        return time.perf_counter() - started


def ticks(browser: Browser, app: App, pipeline: str, *, least: float) -> list[float]:
    """Seconds from the making of each event until its row is in the page; so many at least must have been seen."""
    with page_of(browser) as page:
        view = Playground(page).open(f"{app.url}/?pipeline={pipeline}")
        page.evaluate(WATCH_TICKS)
        view.say("go")
        view.events.get_by_role("row", name="Run completed").wait_for()
        delays: list[float] = page.evaluate("[...delays.values()]")
    if len(delays) < least:
        raise RuntimeError(f"only {len(delays)} events were seen, not {least:.0f}")
    return [delay / 1000 for delay in delays]


def open_long(browser: Browser, app: App, link: str, *, events: int, times: int) -> list[tuple[float, float]]:
    """Seconds from navigation until the last event is shown, and until all are loaded.

    From the second time on the browser has the app's files in its cache.
    """
    with page_of(browser) as page:
        seconds: list[tuple[float, float]] = []
        for _ in range(times):
            page.goto("about:blank")
            started = time.perf_counter()
            page.goto(f"{app.url}/{link}")
            page.wait_for_function(IS_SHOWN, arg=events, polling="raf")
            shown = time.perf_counter() - started
            Playground(page).loading.wait_for(state="hidden")
            seconds.append((shown, time.perf_counter() - started))
        return seconds


def idle(browser: Browser, app: App, link: str) -> float:
    """Per cent of a core that the server takes while one page is open and nothing happens."""
    with page_of(browser) as page:
        page.goto(f"{app.url}/{link}")
        Playground(page).event(LONG).wait_for()
        page.wait_for_timeout(3000)
        server = psutil.Process(app.pid)
        before, started = sum(server.cpu_times()[:2]), time.perf_counter()
        page.wait_for_timeout(10_000)
        return 100 * (sum(server.cpu_times()[:2]) - before) / (time.perf_counter() - started)


def ticking_agents(folder: Path) -> Path:
    """Pipelines that say the time: an agent fifty times a second, and the nodes of a graph."""
    for name, source in (("ticking", TICKER), ("sixty", GRAPH)):
        package = folder / "agents" / name
        package.mkdir(parents=True)
        (package / "agent.py").write_text(source)
    return folder / "agents"


if __name__ == "__main__":
    if not shutil.which(CHROMIUM or ""):
        sys.exit("Chromium is not installed: apt install chromium")
    main()
