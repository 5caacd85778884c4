"""Background runs, for callers in any thread and any event loop.

A run outlives its caller. It lives in the manager's own loop; one of a user's package, whose code may block, in a loop and
a thread of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from copy import copy
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from agents.access import (
    ACCOUNT_PREFIX,
    OWNER,
    Accounts,
    Action,
    Activity,
    ApiTokens,
    Audit,
    Links,
    Thing,
    User,
    UsersFile,
    note,
    of_playbook,
    of_session,
    user_of,
)
from agents.access.limits import Limits, read_limits
from agents.ace.gate import DeltaGate
from agents.ace.store.playbook_store import PlaybookStore
from agents.config import limits_file, mcp_file, signing_secret, users_file
from agents.errors import DatabaseReadOnlyError, NotPermittedError
from agents.models.you.answer import PASS
from agents.pipelines.catalog import Catalog
from agents.records import RunStarted
from agents.runs.asker import Asker
from agents.runs.collection.desk import CollectionDesk
from agents.runs.engine import RunEngine, RunListener
from agents.runs.limits.answer_limits import AnswerLimits
from agents.runs.limits.queue import RunQueue
from agents.runs.limits.use_desk import UseDesk
from agents.runs.loops.loop_thread import LoopClosedError, LoopThread, call_in_own_loop
from agents.runs.model_desk import ModelDesk
from agents.runs.own_preferences import OwnPreferences
from agents.runs.pending_calls import PendingCalls
from agents.runs.servers.server_loop import ServerLoop
from agents.runs.servers.stop_requests import StopRequests
from agents.runs.servers.takeover import Takeover
from agents.runs.services import Services
from agents.runs.session_desk import SessionDesk
from agents.runs.starter import Preparation, RunStarter
from agents.runs.values import PendingCall, RunLoad, SessionKey
from agents.runs.viewer import RunViewer
from agents.runs.watch.recent_rows import RecentRows
from agents.runs.watch.watch import Watching
from agents.runs.workers.orders import RunOrder, WorkPlace
from agents.scope import OUTSIDE, Scope, current_scope
from agents.session import Leases, session_not_found
from agents.storage.address import Database, PostgresAddress, default_database, folder_beside
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
        use: What users use of their limits.
        links: The links that share a session or a playbook; see `link`.

    Args:
        database: Where sessions are kept; None keeps them in memory.
        agents_dir: A folder with more pipelines.
        catalog: The pipelines, in place of a catalog made from `agents_dir`.
        gate: Makes the gate of guarded playbooks; None for none.
        preparation: Called before a stored session is run, with its pipeline and the models chosen; what it returns is
            run. None runs them as they are.
        workers: Where the runs of users' packages work that others than the owner start, in processes of their own; None
            for this process.
        serves: Whether this process does what is due in the database: the usual model answers what the user does not answer
            in time, and runs stop when another server asks. A worker leaves that to its server.
        adopts: Whether this process begins the runs that waited in processes that have ended.
        takes_over: Whether it resumes runs of other servers whose lease is over. Their `leases` say so, too.
        leases: How long its claims hold, and whether servers of the database take over; None for what is usual there.

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
        serves: bool = True,
        adopts: bool = False,
        takes_over: bool = False,
        leases: Leases | None = None,
    ) -> None:
        self._scope = current_scope() if current_scope() is not OUTSIDE else Scope()
        self._scope.part(McpServers).file = mcp_file(folder_beside(database or default_database()))
        with self._scope.entered():
            self.catalog = self._catalog = Catalog(agents_dir) if catalog is None else catalog
            self._thread = LoopThread("playground-runs")
            self._desk = LoopThread("playground-desk")  # what is read does not wait for what runs compute
        self._preparation = preparation
        leases = leases or Leases(taken_over=isinstance(database, PostgresAddress))
        try:
            self._desk.call(self._open, database, leases)
            self._thread.call(self._open_engine, gate, workers, adopts=adopts)
            self._bind(OWNER)
            if serves and database is not None:
                self._serve(leases, takes_over=takes_over)
            if serves:
                self._limit_answers()
        except BaseException:
            self._thread.close(timeout=THREAD_SECONDS)
            self._desk.close(timeout=THREAD_SECONDS)
            raise

    async def _open(self, database: Database | None, leases: Leases) -> None:
        self._services = Services(database, leases=leases)
        self._service = self._services.sessions
        self._pending = PendingCalls(self._desk, self._service)
        try:
            with suppress(DatabaseReadOnlyError):  # what is in it can still be read
                await self._service.recover()
            self._open_parts()
        except BaseException:
            await self._services.close()
            raise
        self._watching = Watching(self._service)
        self._rows = RecentRows(self._service)

    def _open_parts(self) -> None:
        journal, use = self._services.journal, self._services.use
        self._models = ModelDesk(self._thread, self._service, self._services.preferences, OwnPreferences(journal))
        file = users_file()
        self.accounts = Accounts(journal, users_file=UsersFile(file) if file else None, secret=signing_secret())
        self.tokens = ApiTokens(journal, self.accounts)
        self.links = Links(journal)
        self._audit = Audit(journal)
        limits_at = limits_file()
        limits = Limits() if limits_at is None else read_limits(limits_at)
        self._use = UseDesk(limits, use, lambda: self._services.preferences.read().price_table)
        self._service.check_room = self._use.check_room
        self._stops = StopRequests(journal)
        # What is read again and again is opened now: a file that is gone later is then missed, and not made anew.
        self._stops.new()
        use.places("run")

    async def _open_engine(
        self, gate: Callable[[Catalog, Services], DeltaGate] | None, workers: WorkPlace | None, *, adopts: bool
    ) -> None:
        made = None if gate is None else gate(self.catalog, self._services)
        queue = RunQueue(self._use, self._services.use, self._watching.tell_turns)
        self._engine = RunEngine(
            self._service, self._services.artifacts, self._watching, made, workers, use=self._use, queue=queue
        )
        self._keeping = asyncio.create_task(queue.keep(self._adopt if adopts else None), name="keep places of runs")

    async def _adopt(self, order: RunOrder) -> None:
        await self.as_user(user_of(order.user_id))._begin_waiting(order)

    def _serve(self, leases: Leases, *, takes_over: bool) -> None:
        """Does what other servers of the database need of this one."""

        def resume(key: SessionKey, begun: RunStarted) -> None:
            if key.user_id.startswith(ACCOUNT_PREFIX) and self.accounts.user(key.user_id) is None:
                raise NotPermittedError("The account of its user is disabled.")
            self.as_user(user_of(key.user_id))._go_on(key, begun)

        takeover = Takeover(self._desk, self._service, self._stops, resume)

        def obey() -> None:
            if takes_over or self._engine.running():
                for request in self._stops.new():
                    self._thread.post(self._engine.cancel, *request)

        with self._scope.entered():
            self.listen(ServerLoop(obey, takeover if takes_over else None, lease=leases.seconds))

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

    def may(self, action: Action, pipeline: str, session_id: str) -> bool:
        """Whether the user may do something to a session, their own or one that a link shares."""
        with suppress(NotPermittedError):
            self._asker.key(action, pipeline, session_id)
            return True
        return False

    def shared_session(self, pipeline: str, session_id: str) -> Thing:
        """A session, as `links` share it.

        Raises:
            SessionNotFoundError: There is no such session.
            NotPermittedError: The user may not share it.
        """
        key = self._asker.key(Action.SHARE, pipeline, session_id)
        if self.sessions.find(pipeline, session_id) is None:
            raise session_not_found(pipeline, key.user_id, session_id)
        return of_session(pipeline, key.user_id, session_id)

    def require(self, action: Action) -> None:
        """Checks a right that is no session's.

        Raises:
            NotPermittedError: The user does not have it.
        """
        self._asker.require(action)

    @property
    def audit(self) -> Audit:
        """The audit list, to read.

        Raises:
            NotPermittedError: The user may not manage users.
        """
        self._asker.require(Action.MANAGE_USERS)
        return self._audit

    def _bind(self, user: User) -> None:
        user = replace(user, trail=self._audit.write)
        self._asker = Asker(user, self._desk, self._service, self.links)
        self.models = self._models.as_user(user)
        self.use = self._use.as_user(user)
        shared = self._asker.has_shared_session
        self.catalog = self._catalog if user.is_owner else self._catalog.seen_by(user, shared=shared)
        self.sessions = SessionDesk(
            self._desk,
            self._services,
            self._watching,
            self._rows,
            self.catalog,
            self.stop,
            self._asker,
            self._engine.is_waiting,
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
        self._asker.require_some(Action.READ_PLAYBOOK)
        return self._services.playbooks.beside(name, user=self.user, may_read=self._may_read)

    def _may_read(self, playbook: str) -> bool:
        return self._asker.permits(Action.READ_PLAYBOOK, thing=of_playbook(playbook))

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
        self._asker.require_some(action)
        with self._scope.entered():
            return call_in_own_loop("playground-work", do, self._services)

    def in_store(self, do: Callable[[Services], Coroutine[Any, Any, T]], *, action: Action = Action.USE_SERVICES) -> T:
        """The same for what reads or writes sessions and calls no model: it does not wait for what agents do."""
        self._asker.require_some(action)
        done = self._desk.call(do, self._services)
        if action is Action.IMPORT:
            note(self.user, Activity.IMPORT, "a session")
        return done

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
