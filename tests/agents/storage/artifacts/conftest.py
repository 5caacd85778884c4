"""Artifact services under test."""

from __future__ import annotations

import pytest

from agents.storage.artifacts import InMemoryArtifactService, SqliteArtifactService

S1 = {"app_name": "app", "user_id": "user", "session_id": "s1"}


@pytest.fixture(params=["memory", "sqlite"])
async def service(request, tmp_path, anyio_backend):
    made = InMemoryArtifactService() if request.param == "memory" else SqliteArtifactService(tmp_path / "test.db")
    yield made
    await made.close()


@pytest.fixture
async def sqlite(tmp_path, anyio_backend):
    made = SqliteArtifactService(tmp_path / "test.db", busy_timeout=0.2)
    yield made
    await made.close()
