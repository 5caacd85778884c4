"""`python -m tests.benchmarks.large_import`: imports a playbook of 49 MB in a served app; how long others wait meanwhile.

`/_stcore/health` is asked again and again, and another process commits to another playbook of the database. First while
nothing happens, as the measure of the machine. Figures are printed, not judged.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import psutil
from playwright.sync_api import Page, sync_playwright

from agents.ace import DeltaBatch, Playbook, PlaybookStore
from tests.journeys.app import App
from tests.journeys.conftest import CHROMIUM, FLAGS

SIZE = 49_000_000
WORDS = "compare the units of both sides before dividing assets by liabilities then round and write a check sum".split()  # noqa: SIM905
IDLE = 10.0
PATIENCE = 600_000


def lines(size: int) -> str:
    """A text playbook of about `size` bytes."""
    chance, made, length, number = random.Random(1), list[str](), 0, 0
    while length < size - 200:
        if number % 10_000 == 0:
            made.append(f"## SECTION {number // 10_000}")
        number += 1
        content = " ".join(chance.choices(WORDS, k=20))
        made.append(f"[s{number // 10_000}-{number:06d}] helpful={number % 7} harmful={number % 3} :: {content}")
        length += len(made[-1]) + 1
    return "\n".join(made) + "\n"


def one_line(size: int) -> str:
    """A bullet as large as the file."""
    return "## A\n[a-00001] helpful=0 harmful=0 :: " + "word " * (size // 5 - 20)


def tiny_lines(size: int) -> str:
    """A bullet that goes on over millions of lines."""
    return "## A\n[a-00001] helpful=0 harmful=0 :: x\n" + "y" * 20 + "\n" + "breaks a line here ye\n" * (size // 22 - 10)


def line_breaks(size: int) -> str:
    """Nothing but line breaks, and no playbook behind them."""
    return "\n" * (size - 10) + "x"


def as_json(size: int) -> str:
    """The lossless form."""
    return _cut(size, lambda text: Playbook.from_text(text).to_json())


def as_dictionary(size: int) -> str:
    """The form of ADK's ACE."""
    return _cut(size, lambda text: json.dumps(Playbook.from_text(text).to_dict()))


def _cut(size: int, form: Callable[[str], str]) -> str:
    share = len(form(lines(100_000))) / 100_000
    return form(lines(int(size / share * 0.98)))


CASES = {
    "text": lines,
    "json": as_json,
    "dictionary": as_dictionary,
    "one-line": one_line,
    "tiny-lines": tiny_lines,
    "line-breaks": line_breaks,
}


class Probe:
    """Asks the app's health and commits from this process, and notes how long each took."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.health: list[float] = []
        self.commits: list[float] = []
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._ask, self._commit)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _ask(self) -> None:
        while not self._stopped.wait(0.02):
            started = time.perf_counter()
            with urllib.request.urlopen(f"{self._app.url}/_stcore/health", timeout=60):
                self.health.append(time.perf_counter() - started)

    def _commit(self) -> None:
        batch = DeltaBatch.model_validate({"operations": [{"type": "TAG", "bullet_id": "a-00001", "tag": "helpful"}]})
        with PlaybookStore(self._app.database, "elsewhere") as store:
            store.commit(DeltaBatch.model_validate({"operations": [{"type": "ADD", "section": "a", "content": "a"}]}))
            while not self._stopped.wait(0.05):
                started = time.perf_counter()
                store.commit(batch)
                self.commits.append(time.perf_counter() - started)

    def say(self, what: str) -> None:
        """Prints what was noted."""
        print(f"{what}: health {_figures(self.health)}; commits of another process {_figures(self.commits)}", flush=True)


def _figures(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p99 = ordered[int(len(ordered) * 0.99)] if ordered else 0.0
    return f"max {1000 * max(ordered, default=0):.0f} ms, p99 {1000 * p99:.0f} ms of {len(ordered)}"


@contextmanager
def memory_of(pid: int) -> Iterator[dict[str, int]]:
    """The highest resident memory of a server and of its children, in MB."""
    highest, stopped = {"server": 0, "child": 0}, threading.Event()

    def watch() -> None:
        server = psutil.Process(pid)
        while not stopped.wait(0.1):
            try:
                highest["server"] = max(highest["server"], server.memory_info().rss >> 20)
                for child in server.children(recursive=True):
                    highest["child"] = max(highest["child"], child.memory_info().rss >> 20)
            except psutil.Error:
                continue

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    yield highest
    stopped.set()
    thread.join()


def imported(page: Page, app: App, file: Path, name: str) -> tuple[float, str]:
    """Imports a file through the page; seconds, and what the page said in the end."""
    page.goto(f"{app.url}/playbook")
    page.get_by_role("button", name="Import").first.click()
    dialog = page.get_by_role("dialog")
    started = time.perf_counter()
    dialog.locator("input[type=file]").set_input_files(file)
    button, error = dialog.get_by_role("button", name="Import "), page.get_by_role("alert")
    while not (button.is_visible() or error.first.is_visible()):
        page.wait_for_timeout(100)
    if not button.is_visible():
        return time.perf_counter() - started, error.first.inner_text()
    dialog.get_by_text("A new playbook").click()
    dialog.get_by_role("textbox", name="Name").fill(name)
    dialog.get_by_role("textbox", name="Name").press("Tab")
    button.click()
    done = page.locator(".st-key-playbook_notice")
    done.wait_for()
    return time.perf_counter() - started, done.inner_text().split("\n")[0]


def used(page: Page, app: App, name: str) -> None:
    """Opens what was imported: each part of the page, and the text as a download."""
    for tab in ("bullets", "growth", "duplicates"):
        page.goto(f"{app.url}/playbook?playbook={name}&tab={tab}")
        page.get_by_role("button", name="Export").wait_for()
        page.wait_for_timeout(2000)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON, all of it").click()
    download.value.path()


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.large_import", description=__doc__)
    parser.add_argument("cases", nargs="*", default=["text"], choices=CASES, help="which files; text by default")
    parser.add_argument("--megabytes", type=float, default=SIZE / 1e6)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        app = App(Path(folder) / "app.db").start()
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        try:
            page.goto(f"{app.url}/playbook")
            page.get_by_role("button", name="Import").first.wait_for()
            with Probe(app) as probe:
                time.sleep(IDLE)
            probe.say("idle")
            for case in options.cases:
                file = Path(folder) / f"{case}.{'json' if case in {'json', 'dictionary'} else 'txt'}"
                file.write_text(CASES[case](int(options.megabytes * 1e6)), encoding="utf-8")
                with memory_of(app.pid) as memory, Probe(app) as probe:
                    seconds, said = imported(page, app, file, case)
                probe.say(f"{case}, {file.stat().st_size / 1e6:.0f} MB, imported in {seconds:.0f} s")
                print(f"  the page: {said[:200]}\n  memory: {memory['server']} MB server, {memory['child']} MB child")
            if "text" in options.cases:
                with Probe(app) as probe:
                    used(page, app, "text")
                probe.say("bullets, growth, duplicates, download")
        finally:
            app.kill()
            browser.close()


if __name__ == "__main__":
    if not CHROMIUM:
        sys.exit("Chromium is not installed: apt install chromium")
    main()
