"""Where artifacts are kept: in memory, or in the session database. Both keep the contract of `agents.artifact`."""

from __future__ import annotations

from agents.storage.artifacts.memory import InMemoryArtifactService
from agents.storage.artifacts.sqlite import SqliteArtifactService

__all__ = ["InMemoryArtifactService", "SqliteArtifactService"]
