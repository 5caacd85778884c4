"""Who asks a `RunManager`, and whose session an id names to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from agents.access import OWNER, Action, User, require
from agents.runs.loops.loop_thread import LoopThread
from agents.runs.values import SessionKey
from agents.session import BaseSessionService
from agents.session_list import SessionFilter
from agents.state import State


class Asker:
    """A user who asks. What a method returns is permitted to them.

    A session is named by pipeline and id. It is the user's own session of that id, else the owner's; to the owner it may be
    a visitor's or a learner's, to a teacher a learner's.
    """

    def __init__(self, user: User, thread: LoopThread, service: BaseSessionService) -> None:
        self.user = user
        self._thread, self._service = thread, service

    def require(self, action: Action, *, of: str | None = None) -> None:
        """Checks a right; see `agents.access.require`."""
        require(self.user, action, of=of)

    def key(self, action: Action, pipeline: str, session_id: str) -> SessionKey:
        """The key of a session that the action is permitted on; of one that is not there, a key of the user's own.

        Raises:
            NotPermittedError: The user may not do that to this session.
            DatabaseError: The sessions cannot be read.
        """
        return self._permitted(action, self._thread.read_here(self._find, pipeline, session_id))

    async def key_in_any_loop(self, action: Action, pipeline: str, session_id: str) -> SessionKey:
        """The same, from any event loop."""
        return self._permitted(action, await self._thread.await_in_loop(self._find, pipeline, session_id))

    def key_among(self, keys: Iterable[SessionKey], pipeline: str, session_id: str) -> SessionKey | None:
        """The key of a session among those given, without reading any storage; None if the user does not see it."""
        there = [key for key in keys if key[:2] == (pipeline, session_id) and self.user.sees(key.user_id)]
        return min(there, key=lambda key: (key.user_id != self.user.id, key.user_id), default=None)

    def shown(self, wanted: SessionFilter) -> SessionFilter:
        """A filter of sessions, for those that the user sees."""
        return replace(wanted, user_ids=self.user.seen_ids, user_prefixes=self.user.seen_prefixes)

    def check_state(self, state: Mapping[str, Any]) -> None:
        """Checks that the user may set these keys.

        Raises:
            NotPermittedError: One of them is a key of all sessions.
        """
        if any(key.startswith(State.APP_PREFIX) for key in state):
            self.require(Action.WRITE_APP_STATE)

    def _permitted(self, action: Action, key: SessionKey) -> SessionKey:
        self.require(action, of=key.user_id)
        return key

    async def _find(self, pipeline: str, session_id: str) -> SessionKey:
        own = SessionKey(pipeline, session_id, self.user.id)
        for key in dict.fromkeys((own, SessionKey(pipeline, session_id, OWNER.id))):
            if await self._service.summary(**key.name) is not None:
                return key
        if not self.user.seen_prefixes:
            return own
        page = await self._service.page(self.shown(SessionFilter(app_name=pipeline, session_id=session_id)), limit=1)
        return next((SessionKey(row.app_name, row.id, row.user_id) for row in page.rows), own)
