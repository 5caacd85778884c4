"""Background runs, for callers in any thread and any event loop.

A run outlives its caller. It lives in the manager's own loop; one of a user's package, whose code may block, in a loop and
a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import suppress
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from agents.access import OWNER, Accounts, Action, ApiTokens, User, UsersFile, user_of
from agents.ace.gate import DeltaGate
from agents.ace.store.playbook_store import PlaybookStore
from agents.config import mcp_file, users_file
from agents.errors import DatabaseReadOnlyError
from agents.models.you.answer import PASS
from agents.pipelines.catalog import Catalog
from agents.runs.answer_limits import AnswerLimits
from agents.runs.asker import Asker
from agents.runs.collection.desk import CollectionDesk
from agents.runs.engine import RunEngine, RunListener
from agents.runs.loops.loop_thread import LoopClosedError, LoopThread, call_in_own_loop
from agents.runs.model_desk import ModelDesk
from agents.runs.pending_calls import PendingCalls
from agents.runs.services import Services
from agents.runs.session_desk import SessionDesk
from agents.runs.starter import Preparation, RunStarter
from agents.runs.values import PendingCall, RunLoad, SessionKey
from agents.runs.viewer import RunViewer
from agents.runs.watch.recent_rows import RecentRows
from agents.runs.watch.watch import Watching
from agents.runs.workers.orders import WorkPlace
from agents.scope import OUTSIDE, Scope, current_scope
from agents.storage.address import Database, default_database, folder_beside
from agents.storage.journal import Journal
from agents.toolsets.mcp.servers import McpServers

CLOSE_SECONDS = 5.0
"""How long runs may take to end when the manager is closed."""

THREAD_SECONDS = 2.0
"""How long its thread may take after that; longer only if a tool blocks it."""

T = TypeVar("T")


class RunManager(RunStarter, RunViewer):
    """Runs pipelines in the background, for any number of watchers. One per process; close it at the end.

    It does what its user may do, see `agents.access.RIGHTS`; that is the owner, until `as_user` gives one for another user.
    Any method may raise `NotPermittedError`. Runs are started and stopped in `starter.py`, and watched in
    `viewer.py`; here is what they are started with, opened and closed.

    What it keeps in memory is in the `Scope` of the workspace that makes it; outside of any, in one of its own.

    Making one marks the runs that a killed process left behind as interrupted.

    Attributes:
        catalog: The pipelines.
        user: Who asks.
        models: The models, and the user's preferences.
        sessions: The sessions, one by one.
        collection: All sessions: search, tags, sizes, clean-up.
        accounts: Who may sign in, and invitations.
        tokens: API tokens, with which other programs ask.

    Args:
        database: Where sessions are kept; None keeps them in memory.
        agents_dir: A folder with more pipelines.
        catalog: The pipelines, in place of a catalog made from `agents_dir`.
        gate: Makes the gate of guarded playbooks; None for none.
        preparation: Called before a stored session is run, with its pipeline and the models chosen; what it returns is
            run. None runs them as they are.
        workers: Where the runs of users' packages work that others than the owner start, in processes of their own; None
            for this process.
        limits_answers: Whether this process has the usual model answer what the user does not answer in time. A worker
            leaves that to its server.

    Raises:
        DatabaseError: The database cannot be used.
        PipelineNotFoundError: There is no such folder, or it cannot be read.
    """

    def __init__(
        self,
        *,
        database: Database | None,
        agents_dir: Path | None = None,
        catalog: Catalog | None = None,
        gate: Callable[[Catalog, Services], DeltaGate] | None = None,
        preparation: Preparation | None = None,
        workers: WorkPlace | None = None,
        limits_answers: bool = True,
    ) -> None:
        self._scope = current_scope() if current_scope() is not OUTSIDE else Scope()
        self._scope.part(McpServers).file = mcp_file(folder_beside(database or default_database()))
        with self._scope.entered():
            self.catalog = Catalog(agents_dir) if catalog is None else catalog
            self._thread = LoopThread("playground-runs")
            self._desk = LoopThread("playground-desk")  # what is read does not wait for what runs compute
        self._preparation = preparation
        try:
            self._desk.call(self._open, database)
            self._thread.call(self._open_engine, gate, workers)
            self._bind(OWNER)
            if limits_answers:
                self._limit_answers()
        except BaseException:
            self._thread.close(timeout=THREAD_SECONDS)
            self._desk.close(timeout=THREAD_SECONDS)
            raise

    async def _open(self, database: Database | None) -> None:
        self._services = Services(database)
        self._service = self._services.sessions
        self._pending = PendingCalls(self._desk, self._service)
        try:
            with suppress(DatabaseReadOnlyError):  # what is in it can still be read
                await self._service.recover()
            self._models = ModelDesk(self._thread, self._service, self._services.preferences)
        except BaseException:
            await self._services.close()
            raise
        file = users_file()
        self.accounts = Accounts(self._services.journal, users_file=UsersFile(file) if file else None)
        self.tokens = ApiTokens(self._services.journal, self.accounts)
        self._watching = Watching(self._service)
        self._rows = RecentRows(self._service)

    async def _open_engine(self, gate: Callable[[Catalog, Services], DeltaGate] | None, workers: WorkPlace | None) -> None:
        made = None if gate is None else gate(self.catalog, self._services)
        self._engine = RunEngine(self._service, self._services.artifacts, self._watching, made, workers)

    def _limit_answers(self) -> None:
        """Has the usual model answer what the user does not answer in time."""

        def pass_on(call: PendingCall, user_id: str) -> None:
            """Answers as the session's own user: the run that goes on has no more rights than it had."""
            self.as_user(user_of(user_id)).answer(call.pipeline, call.session_id, call.call_id, {PASS: True, "late": True})

        limits = AnswerLimits(self._service, pass_on)
        self.listen(limits)
        self._thread.call(limits.watch_all)

    def as_user(self, user: User) -> RunManager:
        """This manager as another user may use it. Cheap: it shares everything with this one, which closes it."""
        bound = copy(self)
        bound._bind(user)
        return bound

    @property
    def user(self) -> User:
        """Who asks."""
        return self._asker.user

    def key(self, action: Action, pipeline: str, session_id: str) -> SessionKey:
        """The key of a session, by whosoever it is; see `Asker.key`."""
        return self._asker.key(action, pipeline, session_id)

    def require(self, action: Action) -> None:
        """Checks a right that is no session's.

        Raises:
            NotPermittedError: The user does not have it.
        """
        self._asker.require(action)

    def _bind(self, user: User) -> None:
        self._asker = Asker(user, self._desk, self._service)
        self.models = self._models.as_user(user)
        self.sessions = SessionDesk(
            self._desk, self._services, self._watching, self._rows, self.catalog, self.stop, self._asker
        )
        self.collection = CollectionDesk(self._desk, self._service, self._services.collection, self.stop, self._asker)

    @property
    def mcp_servers(self) -> McpServers:
        """The MCP servers of the workspace, and their tools.

        Raises:
            NotPermittedError: The user may not change settings.
        """
        self.require(Action.CHANGE_SETTINGS)
        return self._scope.part(McpServers)

    def make_database(self) -> None:
        """Creates an empty database if the one in use was moved or deleted; an existing one is only opened.

        Raises:
            DatabaseError: It cannot be used.
        """
        self.require(Action.USE_SERVICES)
        self._desk.call(self._service.open)

    def playbooks(self, name: str) -> PlaybookStore:
        """A playbook of this database, which need not exist; it lists all others, see `PlaybookStore.names`.

        Raises:
            ValueError: The name is not valid.
        """
        self.require(Action.READ_PLAYBOOK)
        return self._services.playbooks.beside(name, user=self.user)

    @property
    def journal(self) -> Journal:
        """Lists of what is no session's, e.g. of a class. It checks no rights."""
        return self._services.journal

    def work(self, do: Callable[[Services], Coroutine[Any, Any, T]], *, action: Action = Action.USE_SERVICES) -> T:
        """Runs a coroutine function of the services in a loop and a thread of its own, since it may run users' agents.

        Args:
            do: The function. The services check no rights: it does what `action` says, to sessions that `key` permits.
            action: What it does.
        """
        self.require(action)
        with self._scope.entered():
            return call_in_own_loop("playground-work", do, self._services)

    def in_store(self, do: Callable[[Services], Coroutine[Any, Any, T]], *, action: Action = Action.USE_SERVICES) -> T:
        """The same for what reads or writes sessions and calls no model: it does not wait for what agents do."""
        self.require(action)
        return self._desk.call(do, self._services)

    @property
    def load(self) -> RunLoad:
        """How much this process does now. Call it from any thread."""
        return self._engine.load

    def drain(self) -> None:
        """Refuses new runs from now on; those at work go on. Call it from any thread, before the process ends."""
        self._engine.is_draining = True

    def listen(self, listener: RunListener) -> None:
        """Tells a listener of each run that ends, until the manager is closed."""
        self._engine.listeners.append(listener)

    def close(self) -> bool:
        """Stops all runs, ends all subscriptions and the thread, and closes the database. May be called again.

        Returns:
            Whether everything ended; False if a tool still blocks a thread.
        """
        ended = True
        with suppress(LoopClosedError):
            self._thread.call(self._engine.close, within=CLOSE_SECONDS)
            for listener in self._engine.listeners:
                listener.close()
            ended = self._thread.call(self._engine.close, within=CLOSE_SECONDS)  # those that began meanwhile
            self._desk.call(self._shut_down)
        for servers in self._scope.parts(McpServers):
            servers.close()
        ended = self._thread.close(timeout=THREAD_SECONDS) and ended
        return self._desk.close(timeout=THREAD_SECONDS) and ended

    async def _shut_down(self) -> None:
        self._watching.close()
        await self._services.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
