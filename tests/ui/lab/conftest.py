"""A Lab of its own: a database in a folder that is thrown away, and nothing that goes on after a test."""

from __future__ import annotations

import pytest

from agents.workspace import Workspace
from ui.state import runs


@pytest.fixture
def lab(quiet_world, tmp_path):
    runs.configure(database=tmp_path / "lab.db")
    runs.adopt(Workspace(tmp_path / "lab.db"))
    yield runs.workspace().lab
    for info in runs.workspace().lab.runs():
        if (work := runs.workspace().lab_jobs.of(info.name)) is not None:
            work.stop()
            work.wait()
    runs.close()
    runs.configure()
