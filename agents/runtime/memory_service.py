"""The memory contract: what a user said in earlier sessions, to search in. Names and arguments are those of ADK for Python.

`agents.storage.memory` keeps memories in the process.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from google.genai import types
from pydantic import BaseModel, Field

from agents.event import Event
from agents.session import Session


class MemoryEntry(BaseModel):
    """A memory.

    Attributes:
        content: What was said.
        custom_metadata: Further data of the service.
        id: The entry's id; for an event, the event's id.
        author: Its author.
        timestamp: Its time, in ISO 8601; models read it.
    """

    content: types.Content
    custom_metadata: dict[str, Any] = Field(default_factory=dict)
    id: str | None = None
    author: str | None = None
    timestamp: str | None = None


class SearchMemoryResponse(BaseModel):
    """The results of a search, best first."""

    memories: list[MemoryEntry] = Field(default_factory=list[MemoryEntry])


class BaseMemoryService(ABC):
    """Where memories are kept, by app and user."""

    @abstractmethod
    async def add_session_to_memory(self, session: Session) -> None:
        """Adds a session. It may be added again when it has grown."""

    @abstractmethod
    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Searches a user's memories."""

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Adds events; known ones are not added twice.

        Raises:
            NotImplementedError: The service takes whole sessions only.
        """
        raise NotImplementedError(f"{type(self).__name__} takes no single events. Call add_session_to_memory(session).")

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Adds entries as they are.

        Raises:
            NotImplementedError: The service takes sessions and events only.
        """
        raise NotImplementedError(
            f"{type(self).__name__} takes no single memories. Call add_events_to_memory or add_session_to_memory(session)."
        )

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Deletes an entry by its id.

        Raises:
            NotImplementedError: The service deletes nothing.
        """
        raise NotImplementedError(f"{type(self).__name__} cannot delete single memories.")
