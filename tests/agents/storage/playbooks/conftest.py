"""Playbook repositories under test."""

from __future__ import annotations

import pytest

from agents.storage.playbooks.memory import InMemoryPlaybookRepository
from agents.storage.playbooks.sqlite import SqlitePlaybookRepository

REPOSITORIES = {
    "memory": lambda _: InMemoryPlaybookRepository(),
    "sqlite": lambda folder: SqlitePlaybookRepository(folder / "p.db"),
}
"""How each is made, in a folder."""


@pytest.fixture(params=REPOSITORIES)
def repository(request, tmp_path):
    made = REPOSITORIES[request.param](tmp_path)
    yield made
    made.close()
