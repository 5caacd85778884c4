"""Teams to begin with: each runs as it is, and the review has nothing to say of it."""

from __future__ import annotations

import pytest

from agents.review import review_pipeline
from agents.teams import STARTS, outline
from agents.workspace import Workspace
from tests.ui.stage import finish


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_a_start_runs_without_a_key_and_without_a_finding(tmp_path, start):
    with Workspace(tmp_path / "play.db") as workspace:
        workspace.teams.create(start.name, start.files)
        pipeline = workspace.catalog.get(start.name)
        assert review_pipeline(pipeline) == []
        assert [node.problem for node in outline(start.files).walk() if node.problem] == []
        run = workspace.runs.start(start.name, "灯台守の一日", simulated_speed=0)
        finish(workspace.runs, start.name, run.session_id)
        found = workspace.runs.sessions.find(start.name, run.session_id)
        assert found is not None
        assert found.status == ("paused" if start.name == "ask_before" else "completed")
