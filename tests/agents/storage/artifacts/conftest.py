"""Artifact services under test."""

from __future__ import annotations

import pytest

from agents.storage.artifacts import InMemoryArtifactService, SqliteArtifactService
from agents.storage.artifacts.postgres import PostgresArtifactService
from agents.storage.postgres.pool import Pool

S1 = {"app_name": "app", "user_id": "user", "session_id": "s1"}


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def service(request, tmp_path, anyio_backend):
    match request.param:
        case "memory":
            made = InMemoryArtifactService()
        case "sqlite":
            made = SqliteArtifactService(tmp_path / "test.db")
        case "postgres":
            made = PostgresArtifactService(Pool(request.getfixturevalue("postgres")))
    yield made
    await made.close()


@pytest.fixture
async def sqlite(tmp_path, anyio_backend):
    made = SqliteArtifactService(tmp_path / "test.db", busy_timeout=0.2)
    yield made
    await made.close()
