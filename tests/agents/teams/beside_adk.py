"""Runs packages of agents with a script of answers, here and by the server of `adk web`."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agents import InMemoryRunner
from agents.history.branches import TOOL_MARK
from agents.models.scripted import ScriptedLlm
from agents.pipelines import Pipeline, all_agents
from tests.agents.stage import user
from tests.benchmarks.imports import ROOT, environment
from tests.benchmarks.processes import WorkerError, python_of

Script = Mapping[str, Sequence[Any]]
"""Agent name → its answers in order: a text, or a list of calls."""


def texts_here(pipeline: Pipeline, message: str, script: Script) -> list[list[str]]:
    """Author and text of each event; what runs as a tool's own is left out, as ADK does."""
    for agent in all_agents(pipeline.root_agent):
        if agent.name in script:
            agent.model = ScriptedLlm(script=script[agent.name])
    runner = InMemoryRunner(pipeline.root_agent)
    asyncio.run(runner.session_service.create_session(app_name=runner.app_name, user_id="u", session_id="s"))
    events = runner.run(user_id="u", session_id="s", new_message=user(message))
    return [[event.author, event.text] for event in events if event.text and TOOL_MARK not in (event.branch or "")]


def texts_in_adk(folder: Path, runs: Sequence[tuple[str, str, Script]]) -> tuple[list[str], list[dict[str, Any]]]:
    """The packages that ADK lists in a folder, and of each run {"texts", "left", "error"}. Skips where ADK is missing.

    Args:
        folder: The folder of the packages.
        runs: Of each the package's name, the message and the script.
    """
    given = {"folder": str(folder), "runs": [_run(*run) for run in runs]}
    try:
        python = python_of("adk")
    except WorkerError as error:
        pytest.skip(str(error))
    done = subprocess.run(
        [*python, str(Path(__file__).with_name("adk_web.py"))],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        timeout=170,
        cwd=ROOT,
        env=environment(),
    )
    if done.returncode != 0 and "Traceback" not in done.stderr and not os.environ.get("CI"):
        pytest.skip(f"google-adk cannot be installed here: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    return found["apps"], found["runs"]


def _run(team: str, message: str, script: Script) -> dict[str, Any]:
    contents = {agent: [_content(answer) for answer in answers] for agent, answers in script.items()}
    return {"team": team, "message": message, "script": contents}


def _content(answer: Any) -> dict[str, Any]:
    texts = [{"text": answer}] if isinstance(answer, str) else [{"function_call": part.model_dump()} for part in answer]
    return {"role": "model", "parts": texts}
