"""Where sessions are kept: in memory, or in one SQLite file. Both keep the contract of `agents.session`.

Each is loaded when it is first used.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.storage.sessions.memory import InMemorySessionService
    from agents.storage.sessions.sqlite import SqliteSessionService

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
