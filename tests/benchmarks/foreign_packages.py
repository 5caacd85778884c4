"""Loads and runs every agent package written for ADK below folders of repositories, imports as they are.

    python -m tests.benchmarks.foreign_packages FOLDER…

Each folder in a FOLDER is a repository; nothing is fetched. A package is a folder with `agent.py`, or with a `root_agent`
in its `__init__.py` or `root_agent.yaml`, of which no folder above is one. Each is loaded in a process of its own, and run
on one message against a stand-in for Gemini, through Google's client. The code of a package is run: use a machine without
keys. Prints why packages do not run, with counts; exits with 1 if fewer run than `ENOUGH` of those that need nothing else.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from agents import BaseAgent, Gemini, InMemoryRunner, LlmAgent, RunConfig
from agents.adk.names import kinds
from agents.model import JSON_IN_WORDS
from agents.models.simulated.placeholders import Placeholders
from agents.pipelines.loading.failure import failure_of
from agents.pipelines.loading.loader import load_from
from agents.pipelines.loading.sources.opened_files import OpenedFiles
from tests.agents.stage import user
from tests.standins import gemini
from tests.standins.gemini import GeminiStandIn, Received

ENOUGH = 0.8
"""Share of the packages that need nothing else which must run."""
SECONDS = 60
"""Of a package, to load and to run."""
MESSAGE = "Hello! What can you do for me?"
ENVIRONMENT = {
    "GOOGLE_API_KEY": "of-the-stand-in",
    "GOOGLE_CLOUD_LOCATION": "nowhere",
    "GOOGLE_CLOUD_PROJECT": "none",
    "GOOGLE_GENAI_USE_VERTEXAI": "0",
}
ROOT = Path(__file__).resolve().parents[2]
RUNS = "runs"
_OF_ADK = re.compile(r"google\.adk|from google import adk")
_ROOT = re.compile(r"^\s*(root_agent|app)\b", re.MULTILINE)
_SERVICES = ("mcp", "services", "cloud_tools", "remote", "computer", "executors", "credentials", "live")
_REASONS = (
    ("it is a part of another agent", r"is a part of the agent|has no root_agent|beyond top-level package"),
    (
        "it needs a package that is not installed",
        r"(is|are) not installed|No module named|from 'opentelemetry'",
    ),
    ("it needs a key or an account", r"DefaultCredentials|credentials|API_?KEY|TOKEN"),
    ("it needs settings of its environment", r"environment variable|is not set|is required|KeyError: '[A-Z_]+'"),
    ("it needs a file that is not there", r"No such file|FileNotFound|does not exist"),
    ("it needs another server", r"Connect|Timeout|hangs|URLError|Max retries|Name or service"),
    ("its state is set by another program", r"MissingStateKey|MISSING_STATE"),
)


def packages_in(repository: Path) -> Iterator[Path]:
    """The folders of a repository that `adk web` could be given as an agent."""
    found: set[Path] = set()
    for folder in sorted({file.parent for file in repository.rglob("*") if file.name in _FILES}):
        if {"tests", "node_modules", ".venv"} & set(folder.relative_to(repository).parts) or found & set(folder.parents):
            continue
        texts = [file.read_text(encoding="utf-8", errors="replace") for file in folder.glob("*.py")]
        start = folder / "agent.py" if (folder / "agent.py").is_file() else folder / "__init__.py"
        has_root = start.is_file() and _ROOT.search(start.read_text(encoding="utf-8", errors="replace"))
        if (folder / "root_agent.yaml").is_file() or (has_root and any(map(_OF_ADK.search, texts))):
            found.add(folder)
            yield folder


_FILES = ("agent.py", "__init__.py", "root_agent.yaml")


class _Answers(GeminiStandIn):
    """Answers any request: ends a loop if it may, fits the schema if there is one, else says something."""

    def own_answer(self, received: Received) -> gemini.Answer | None:
        if received.method == "GET":
            return super().own_answer(received)
        tools = [one["name"] for tool in received.body.get("tools", ()) for one in tool.get("functionDeclarations", ())]
        last = received.body["contents"][-1]["parts"][-1]
        ending = next((name for name in tools if "exit" in name or "loop" in name), None)
        if ending and "functionResponse" not in last:
            return gemini.calls((ending, {}))
        config = received.body.get("generationConfig", {})
        schema = config.get("responseJsonSchema") or config.get("responseSchema")
        instruction = received.body.get("systemInstruction", {}).get("parts", [{}])[0].get("text", "")
        if JSON_IN_WORDS in instruction:
            schema = json.JSONDecoder().raw_decode(instruction.rpartition(JSON_IN_WORDS)[2])[0]
        return gemini.says(json.dumps(Placeholders(MESSAGE).fill(_lowered(schema))) if schema else "I can help you.")


def _lowered(schema: Any) -> Any:
    """A schema of Google's as a JSON schema."""
    if isinstance(schema, list):
        return [_lowered(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: value.lower() if key == "type" and isinstance(value, str) else _lowered(value) for key, value in schema.items()
    }


def outcome_of(folder: Path) -> str:
    """Loads and runs a package in this process: "runs", or why it does not."""
    try:
        loaded = load_from(folder, folder.parent, OpenedFiles(folder.parent))
        if loaded.pipeline is None:
            return "has no root_agent"
        with _Answers() as server:
            return asyncio.run(_run(loaded.pipeline, server.url))
    except BaseException as error:
        return failure_of(error, folder).reason


async def _run(pipeline: Any, url: str) -> str:
    model = Gemini(model="gemini-2.5-flash", base_url=url, api_key=SecretStr("of-the-stand-in"))
    names = {agent.name for agent in _tree(pipeline.root_agent) if isinstance(agent, LlmAgent)}
    config = RunConfig(model=model, agent_models=dict.fromkeys(names, model), max_llm_calls=100, max_seconds=SECONDS / 2)
    runner = InMemoryRunner(pipeline.root_agent, pipeline.name, pipeline.plugins)
    await runner.session_service.create_session(app_name=pipeline.name, user_id="user", session_id="one")
    events = runner.run_async(user_id="user", session_id="one", new_message=user(MESSAGE), run_config=config)
    failed = [f"{event.error_code}: {event.error_message}" async for event in events if event.error_code]
    return failed[-1] if failed else RUNS


def _tree(agent: BaseAgent) -> Iterator[BaseAgent]:
    yield agent
    for below in agent.sub_agents:
        yield from _tree(below)


def reason_of(outcome: str) -> str:
    """The kind of reason for which a package does not run; "" for one that is this runtime's."""
    for kind in _SERVICES:
        if "is not here" in outcome and kinds()[kind]["why"] in outcome:
            return f"it needs a service ({kind})"
    return next((reason for reason, words in _REASONS if re.search(words, outcome)), "")


def _of_process(folder: Path) -> str:
    command = [sys.executable, "-m", "tests.benchmarks.foreign_packages", "--one", str(folder)]
    environment = {**os.environ, **ENVIRONMENT, "HOME": "/nonexistent", "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=SECONDS * 2, env=environment, cwd=folder.parent
        )
    except subprocess.TimeoutExpired:
        return "hangs"
    lines = [line for line in done.stdout.splitlines() if line.startswith("OUTCOME ")]
    return json.loads(lines[-1].removeprefix("OUTCOME ")) if lines else f"ended: {done.stderr[-300:]}"


def main(folders: list[Path]) -> int:
    """Prints the outcome of each package, and the counts."""
    outcomes: dict[str, str] = {}
    for repository in sorted(below for folder in folders for below in folder.iterdir() if below.is_dir()):
        for folder in packages_in(repository):
            shown = f"{repository.name}/{folder.relative_to(repository)}"
            outcomes[shown] = outcome = _of_process(folder)
            print(f"{shown}: {' '.join(outcome.split())[:400]}", flush=True)
    running = sum(outcome == RUNS for outcome in outcomes.values())
    others = Counter(reason_of(outcome) or "another" for outcome in outcomes.values() if outcome != RUNS)
    able = running + others["another"]
    print(f"\n{len(outcomes)} packages, {running} run")
    for reason, count in others.most_common():
        print(f"{count:4} do not: {reason}")
    print(f"{running} of {able} that need nothing else run")
    return 0 if running >= ENOUGH * able else 1


def _one(folder: Path) -> None:
    found: list[str] = []
    worker = threading.Thread(target=lambda: found.append(outcome_of(folder)), daemon=True)
    worker.start()
    worker.join(SECONDS)
    print("\nOUTCOME", json.dumps(found[0] if found else "hangs"), flush=True)
    os._exit(0)  # whatever threads foreign code has


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        _one(Path(sys.argv[2]).resolve())
    sys.exit(main([Path(one).resolve() for one in sys.argv[1:]]))
