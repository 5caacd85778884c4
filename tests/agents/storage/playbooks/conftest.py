"""Playbook repositories under test."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from agents.storage.playbooks.memory import InMemoryPlaybookRepository
from agents.storage.playbooks.stored import StoredPlaybookRepository
from agents.storage.postgres.pool import Pool
from agents.storage.sqlite.blocking_database import BlockingDatabase
from tests.agents.storage.postgres_server import new_database

KINDS = ("memory", "sqlite", "postgres")


@contextmanager
def made(kind: str, folder: Path, server):
    """A repository of a kind: in a folder, or in a database of its own."""
    with ExitStack() as stack:
        match kind:
            case "memory":
                repository = InMemoryPlaybookRepository()
            case "sqlite":
                repository = StoredPlaybookRepository(BlockingDatabase(folder / "p.db"))
            case "postgres":
                repository = StoredPlaybookRepository(Pool(stack.enter_context(new_database(server))))
        yield repository
        repository.close()


@pytest.fixture(params=KINDS)
def repository(request, tmp_path, postgres_server):
    with made(request.param, tmp_path, postgres_server) as repository:
        yield repository
