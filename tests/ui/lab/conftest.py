"""A Lab of its own: a database in a folder that is thrown away, and nothing that goes on after a test."""

from __future__ import annotations

import pytest

from agents.runs import RunManager
from ui.lab import active_runs
from ui.state import runs


@pytest.fixture
def lab(quiet_world, tmp_path):
    runs.configure(database=tmp_path / "lab.db")
    runs.adopt(RunManager(database=tmp_path / "lab.db"))
    yield active_runs.lab()
    for info in active_runs.lab().runs():
        if (work := active_runs.work_on(info.name)) is not None:
            work.stop()
            work.wait()
    runs.close()
    runs.configure()
