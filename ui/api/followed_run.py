"""Runs for the adapters, from the server's event loop: start, follow, answer, stop, as the user who asks.

A run outlives the request that began it. Whether it also goes on when the client leaves before its end is the owner's
setting: it does, unless `Preferences.stops_with_client`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

from agents import DatabaseError, LogEntry, PlaygroundError, RunFinished
from agents.runs import LostRun, Partial, PendingCall, Run, RunManager, Waiting
from ui.state import runs
from ui.web.threads import in_thread


@dataclass(frozen=True, slots=True)
class RunEnd:
    """The end of a run, or its pause.

    Attributes:
        record: How it ended, with tokens, time and error.
        waiting: The calls that a paused run waits for.
    """

    record: RunFinished
    waiting: tuple[PendingCall, ...] = ()


News = LogEntry | Partial | RunEnd
"""What a follower gets: stored entries, pieces of text that is being streamed, and at last the end."""


async def manager() -> RunManager:
    """The run manager of the user who asks.

    Raises:
        DatabaseError: The database cannot be used.
    """
    return await in_thread(runs.manager)


async def start(manager: RunManager, pipeline: str, message: str, **options: Any) -> Run:
    """Starts a run; see `RunManager.start` for its options, e.g. `session_id`, `state`, `model`."""
    return await in_thread(lambda: manager.start(pipeline, message, **options))


async def answer(manager: RunManager, call: PendingCall, response: Mapping[str, Any], **options: Any) -> Run:
    """Answers a call that a paused run waits for; see `RunManager.answer`. Follow the run that it returns."""
    return await in_thread(lambda: manager.answer(call.pipeline, call.session_id, call.call_id, response, **options))


async def answer_all(
    manager: RunManager, answers: Sequence[tuple[PendingCall, Mapping[str, Any]]], **options: Any
) -> Run | None:
    """Answers calls of a paused run, for each but the last of which it pauses again. Follow the run that it returns.

    Returns:
        The run; None if there are no answers.
    """
    run: Run | None = None
    for call, response in answers:
        if run is not None:
            await ended(manager, run)
        run = await answer(manager, call, response, **options)
    return run


async def waiting(manager: RunManager, pipeline: str, session_id: str) -> tuple[PendingCall, ...]:
    """The calls that a session waits for; none if there is no such session."""
    return await in_thread(waiting_now, manager, pipeline, session_id)


def waiting_now(manager: RunManager, pipeline: str, session_id: str) -> tuple[PendingCall, ...]:
    """The same, outside of an event loop."""
    found = manager.sessions.find(pipeline, session_id)
    return tuple(manager.pending_in([found])) if found is not None else ()


async def stop(manager: RunManager, run: Run) -> None:
    """Stops a run; its log is complete then."""
    await in_thread(manager.stop, run.pipeline, run.session_id)


async def ended(manager: RunManager, run: Run) -> RunEnd:
    """The end or pause of a run, once it is there. Raises what `follow` raises."""
    async with aclosing(follow(manager, run)) as news:
        async for item in news:
            if isinstance(item, RunEnd):
                return item
    raise AssertionError("a run that is followed ends")


async def follow(manager: RunManager, run: Run) -> AsyncGenerator[News, None]:
    """Follows a run to its end or pause. Close the generator when done, e.g. with `aclosing`.

    Yields:
        What is stored of it, in order and once each, and what is streamed; see `RunManager.subscribe`. The last one is a
        `RunEnd`, also if the run's end could not be stored.

    Raises:
        SessionNotFoundError: The session was deleted.
        DatabaseError: The log cannot be read.
    """
    is_over = False
    try:
        async with aclosing(manager.subscribe(run.pipeline, run.session_id, after=run.after)) as news:
            async for item in news:
                match item:
                    case Waiting():
                        continue
                    case Partial():
                        yield item
                    case LostRun(message=message):
                        is_over = True
                        yield RunEnd(RunFinished(invocation_id=run.invocation_id, status="failed", error_message=message))
                        return
                    case _:
                        for entry in item.entries:
                            record = entry.of(RunFinished)
                            if record is None or record.invocation_id != run.invocation_id:
                                yield entry
                                continue
                            is_over = True
                            paused = record.status == "paused"
                            yield RunEnd(record, await waiting(manager, run.pipeline, run.session_id) if paused else ())
                            return
        is_over = True  # the server ends, and has stopped the run
        yield RunEnd(RunFinished(invocation_id=run.invocation_id, status="interrupted", error_message="The server ends."))
    except DatabaseError as error:
        is_over = True
        said = await in_thread(manager.loss, run, error)
        yield RunEnd(RunFinished(invocation_id=run.invocation_id, status="failed", error_message=said))
    finally:
        if not is_over:
            asyncio.get_running_loop().run_in_executor(None, _left, manager, run)


def _left(manager: RunManager, run: Run) -> None:
    """The client has left the run."""
    with suppress(PlaygroundError):
        if manager.models.preferences.stops_with_client:
            manager.stop(run.pipeline, run.session_id)
