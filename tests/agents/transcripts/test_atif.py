"""ATIF both ways: any session is written as a trajectory that the format's own models accept, and read again."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from atif import Trajectory

from agents.runs import RunManager
from agents.sharing import export_session
from agents.transcripts import import_folder, import_transcript, read_transcript, to_atif
from tests.agents.runs.stage import collect, finished
from tests.agents.transcripts.samples import Claude, claude_session, lines, text, tool_use, write


@pytest.fixture
def manager():
    with RunManager(database=None) as found:
        yield found


def trajectory(manager, pipeline, session):
    return Trajectory.model_validate_json(to_atif(export_session(manager, pipeline, session)))


@pytest.mark.anyio
@pytest.mark.parametrize("pipeline", ["report_writer", "tool_loop", "research_fanout", "ace"])
async def test_a_session_of_any_pipeline_is_a_trajectory(manager, pipeline):
    run = manager.start(pipeline, manager.catalog.get(pipeline).card.samples[0], model="simulated")
    await collect(manager.subscribe(run.pipeline, run.session_id), finished)
    found = trajectory(manager, run.pipeline, run.session_id)
    assert found.steps[0].source == "user"
    assert {step.source for step in found.steps} >= {"user", "agent"}
    assert found.final_metrics.total_prompt_tokens > 0


def test_a_sub_agent_is_a_trajectory_that_the_result_of_its_call_names(manager, tmp_path):
    session, helper = Claude("main"), Claude("main", sidechain=True)
    session.user("Look around")
    session.answer(tool_use("k", "Task", {"prompt": "find the till"}))
    session.result("k", "till.py", error=True)
    helper.user("find the till")
    helper.answer(text("till.py"))
    path = write(tmp_path / "main.jsonl", session.text())
    write(tmp_path / "agent-1.jsonl", helper.text())
    (added,) = import_folder(manager, [path], below=tmp_path)
    found = trajectory(manager, "coding_session", added.session_id)
    (child,) = found.subagent_trajectories
    (result,) = found.steps[1].observation.results
    assert result.subagent_trajectory_ref[0].trajectory_id == child.trajectory_id
    assert [step.message for step in child.steps] == ["find the till", "till.py"]


def test_a_trajectory_that_is_imported_and_exported_again_is_the_same(manager):
    added = import_transcript(manager, BytesIO(claude_session().text().encode()), name="x.jsonl")
    first = to_atif(export_session(manager, "coding_session", added.session_id))
    again = import_transcript(manager, BytesIO(first.encode()), name="x.json", mask=False)
    assert again.is_known, "the same session with as many events"
    changed = first.replace("Why does", "Where does").replace(added.session_id, "other")
    other = json.loads(changed) | {"session_id": "another"}
    added = import_transcript(manager, BytesIO(json.dumps(other).encode()), name="y.json")
    back = json.loads(to_atif(export_session(manager, "coding_session", added.session_id)))
    assert back == other


def test_cost_and_what_a_later_version_adds_are_read():
    value = {
        "schema_version": "ATIF-v2.3",
        "agent": {"name": "a", "version": "1", "model_name": "m"},
        "mood": "new",
        "steps": [
            {"step_id": 1, "source": "user", "message": "Hi"},
            {"step_id": 2, "source": "agent", "message": "Ho", "metrics": {"prompt_tokens": 3, "cost_usd": 0.25}},
            "a step of another kind",
        ],
    }
    found = read_transcript(BytesIO(json.dumps(value, indent=1).encode()), name="x.json")
    answer = [entry.event() for entry in found.log.log if entry.kind == "event"][-1]
    found.close()
    assert (found.unread, answer.custom_metadata) == (1, {"cost_usd": 0.25})


def test_a_folder_is_imported_file_by_file_and_only_once(manager, tmp_path: Path):
    write(tmp_path / "shop" / "a.jsonl", claude_session().text())
    write(tmp_path / "shop" / "b.jsonl", "no session")
    write(tmp_path / "c.jsonl", lines([{"type": "user", "uuid": "u", "message": {"role": "user", "content": "Hi"}}]))
    files = sorted(tmp_path.rglob("*.jsonl"))
    first = list(import_folder(manager, files, below=tmp_path))
    assert [(one.name, bool(one.session_id), bool(one.problem)) for one in first] == [
        ("c.jsonl", True, False),
        ("shop/a.jsonl", True, False),
        ("shop/b.jsonl", False, True),
    ]
    assert [one.is_known for one in import_folder(manager, files, below=tmp_path)] == [True, True, False]
    row = manager.sessions.find("coding_session", first[1].session_id)
    assert (row.title, row.events, row.status, row.models) == ("Fix the till", 6, "completed", "claude-opus-4-6")
