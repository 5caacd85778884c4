"""Work on a run until it ends or is stopped, with its progress and what models say on a terminal."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from agents.lab import ActiveRun, LabRun, Parts, Progress, RayExecutor, Said
from ui.cli.lab.report import width_of
from ui.text.visible_text import visible_line

_MINUTE = 60
_EVERY = 0.1
"""Least seconds between two looks of the line."""
_GRACE = 2.0
"""Seconds that a run which is ended at once has to leave its folder in order; resuming does not need that."""
_INTERRUPTED = 130
_TAIL = 500
"""Characters of what a model said last, more than a line has."""
_SHORT, _MOST = 60, 3
"""Characters of a question, and questions, that a message names."""


def worked_on(opened: Callable[[Parts], ActiveRun], *, ray: str | None) -> LabRun:
    """Works on a run. Ctrl-C lets it end after the samples that are being worked on.

    Args:
        opened: Begins or resumes the run.
        ray: The address of the Ray cluster that works on the samples; None or "" for this process.

    Raises:
        KeyboardInterrupt: Ctrl-C came twice.
    """
    try:
        return asyncio.run(_worked(opened, ray))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _worked(opened: Callable[[Parts], ActiveRun], ray: str | None) -> LabRun:
    """Works on a run in this process, or on a cluster."""
    told = _Line()
    if not ray:
        return await _until_stopped(opened(Parts(tell=told.hear)), told)
    print(visible_line(f"Connecting to the Ray cluster {ray!r} …"), file=sys.stderr)
    async with RayExecutor(ray) as execute:
        return await _until_stopped(opened(Parts(execute=execute)), told)


async def _until_stopped(active: ActiveRun, told: _Line) -> LabRun:
    """The first Ctrl-C lets the samples finish that are being worked on, and says which; the second one ends at once."""
    told.name = visible_line(active.name)
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    asked: list[bool] = []

    def stop() -> None:
        if asked and task is not None:
            end = threading.Timer(_GRACE, os._exit, (_INTERRUPTED,))
            end.daemon = True
            end.start()
            task.cancel()
        else:
            told.say(f"Stopping. {told.awaited()} Ctrl-C again ends at once; what is not finished is then done anew.")
        asked.append(True)
        active.stop()

    with suppress(NotImplementedError, RuntimeError):  # not every platform has signals for a loop
        loop.add_signal_handler(signal.SIGINT, stop)
    try:
        return await active.run(told)
    finally:
        told.end()


class _Line:
    """One line on a terminal's standard error with the progress and what a model says; nothing where there is no terminal.

    Attributes:
        name: The run's.
    """

    def __init__(self) -> None:
        self.name = ""
        self._is_shown = sys.stderr.isatty()
        self._width, self._drawn = 0, 0.0
        self._progress = ""
        self._said: dict[str, tuple[Said, str]] = {}

    def __call__(self, progress: Progress) -> None:
        """Takes in how far the run is; the samples of the last step are done."""
        left = "" if progress.seconds_left is None else f", {_time(progress.seconds_left)} left"
        place = f"{visible_line(progress.arm)}, seed {progress.seed}"
        self._progress = f"{progress.done:,} of {progress.total:,} samples{left} ({place})"
        self._said.clear()
        self._draw()

    def hear(self, said: Said) -> None:
        """Takes in a piece of what a model says."""
        before, text = self._said.get(said.sample.id, (said, ""))
        text = text + said.text if before.agent == said.agent else said.text
        self._said[said.sample.id] = said, text
        if said.agent and monotonic() - self._drawn >= _EVERY:
            self._draw(f" · {visible_line(said.agent)}: ", visible_line(text[-_TAIL:]))

    def awaited(self) -> str:
        """What is being worked on, in a sentence or two."""
        if not self._said:
            return "It ends after the samples that are being worked on."
        named = [_awaited(said, text) for said, text in [*self._said.values()][:_MOST]]
        more = f", and {len(self._said) - _MOST} more" if len(self._said) > _MOST else ""
        return f"It waits for {', '.join(named)}{more}."

    def say(self, text: str) -> None:
        """Writes a message on a line of its own."""
        self.end()
        print(text, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leaves the line as it is."""
        if self._width:
            print(file=sys.stderr)
        self._width = 0

    def _draw(self, speaker: str = "", text: str = "") -> None:
        if not self._is_shown:
            return
        head = f"{self.name}: {self._progress or 'the first sample'}{speaker}"
        text = _fitting(head, text, shutil.get_terminal_size().columns - 1)
        width = width_of(text)
        print(f"\r{text}{' ' * (self._width - width)}", end="", file=sys.stderr, flush=True)
        self._width, self._drawn = width, monotonic()


def _awaited(said: Said, text: str) -> str:
    question = visible_line(said.sample.question)
    short = question if len(question) <= _SHORT else f"{question[: _SHORT - 1]}…"
    now = f" ({visible_line(said.agent)} has said {len(text):,} characters)" if said.agent else ""
    return f"the answer to “{short}”{now}"


def _fitting(head: str, tail: str, columns: int) -> str:
    """One line: the head, and of what follows as much of the end as there is room for."""
    head = head[:columns]
    while head and width_of(head) > columns:
        head = head[:-1]
    room, kept = columns - width_of(head), tail[-columns:]
    while kept and width_of(kept) > room:
        kept = kept[1:]
    return head + kept


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 2 * _MINUTE else f"{seconds / _MINUTE:.0f} min"
