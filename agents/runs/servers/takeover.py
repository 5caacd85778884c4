"""What becomes of a run whose server ended or stood still: another server resumes it from its log, or ends it there."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from agents.errors import (
    AnswerError,
    DatabaseError,
    NotPermittedError,
    PlaygroundError,
    RunInProgressError,
    SessionNotFoundError,
)
from agents.records import Record, RunFinished, RunStarted
from agents.runs.loops.loop_thread import LoopThread
from agents.runs.servers.stop_requests import StopRequests
from agents.runs.values import SessionKey
from agents.session import BaseSessionService, GetSessionConfig, Orphan

MOST_TAKEOVERS = 3
"""How often a run is resumed by another server: one that ends every server that runs it must not end them all."""

AT_ONCE = 8
"""How many runs a server takes over at a time: each waits for the database and for other threads, long if all is busy."""

_NO_EVENTS = GetSessionConfig(num_recent_events=0)
_log = logging.getLogger(__name__)
R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Resuming:
    """It goes on as it was begun."""

    begun: RunStarted


class Ending(NamedTuple):
    """It ends: with what its log says then, or, if that has its end, without another word."""

    status: str = ""
    reason: str = ""


class Takeover:
    """Takes over the runs that no process runs, some at a time. For one thread; calling it blocks.

    Servers that look at the same time share the runs: a claim is one update, and who comes late goes on to the next run.

    Args:
        desk: The loop in which sessions are read.
        service: The sessions.
        stops: The requests to stop runs.
        resume: Resumes the last run of a session, as the session's own user, with what it was begun with.
    """

    def __init__(
        self,
        desk: LoopThread,
        service: BaseSessionService,
        stops: StopRequests,
        resume: Callable[[SessionKey, RunStarted], object],
    ) -> None:
        self._desk, self._service, self._stops, self._resume = desk, service, stops, resume

    def __call__(self, may_go_on: Callable[[], bool]) -> None:
        """Takes over those there are, while it may.

        Raises:
            DatabaseError: They cannot be read.
        """
        orphans = self._desk.call(self._service.orphans)
        random.shuffle(orphans)

        def take(orphan: Orphan) -> None:
            if may_go_on():
                self._try(orphan)

        with ThreadPoolExecutor(AT_ONCE, "playground-takeover") as threads:
            taking = [threads.submit(copy_context().run, take, orphan) for orphan in orphans]
            try:
                for taken in taking:
                    taken.result()
            except DatabaseError:  # the others would wait for it, too
                threads.shutdown(cancel_futures=True)
                raise

    def _try(self, orphan: Orphan) -> None:
        try:
            self._take(orphan)
        except (RunInProgressError, SessionNotFoundError):
            pass  # another server was faster, or it was deleted
        except DatabaseError:
            raise
        except PlaygroundError as error:  # another server may have its package; in the end it is marked as interrupted
            _log.warning("Run %s of %s is not resumed here: %s", orphan.invocation_id, orphan.app_name, error)

    def _take(self, orphan: Orphan) -> None:
        is_to_stop = self._stops.is_asked(orphan.invocation_id)
        found = self._desk.call(what_becomes_of, self._service, orphan, is_to_stop=is_to_stop)
        if isinstance(found, Resuming):
            _log.info("Run %s of %s is resumed: its server is gone.", orphan.invocation_id, orphan.app_name)
            try:
                self._resume(key_of(orphan), found.begun)
            except (AnswerError, NotPermittedError) as error:
                found = Ending("interrupted", str(error))
        if isinstance(found, Ending):
            self._desk.call(end_run, self._service, orphan, found)


async def what_becomes_of(service: BaseSessionService, orphan: Orphan, *, is_to_stop: bool) -> Resuming | Ending:
    """What becomes of a run that no process runs.

    Args:
        service: Where its session is.
        orphan: The run.
        is_to_stop: Whether a user has asked to stop it.

    Raises:
        SessionNotFoundError: Its session was deleted.
    """
    begun = await _records(service, orphan, RunStarted)
    if not begun:
        return Ending()
    seq, start = begun[-1]
    ends = await _records(service, orphan, RunFinished)
    if any(at > seq and not end.cut_off for at, end in ends):
        return Ending()
    if is_to_stop:
        return Ending("stopped")
    if sum(end.cut_off for _, end in ends) >= MOST_TAKEOVERS:
        return Ending("interrupted", f"{MOST_TAKEOVERS + 1} servers ended or stood still while they ran it.")
    if start.asked_by_client:
        return Ending("interrupted", "The program that asked is not connected any more.")
    return Resuming(start)


async def end_run(service: BaseSessionService, orphan: Orphan, ending: Ending) -> None:
    """Ends a run that no process runs, in its log, and releases its session.

    Raises:
        RunInProgressError: Another server was faster.
    """
    name = key_of(orphan).name
    session = await service.get_session(**name, config=_NO_EVENTS)
    if session is None:
        return
    async with service.claim(session, orphan.invocation_id, goes_on=True):
        if ending.status == "stopped":
            await service.revoke(**name)
        elif ending.status:
            message = f"The server that ran this ended, or stood still too long, before the run did. {ending.reason}"
            told = {"status": ending.status, "error_code": "INTERRUPTED", "error_message": message}
            await service.revoke(**name, ending=told)


def key_of(orphan: Orphan) -> SessionKey:
    """The key of a run's session."""
    return SessionKey(orphan.app_name, orphan.session_id, orphan.user_id)


async def _records(service: BaseSessionService, orphan: Orphan, kind: type[R]) -> list[tuple[int, R]]:
    """The run's records of a kind, each with its `seq`."""
    entries = await service.read_log(**key_of(orphan).name, kind=kind.kind)
    found = ((entry.seq, entry.of(kind)) for entry in entries)
    return [(seq, one) for seq, one in found if one is not None and one.invocation_id == orphan.invocation_id]
