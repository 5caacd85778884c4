"""Where sessions are kept: in memory, or in one SQLite file. Both keep the contract of `agents.session`."""

from __future__ import annotations

from agents.sessions.memory import InMemorySessionService
from agents.sessions.sqlite import SqliteSessionService

__all__ = ["InMemorySessionService", "SqliteSessionService"]
