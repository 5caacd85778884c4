"""A playbook in a file of its own, and nothing that goes on after a test."""

from __future__ import annotations

import pytest

from agents.ace import Playbook, StoredBullet
from agents.workspace import Workspace
from ui.state import runs

TEXTS = (
    "current ratio = current assets / current liabilities",
    "gross profit = revenue + cost of goods sold",
    "問題をよく読む。",
)


@pytest.fixture
def kept(quiet_world, tmp_path):
    """A manager whose playbook "ace" has a right formula, a false one and a decoy."""
    runs.configure(database=tmp_path / "lab.db")
    runs.adopt(Workspace(tmp_path / "lab.db"))
    manager = runs.manager()
    bullets = [StoredBullet(f"b-{number:05}", "A", text, place=number) for number, text in enumerate(TEXTS, 1)]
    manager.playbooks("ace").import_playbook(Playbook(bullets), new=True)
    yield manager
    if (work := runs.workspace().measurement_jobs.of("ace")) is not None:
        work.stop()
        work.wait()
    runs.close()
    runs.configure()
