"""`python -m tests.benchmarks.hostile`: how long other users wait while somebody sends text that is made to be slow to read.

The app is served, and its health address is asked fifty times a second by a thread of this process. Meanwhile the import
dialog gets 100 kB of one character (in Chromium), every pipeline a message of 60 kB of it, and a stand-in for Gemini answers
every pipeline with 100 kB of it. Runs are started in the served process by the call that the page's Run button makes. Prints
the longest answer of the health address in each part, beside an idle server's.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from agents.pipelines.catalog import Catalog
from tests.benchmarks.browser import page_of
from tests.journeys.conftest import CHROMIUM, FLAGS
from tests.standins import gemini
from tests.standins.gemini import GeminiStandIn

FILLERS = {"spaces": " ", "backticks": "`", "brackets": "[", "quotes": '"', "line breaks": "\n"}
ANSWER, MESSAGE = 100_000, 60_000
"""Characters of a model's answer, or of a file; and of a message, which may have 64 kB at most."""
BUDGET = 0.25
INTERVAL = 0.02
RUN_SECONDS = 60
SERVED = f"""
import asyncio, json, sys, threading
from pathlib import Path
from tests.ui.stage import finish
from ui.state import runs
from ui.server import serve

def start_runs():
    for line in sys.stdin:
        order = json.loads(line)
        begun = runs.manager().start(order["pipeline"], order["message"], model=order["model"])
        ending = threading.Thread(target=finish, args=(runs.manager(), order["pipeline"], begun.session_id))
        ending.start()
        ending.join({RUN_SECONDS})
        runs.manager().stop(order["pipeline"], begun.session_id)
        ending.join()
        print("ended", flush=True)

threading.Thread(target=start_runs, daemon=True).start()
serve(host="127.0.0.1", port=0, database=Path(sys.argv[1]), agents_dir=None, open_browser=False)
"""


class Served:
    """The app in a process that starts the runs it is told to on its standard input."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        address = self._line_with("http://")
        self.url = address[address.index("http://") :].strip()

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def run(self, pipeline: str, message: str, model: str) -> None:
        """Runs a pipeline to its end, or for a minute."""
        assert self._process.stdin is not None
        order = {"pipeline": pipeline, "message": message, "model": model}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        self._line_with("ended")

    def _line_with(self, text: str) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if text in line:
                return line
        raise RuntimeError("the server ended")


@contextmanager
def served(database: Path, variables: dict[str, str]) -> Iterator[Served]:
    environment = os.environ | {"PLAYGROUND_SIMULATED_SPEED": "0", "PLAYGROUND_FILES": f"{database}.files"} | variables
    with subprocess.Popen(
        [sys.executable, "-c", SERVED, str(database)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
    ) as process:
        try:
            yield Served(process)
        finally:
            process.kill()


class Probe:
    """Asks the health address again and again, and keeps how long each answer took, in seconds."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._taken: list[float] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    @contextmanager
    def running(self) -> Iterator[Probe]:
        self._thread.start()
        try:
            yield self
        finally:
            self._ended.set()
            self._thread.join()

    def take(self) -> list[float]:
        """What was measured since the last call."""
        taken, self._taken = self._taken, []
        return taken

    def _ask(self) -> None:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=120)
        while not self._ended.wait(INTERVAL):
            started = time.perf_counter()
            connection.request("GET", "/_stcore/health")
            connection.getresponse().read()
            self._taken.append(time.perf_counter() - started)


def main() -> int:
    """Measures, prints, and returns 1 if an answer took longer than the budget."""
    names = Catalog().names()
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.hostile", description=__doc__)
    parser.add_argument("--pipeline", action="append", choices=names, help="only this one; may be given several times")
    pipelines: list[str] = parser.parse_args().pipeline or names
    with tempfile.TemporaryDirectory() as folder, GeminiStandIn() as model, sync_playwright() as playwright:
        key = {"GEMINI_API_KEY": "a-key-of-the-stand-in", "GOOGLE_GEMINI_BASE_URL": model.url}
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with served(Path(folder) / "app.db", key) as app, Probe(app.port).running() as probe:
            worst = measure(app, probe, browser, model, pipelines)
        browser.close()
    print(f"\nThe longest of all: {1000 * worst:.0f} ms (budget {1000 * BUDGET:.0f} ms)")
    return 1 if worst > BUDGET else 0


def measure(app: Served, probe: Probe, browser: Browser, model: GeminiStandIn, pipelines: list[str]) -> float:
    """All parts, one after the other; gives the longest answer of all in seconds."""
    first = next(iter(pipelines))
    app.run(first, sample_of(first), "simulated")  # what is loaded at the first run is loaded
    time.sleep(2)
    probe.take()
    time.sleep(5)
    worst = [say("idle", probe)]
    for filler in FILLERS:
        import_file(browser, app, filler)
        worst.append(say(f"import dialog, {filler}", probe))
    for pipeline in pipelines:
        for character in FILLERS.values():
            app.run(pipeline, f"{sample_of(pipeline)} {character * MESSAGE}.", "simulated")
        worst.append(say(f"{pipeline}, messages", probe))
        for character in FILLERS.values():
            model.always(gemini.says(character * ANSWER))
            app.run(pipeline, sample_of(pipeline), "gemini-2.5-flash")
        worst.append(say(f"{pipeline}, a model's answers", probe))
    return max(worst)


def say(what: str, probe: Probe) -> float:
    """Prints and returns the longest answer since the last call."""
    taken = sorted(probe.take())
    high = taken[int(0.99 * len(taken))]
    print(f"{what}: {len(taken)} answers, p99 {1000 * high:.0f} ms, longest {1000 * taken[-1]:.0f} ms", flush=True)
    return taken[-1]


def sample_of(pipeline: str) -> str:
    return Catalog().get(pipeline).card.samples[0]


def import_file(browser: Browser, app: Served, filler: str) -> None:
    """Offers a file to the import dialog and waits until it is read or refused."""
    with page_of(browser) as page:
        page.goto(f"{app.url}/playbook")
        page.get_by_role("button", name="Import").first.click()
        content = (FILLERS[filler] * ANSWER).encode()
        page.locator("input[type=file]").set_input_files(
            {"name": "hostile.txt", "mimeType": "text/plain", "buffer": content}
        )
        page.get_by_text("hostile.txt").wait_for()
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


if __name__ == "__main__":
    sys.exit(main())
