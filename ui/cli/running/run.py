"""Shows a run, or the rest of one, in the terminal or as lines of JSON.

Ctrl-C, a termination signal and a closed output stop the run; its log is complete then. A run whose database fails ends with
a sentence on standard error that says what is stored.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from agents import EVENT_KIND, DatabaseError, PlaygroundError, RunFinished
from agents.runs import LogBatch, LostRun, Partial, PendingCall, Run, RunManager, Waiting
from agents.workspace import Workspace
from ui.cli import command_line
from ui.cli.display import Display, open_display
from ui.cli.running import as_model
from ui.text.visible_text import visible

FAILED, PAUSED = 1, 3


class EndedBySignal(BaseException):
    """Ctrl-C or a termination signal came before the run began."""


@dataclass(slots=True)
class Interruption:
    """Ctrl-C and termination signals: stop the run, or raise `EndedBySignal` before it has begun."""

    code: int = 0
    told: Callable[[], object] | None = None
    _numbers: tuple[int, ...] = field(default=(signal.SIGINT, signal.SIGTERM))

    def tell(self, told: Callable[[], object]) -> None:
        """Sets the callback for a signal."""
        self.told = told

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Handles the signals within the block."""
        before = {number: signal.signal(number, self._take) for number in self._numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _take(self, number: int, _frame: FrameType | None) -> None:
        if self.code:  # the second signal: do not wait for the run; the next start marks it as interrupted
            os._exit(self.code)
        self.code = 128 + number
        if self.told is None:  # opening the database and beginning the run may wait for a lock
            raise EndedBySignal
        self.told()


def show_run(arguments: argparse.Namespace, begin: Callable[[RunManager], Run], *, pipeline: str | None = None) -> int:
    """Lets a run begin or go on, and shows it.

    Args:
        arguments: Those of the command, with what `ui.cli.command_line.add_showing` adds.
        begin: Starts or resumes the run.
        pipeline: The one that is needed; None if that is not known before `begin`.

    Returns:
        The exit code: 0 only if the run completed, 3 if it waits for an answer.

    Raises:
        PlaygroundError: The run could not begin.
        BrokenPipeError: The output was closed; the run was stopped.
    """
    _log_notices()
    display = open_display(as_json=arguments.json)
    interruption = Interruption()
    workspace = command_line.workspace(arguments)
    _import_packages(workspace, pipeline)
    with interruption.watched():
        try:
            asks = as_model.can_ask(as_json=arguments.json)
            code, ended = _run(workspace, begin, display, interruption, command_line.options(arguments), asks=asks)
        except EndedBySignal:
            return interruption.code
        if not ended:  # a tool still blocks a thread; Python would wait for it
            sys.stdout.flush()
            os._exit(code)
        return code


def _import_packages(workspace: Workspace, pipeline: str | None) -> None:
    """Imports the pipelines that are needed. A signal meanwhile ends the program at once."""
    if pipeline is None:
        workspace.catalog.names()
    else:
        workspace.catalog.get(pipeline)


def _run(
    workspace: Workspace,
    begin: Callable[[RunManager], Run],
    display: Display,
    interruption: Interruption,
    options: str,
    *,
    asks: bool,
) -> tuple[int, bool]:
    """Does the run, and asks who is at the terminal where they are the model.

    Returns:
        The exit code, and whether all threads have ended.
    """
    try:
        manager = workspace.runs
        run: Run | None = begin(manager)
        code = PAUSED
        while run is not None:
            code = asyncio.run(_follow(manager, run, display, interruption, options))
            interruption.told = None
            asked = as_model.first_asked(_waiting(manager, run)) if asks and code == PAUSED else None
            run = None if asked is None else as_model.answer(manager, asked)
    finally:
        ended = workspace.close()
    return code, ended


def _log_notices() -> None:
    """Logs waits, agents that do not respond and unsent traces on standard error. Other failures are shown with the run."""
    logging.getLogger("agents").addHandler(logging.NullHandler())
    for name in ("agents.storage.sqlite.patience", "agents.telemetry.live", "agents.runs.loops.own_loops"):
        logger = logging.getLogger(name)
        if not logger.handlers:
            handler = logging.StreamHandler()
            handler.setFormatter(logging.Formatter("playground: %(message)s"))
            logger.addHandler(handler)


@dataclass(slots=True)
class Shown:
    """What was shown of a run.

    Attributes:
        display: Where to.
        run: The run.
        number: The number of the last event in its session.
    """

    display: Display
    run: Run
    number: int

    def show(self, item: LogBatch | Partial | Waiting) -> dict[str, Any] | None:
        """Shows an item; returns the body of the run's last record once it is there."""
        if isinstance(item, Waiting):  # already on standard error, even before the run began
            return None
        if isinstance(item, Partial):
            self.display.show_partial(item)
            return None
        for entry in item.entries:
            self.number += entry.kind == EVENT_KIND
            self.display.show_entry(entry, self.number)
            if entry.kind == RunFinished.kind and (result := entry.fields()).get("invocation_id") == self.run.invocation_id:
                return result
        return None


async def _follow(manager: RunManager, run: Run, display: Display, interruption: Interruption, options: str) -> int:
    loop = asyncio.get_running_loop()

    def stop() -> None:
        try:
            manager.stop(run.pipeline, run.session_id)
        except DatabaseError:
            pass  # the subscription reports it
        except PlaygroundError as error:
            _say(f"{error} Ctrl-C again ends the program.")

    interruption.tell(lambda: loop.call_soon_threadsafe(loop.run_in_executor, None, stop))
    try:
        shown = Shown(
            display, run, await asyncio.to_thread(manager.sessions.event_number, run.pipeline, run.session_id, run.after)
        )
        async with aclosing(manager.subscribe(run.pipeline, run.session_id, after=run.after)) as news:
            async for item in news:
                if isinstance(item, LostRun):
                    _say(item.message)
                    break
                if (result := shown.show(item)) is not None:
                    waiting = await asyncio.to_thread(_waiting, manager, run) if result.get("status") == "paused" else ()
                    display.finish(run, result, options=options, waiting=waiting)
                    return interruption.code or {"completed": 0, "paused": PAUSED}.get(str(result.get("status")), FAILED)
    except DatabaseError as error:
        _say(await asyncio.to_thread(manager.loss, run, error))
    except PlaygroundError as error:
        _say(str(error))
    return interruption.code or FAILED


def _say(text: str) -> None:
    print(f"playground: {visible(text)}", file=sys.stderr)


def _waiting(manager: RunManager, run: Run) -> list[PendingCall]:
    return [call for call in manager.pending(run.pipeline) if call.session_id == run.session_id]
