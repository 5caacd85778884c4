"""The code on google-adk: run by the real google-adk, which is installed apart, it gives the same texts."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from agents.runs import RunManager
from agents.sharing import session_code
from agents.sharing.code.adk_tree import HOMES
from tests.agents.sharing.code.packages import SHOP, written
from tests.agents.sharing.code.stage import run, stored, texts_of
from tests.benchmarks.imports import ROOT, environment
from tests.benchmarks.processes import WorkerError, python_of

NAMES = "names"
"""A file that imports every name that ADK has."""
ELIGIBLE = {
    "approval": "Pay 20 euros to Bo for the flowers",
    "banana_painter": None,
    "code_refinement": None,
    "adk_shop": "cake",
    "data_pipeline": None,
    "fact_check": None,
    "help_desk": None,
    "iterative_writing": None,
    "report_writer": None,
    "research_fanout": None,
    "status_poller": None,
}
"""The pipelines that ADK has all for, and a package of a user's own, with a message; None for their first sample."""


@pytest.fixture(scope="module")
def sessions(tmp_path_factory):
    """Each pipeline's code, and the events of the session."""
    patch = pytest.MonkeyPatch()
    patch.setenv("PLAYGROUND_FILES", str(tmp_path_factory.mktemp("files")))
    patch.setattr(sys, "path", list(sys.path))
    folder = tmp_path_factory.mktemp("agents")
    written(folder, "adk_shop", SHOP)
    with RunManager(database=None, agents_dir=folder) as manager:
        manager.models.change(simulated_speed=0)
        found = {}
        for name in manager.catalog.names():
            message = ELIGIBLE.get(name) or manager.catalog.get(name).card.samples[0]
            session = run(manager, name, message)
            found[name] = session_code(manager, name, session), stored(manager, name, session)
        yield found
    patch.undo()


def recorded(events):
    """What models answered, by agent."""
    answers: dict[str, list[object]] = {}
    for event in events:
        if event.stop_reason is not None and event.author != "user":
            content = event.content.model_dump(mode="json", exclude_none=True)
            answers.setdefault(event.author, []).append(content)
    return answers


@pytest.fixture(scope="module")
def ran(sessions):
    """What google-adk says of the files."""
    lines = [
        json.dumps({"name": name, "code": sessions[name][0].adk, "answers": recorded(sessions[name][1])})
        for name in ELIGIBLE
    ]
    names = "\n".join(f"from {module} import {name}" for name, module in sorted(HOMES.items()))
    lines.append(json.dumps({"name": NAMES, "code": names}))
    script = Path(__file__).with_name("adk_run.py")
    try:
        python = python_of("adk")
    except WorkerError as error:
        pytest.skip(str(error))
    done = subprocess.run(
        [*python[:-1], "--with", "pillow", python[-1], str(script)],  # banana_painter paints with it
        input="\n".join(lines),
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
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"name"')]
    return {answer["name"]: answer for answer in answers}


@pytest.mark.parametrize("name", ELIGIBLE)
def test_google_adk_runs_it_and_gives_the_same_texts(name, sessions, ran):
    code, events = sessions[name]
    assert code.adk_lacks == ()
    assert ran[name]["error"] == ""
    assert ran[name]["left"] == {}
    said = [tuple(one) for one in ran[name]["texts"]]
    mine = texts_of(events, inner=False)
    assert (Counter(said) == Counter(mine)) if name == "research_fanout" else (said == mine)


@pytest.mark.parametrize("name", ELIGIBLE)
def test_it_imports_nothing_of_this_project(name, sessions):
    modules = {
        module
        for node in ast.walk(ast.parse(sessions[name][0].adk))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for module in ([node.module] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    assert not [module for module in modules if module.partition(".")[0] in ("agents", "ui", "tests")]
    assert [module for module in modules if module.startswith("google.adk.")]


def test_the_other_pipelines_say_what_adk_lacks(sessions):
    lacks = {name: code.adk_lacks for name, (code, _) in sessions.items() if name not in ELIGIBLE}
    assert all(lacks.values())
    assert {name for name, said in lacks.items() if "RoutedAgent" in said[0]} == {
        "routed_ab",
        "routed_fallback",
        "complexity_router",
        "planning_mode",
    }
    assert "RoutedLlm" in lacks["routed_llm"][0]
    assert "agents.pipelines.working_files" in lacks["tool_loop"][0]
    assert "agents.ace" in " ".join(lacks["ace"])
    assert all(code.adk == "" for name, (code, _) in sessions.items() if name not in ELIGIBLE)


def test_google_adk_has_each_name_where_it_is_imported_from(ran):
    assert ran[NAMES]["error"] == ""
