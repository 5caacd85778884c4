"""Sessions and playbooks as resources, with notices when they change."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any
from urllib.parse import quote, unquote

from mcp.server import ServerRequestContext
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourcesListChanged, ResourceUpdated
from mcp_types import EmptyResult, Resource, SubscribeRequestParams, UnsubscribeRequestParams

from agents import EVENT_KIND, PlaygroundError
from agents.access import OWNER
from agents.workspace import Workspace
from ui.api.mcp.playbook_tools import bullet
from ui.api.mcp.session_tools import MOST_ROWS, event
from ui.web.threads import in_thread

_SESSION, _PLAYBOOK = "playground://sessions/{pipeline}/{session}", "playground://playbooks/{name}"
MOST_SUBSCRIPTIONS = 1_000
"""Of clients with the protocol of before 2026; the oldest ones end."""


class Resources:
    """The resources.

    Attributes:
        bus: Tells clients with the protocol of 2026 of changes.

    Args:
        workspace: Returns the workspace of the user who asks.
    """

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace
        self._revisions: dict[str, int] = {}
        self.bus = InMemorySubscriptionBus()
        self._subscribed: dict[tuple[str, int], ServerSession] = {}

    @property
    def templates(self) -> Mapping[str, Callable[..., Awaitable[str]]]:
        """What reads each kind of them, by the template of its address."""
        return {_SESSION: self.session, _PLAYBOOK: self.playbook}

    async def listed(self) -> list[Resource]:
        """The sessions that changed last, and all playbooks."""

        def read() -> list[Resource]:
            runs = self._workspace().runs
            sessions = [
                Resource(uri=session_uri(one.app_name, one.id), name=one.title[:100] or one.id, mime_type="application/json")
                for one in runs.sessions.page(limit=MOST_ROWS).rows
            ]
            playbooks = [
                Resource(uri=playbook_uri(info.name), name=info.name, mime_type="application/json")
                for info in runs.playbooks("default").names()
            ]
            return [*playbooks, *sessions]

        return await in_thread(read)

    async def session(self, pipeline: str, session: str) -> str:
        """A session's last events."""

        def read() -> str:
            log = self._workspace().runs.sessions.log(unquote(pipeline), unquote(session))
            events = [event(entry) for entry in log if entry.kind == EVENT_KIND]
            return json.dumps(
                {"events": events[-MOST_ROWS:], "left_out": max(0, len(events) - MOST_ROWS)}, ensure_ascii=False
            )

        return await _read(read)

    async def playbook(self, name: str) -> str:
        """A playbook's bullets."""

        def read() -> str:
            found = self._workspace().runs.playbooks("default").beside(unquote(name)).playbook()
            return json.dumps(
                {"revision": found.revision, "bullets": [bullet(one) for one in found.active]}, ensure_ascii=False
            )

        return await _read(read)

    async def subscribe(self, ctx: ServerRequestContext[Any, Any], params: SubscribeRequestParams) -> EmptyResult:
        """Tells a client with the protocol of before 2026 of changes from now on."""
        self._subscribed[params.uri, id(ctx.session)] = ctx.session
        while len(self._subscribed) > MOST_SUBSCRIPTIONS:
            del self._subscribed[next(iter(self._subscribed))]
        return EmptyResult()

    async def unsubscribe(self, ctx: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams) -> EmptyResult:
        """Ends that."""
        self._subscribed.pop((params.uri, id(ctx.session)), None)
        return EmptyResult()

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Tells of changes while the block runs."""
        task = asyncio.create_task(self._watch(), name="MCP resources")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _watch(self) -> None:
        """Follows the list of sessions, whichever process changes it; playbooks change with sessions, too."""
        with suppress(PlaygroundError):
            runs = await in_thread(lambda: self._workspace().as_user(OWNER).runs)
            await self._changed_playbooks()
            async with aclosing(runs.sessions.changes()) as news:
                async for changes in news:
                    for uri in [*self._uris(changes), *await self._changed_playbooks()]:
                        await self._tell(uri)
                    await self.bus.publish(ResourcesListChanged())

    async def _tell(self, uri: str) -> None:
        await self.bus.publish(ResourceUpdated(uri=uri))
        for key, session in [pair for pair in self._subscribed.items() if pair[0][0] == uri]:
            try:
                await session.send_resource_updated(uri)
            except Exception:  # noqa: BLE001  the client has left
                self._subscribed.pop(key, None)

    @staticmethod
    def _uris(changes: Any) -> list[str]:
        return [session_uri(one.app_name, one.id) for one in changes.rows]

    async def _changed_playbooks(self) -> list[str]:
        def read() -> dict[str, int]:
            return {info.name: info.revision for info in self._workspace().as_user(OWNER).runs.playbooks("default").names()}

        before, self._revisions = self._revisions, await in_thread(read)
        return [playbook_uri(name) for name, revision in self._revisions.items() if before.get(name) != revision]


def session_uri(pipeline: str, session: str) -> str:
    """The address of a session."""
    return _SESSION.format(pipeline=quote(pipeline, safe=""), session=quote(session, safe=""))


def playbook_uri(name: str) -> str:
    """The address of a playbook."""
    return _PLAYBOOK.format(name=quote(name, safe=""))


async def _read(read: Callable[[], str]) -> str:
    try:
        return await in_thread(read)
    except (PlaygroundError, ValueError) as error:
        raise ResourceNotFoundError(str(error)) from None
