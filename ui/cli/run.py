"""`playground run` and `playground answer`: a run, or the rest of one, in the terminal or as lines of JSON.

Ctrl-C, a termination signal and a closed output stop the run; its log is complete then. A run whose database fails ends with
a sentence on standard error that says what is stored.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from agents import EVENT_KIND, AnswerError, DatabaseError, PlaygroundError, SessionNotFoundError
from agents.experiments import BackgroundForks, case_gate, trace_runs
from agents.pipelines import Catalog, Fault
from agents.runs import LogBatch, LostRun, Partial, PendingCall, Run, RunManager, Waiting, option_of
from ui.cli.display import Display, open_display
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Where a run happens, and how it is shown.

    Attributes:
        database: The database file.
        options: The options for another command to find the same sessions and pipelines, e.g. " --db demo.db".
        agents_dir: A folder with more pipelines.
        model: The model's name; None for the simulated one, or for the model of a paused run.
        as_json: Whether to show lines of JSON, instead of text for reading.
    """

    database: Path
    options: str = ""
    agents_dir: Path | None = None
    model: str | None = None
    as_json: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to run.

    Attributes:
        pipeline: The pipeline's name.
        message: The user's message.
        session_id: The session to continue; None for a new one.
        state: State to set.
        faults: Faults to inject.
        agent_models: Models of single agents, by agent name; None for the user's preferences.
    """

    pipeline: str
    message: str
    session_id: str | None = None
    state: Mapping[str, Any] = field(default_factory=dict[str, Any])
    faults: tuple[Fault, ...] = ()
    agent_models: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer to a waiting call.

    Attributes:
        session_id: The session that waits.
        call_id: The call.
        response: The answer.
        is_choice: Whether its result must be an option that the call offers, or the option's number.
        agent_models: Models of single agents, by agent name; None for those that the run began with.
    """

    session_id: str
    call_id: str
    response: Mapping[str, Any]
    is_choice: bool = False
    agent_models: Mapping[str, str] | None = None


def run_once(wanted: Order | Reply, setting: Setting) -> int:
    """Runs a pipeline or resumes a paused run, and shows it.

    Returns:
        The exit code: 0 only if the run completed, 3 if it waits for an answer.

    Raises:
        PlaygroundError: The run could not begin.
        BrokenPipeError: The output was closed; the run was stopped.
    """
    _log_notices()
    display = open_display(as_json=setting.as_json)
    interruption = Interruption()
    catalog = _catalog(wanted, setting.agents_dir)
    with interruption.watched():
        try:
            code, ended = _run(wanted, setting, catalog, display, interruption)
        except EndedBySignal:
            return interruption.code
        if not ended:  # a tool still blocks a thread; Python would wait for it
            sys.stdout.flush()
            os._exit(code)
        return code


def _catalog(wanted: Order | Reply, agents_dir: Path | None) -> Catalog:
    """The pipelines, after the import of the needed ones. During the import a signal ends the program at once."""
    catalog = Catalog(agents_dir)
    if isinstance(wanted, Order):
        catalog.get(wanted.pipeline)
    else:
        catalog.names()
    return catalog


def _run(
    wanted: Order | Reply, setting: Setting, catalog: Catalog, display: Display, interruption: Interruption
) -> tuple[int, bool]:
    """Does the run; returns the exit code, and whether all threads have ended."""
    manager = RunManager(database=setting.database, catalog=catalog, gate=case_gate)
    BackgroundForks(manager)  # a fork is run with its changes
    try:
        trace_runs(manager)
        run = _start(manager, wanted, setting) if isinstance(wanted, Order) else _answer(manager, wanted, setting)
        code = asyncio.run(_follow(manager, run, display, interruption, setting.options))
    finally:
        ended = manager.close()
    return code, ended


def _log_notices() -> None:
    """Logs waits for the database and traces that were not sent on standard error. Other failures are shown with the run."""
    logging.getLogger("agents").addHandler(logging.NullHandler())
    for name in ("agents.storage.sqlite.patience", "agents.experiments.telemetry.live"):
        logger = logging.getLogger(name)
        if not logger.handlers:
            handler = logging.StreamHandler()
            handler.setFormatter(logging.Formatter("playground: %(message)s"))
            logger.addHandler(handler)


def _start(manager: RunManager, order: Order, setting: Setting) -> Run:
    try:
        return manager.start(
            order.pipeline,
            order.message,
            session_id=order.session_id,
            model=setting.model,
            agent_models=order.agent_models,
            state=order.state,
            faults=order.faults,
        )
    except SessionNotFoundError:
        others = sorted({found.app_name for found in manager.sessions.summaries() if found.id == order.session_id})
        if order.session_id is None or order.pipeline in others:  # another session is missing: the one to replay
            raise
        belongs = f" It is a session of {', '.join(others)}." if others else ""
        raise SessionNotFoundError(
            f"There is no session {order.session_id!r} of {order.pipeline!r}.{belongs} `playground sessions` lists all "
            "there are; leave --session out to begin a new one."
        ) from None


def _answer(manager: RunManager, reply: Reply, setting: Setting) -> Run:
    waiting = [call for call in manager.pending() if call.session_id == reply.session_id]
    asked = next((call for call in waiting if call.call_id == reply.call_id), None)
    if asked is None:
        known = ", ".join(call.call_id for call in waiting)
        what = f"the calls that wait there are: {known}" if known else "nothing waits there"
        raise AnswerError(
            f"No call {reply.call_id!r} waits for an answer in session {reply.session_id!r}; {what}. "
            "`playground pending` lists all calls that wait, with the command that answers each."
        )
    response = {"result": option_of(asked, str(reply.response["result"]))} if reply.is_choice else reply.response
    return manager.answer(
        asked.pipeline,
        reply.session_id,
        reply.call_id,
        response,
        model=setting.model,
        agent_models=reply.agent_models,
    )


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
            if entry.kind == "run_finished" and (result := entry.fields()).get("invocation_id") == self.run.invocation_id:
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
