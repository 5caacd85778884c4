"""Plays a watch in a thread of this process: asks question after question, at a speed, until it is paused or done."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agents import PlaygroundError, RunFinished
from agents.access import Action
from ui.demo.watch.arms import Arm, Watch

if TYPE_CHECKING:
    from agents.runs import Run, RunManager

PACES = {"½×": 2.0, "1×": 1.0, "3×": 1 / 3, "Full speed": 0.0}
"""Speed → least seconds for a question."""
USUAL_SPEED = "1×"
STOP_SECONDS = 0.1
"""Between two looks for runs to stop."""


class RunEndError(PlaygroundError):
    """A run of a watch did not end as it should."""


class Player:
    """Plays one watch. Any tab may control it, from any thread.

    Attributes:
        watch: What is played.
        speed: A key of `PACES`.
        problem: Why it paused by itself; "" if it did not.
    """

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.speed = USUAL_SPEED
        self.problem = ""
        self._lock = threading.Lock()
        self._paused = threading.Event()
        self._thread: threading.Thread | None = None
        self._runs: list[Run] = []

    @property
    def is_playing(self) -> bool:
        """Whether questions are asked; also during the last one after `pause`."""
        return self._thread is not None

    def play(self, model: str | None = None) -> None:
        """Goes on; takes back a `pause` during the last question."""
        with self._lock:
            self._paused.clear()
            if self._thread is None:
                self.problem = ""
                self._thread = threading.Thread(target=self._work, args=(model,), name="watch it learn", daemon=True)
                self._thread.start()

    def pause(self) -> None:
        """Asks nothing more after the question of the moment."""
        self._paused.set()

    def stop(self) -> None:
        """Ends the runs of the moment, too; their question is asked again after `play`.

        Raises:
            RunInProgressError: A run did not end in time.
        """
        self._paused.set()
        while (thread := self._thread) is not None:
            for run in list(self._runs):
                self.watch.manager.stop(run.pipeline, run.session_id)
            thread.join(STOP_SECONDS)  # it may have started one more run meanwhile

    def wait(self) -> None:
        """Returns when it has paused, or is done."""
        if (thread := self._thread) is not None:
            thread.join()

    def _work(self, model: str | None) -> None:
        try:
            while self._goes_on() and (due := self.watch.due()):
                started = time.monotonic()
                self._ask(due, model)
                self._paused.wait(max(0.0, PACES[self.speed] - (time.monotonic() - started)))
        except PlaygroundError as error:
            if not self._paused.is_set():  # else it was stopped, which ends the runs
                self.problem = str(error)
        finally:
            with self._lock:
                if self._thread is threading.current_thread():
                    self._thread = None

    def _goes_on(self) -> bool:
        with self._lock:
            if self._paused.is_set():
                self._thread = None  # so that `play`, which waits for the lock, starts another one
            return self._thread is threading.current_thread()

    def _ask(self, due: list[tuple[Arm, int]], model: str | None) -> None:
        """Asks the arms beside each other."""
        try:
            for arm, index in due:
                self._runs.append(self.watch.ask(arm, index, model))
            for run in self._runs:
                asyncio.run(_completed(self.watch.manager, run))
        finally:
            self._runs.clear()
        for arm, index in due:
            if len(self.watch.answers(arm)) <= index:
                raise RunEndError(
                    f"Question {index + 1} was answered, but not judged: the reflector's output could not be used. Press "
                    "Play to ask it again, or choose another model."
                )


async def _completed(manager: RunManager, run: Run) -> None:
    """Returns at a run's end.

    Raises:
        RunEndError: It failed, or waits for the user.
    """
    async with aclosing(manager.subscribe(run.pipeline, run.session_id, after=run.after)) as news:
        async for item in news:
            for entry in getattr(item, "entries", ()):
                if (end := entry.of(RunFinished)) is not None:
                    _check_end(end)
                    return
    raise RunEndError("The run's end is not known: the playground was closed, or the database cannot be read.")


def _check_end(end: RunFinished) -> None:
    if end.status != "completed":
        reason = end.error_message or f"The run's status is “{end.status}”."
        raise RunEndError(f"{reason} The question is asked again when you press Play.")


@dataclass(slots=True)
class _Process:
    """The players of this process, by name of the watch."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    players: dict[str, Player] = field(default_factory=dict[str, Player])


_process = _Process()


def player_of(watch: Watch) -> Player:
    """The process's player of a watch, to look at: the same one for all tabs and users."""
    with _process.lock:
        known = _process.players.get(watch.name)
        if known is None or known.watch.manager.catalog is not watch.manager.catalog:  # of another manager, not user
            known = _process.players[watch.name] = Player(watch)
        return known


def controlled(watch: Watch) -> Player:
    """The same, to be played, paused and stopped: what it plays teaches a playbook.

    Raises:
        NotPermittedError: The user of the watch's manager may not change playbooks.
    """
    watch.manager.require(Action.EDIT_PLAYBOOK)
    player = player_of(watch)
    player.watch = watch  # who has only looked at it may have made it
    return player
