"""Who asks a `RunManager`, and whose session an id names to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from time import time
from typing import Any

from agents.access import OWNER, RIGHTS, Action, Extent, Links, Thing, User, of_session, permits, require
from agents.runs.loops.loop_thread import LoopThread
from agents.runs.values import SessionKey
from agents.session import BaseSessionService
from agents.session_list import SessionFilter
from agents.state import State


class Asker:
    """A user who asks. What a method returns is permitted to them.

    A session is named by pipeline and id. It is the user's own session of that id, else the owner's; to the owner it may be
    a visitor's or a learner's, to a teacher a learner's; to anybody it may be one that a link shares with them.
    """

    def __init__(self, user: User, thread: LoopThread, service: BaseSessionService, links: Links) -> None:
        self.user = user
        self._thread, self._service, self._links = thread, service, links

    def require(self, action: Action, *, of: str | None = None, thing: Thing | None = None) -> None:
        """Checks a right; see `agents.access.require`. What links share is looked up now, if the right depends on it."""
        if not self.permits(action, of=of, thing=thing):
            require(self.user, action, of=of)

    def require_some(self, action: Action) -> None:
        """Checks that the user may do something at all, to their own or to what links share with them."""
        if RIGHTS[action][self.user.role] is not Extent.SHARED:
            self.require(action)

    def permits(self, action: Action, *, of: str | None = None, thing: Thing | None = None) -> bool:
        """Whether the user has a right; see `agents.access.permits` and `require`."""
        if permits(self.user, action, of=of):
            return True
        return thing is not None and permits(self._with_shared(), action, of=of, thing=thing)

    def require_of(self, action: Action, key: SessionKey) -> None:
        """Checks a right to a session."""
        self.require(action, of=key.user_id, thing=of_session(key.pipeline, key.user_id, key.session_id))

    def has_by_link(self, key: SessionKey) -> bool:
        """Whether only a link lets the user read a session."""
        return not permits(self.user, Action.READ_SESSION, of=key.user_id)

    def has_shared_session(self, pipeline: str) -> bool:
        """Whether a link shares a session of a pipeline with the user."""
        return any(key.pipeline == pipeline for key in self._shared_keys())

    def _with_shared(self) -> User:
        return self._links.bound(self.user, now=time())

    def _shared_keys(self) -> set[SessionKey]:
        """The sessions that links share with the user."""
        shared = (thing for thing, _ in self._with_shared().shared if thing.kind == "session")
        return {SessionKey(thing.app_name, thing.id, thing.owner) for thing in shared}

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
        named = [key for key in keys if key[:2] == (pipeline, session_id)]
        there = [key for key in named if self.user.sees(key.user_id)]
        if named and not there:
            there = [key for key in named if key in self._shared_keys()]
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
        self.require_of(action, key)
        return key

    async def _find(self, pipeline: str, session_id: str) -> SessionKey:
        own = SessionKey(pipeline, session_id, self.user.id)
        for key in dict.fromkeys((own, SessionKey(pipeline, session_id, OWNER.id))):
            if await self._service.summary(**key.name) is not None:
                return key
        shared = [key for key in self._shared_keys() if key[:2] == (pipeline, session_id)]
        if shared or not self.user.seen_prefixes:
            return next(iter(shared), own)
        page = await self._service.page(self.shown(SessionFilter(app_name=pipeline, session_id=session_id)), limit=1)
        return next((SessionKey(row.app_name, row.id, row.user_id) for row in page.rows), own)
