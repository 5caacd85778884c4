"""Work on a run until it ends or is stopped, with its progress on a terminal."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from agents.lab import ActiveRun, LabRun, Parts, Progress, RayExecutor
from ui.text.visible_text import visible_line

_MINUTE = 60


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
    if not ray:
        return await _until_stopped(opened(Parts()))
    print(visible_line(f"Connecting to the Ray cluster {ray!r} …"), file=sys.stderr)
    async with RayExecutor(ray) as execute:
        return await _until_stopped(opened(Parts(execute=execute)))


async def _until_stopped(active: ActiveRun) -> LabRun:
    """The first Ctrl-C lets the samples finish that are being worked on, the second one does not."""
    told = _Line(active.name)
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    asked: list[bool] = []

    def stop() -> None:
        if asked and task is not None:
            task.cancel()
        asked.append(True)
        active.stop()

    with suppress(NotImplementedError, RuntimeError):  # not every platform has signals for a loop
        loop.add_signal_handler(signal.SIGINT, stop)
    try:
        return await active.run(told)
    finally:
        told.end()


class _Line:
    """One line on a terminal's standard error with the progress; nothing where there is no terminal."""

    def __init__(self, name: str) -> None:
        self._name, self._is_shown = visible_line(name), sys.stderr.isatty()
        self._width = 0

    def __call__(self, progress: Progress) -> None:
        if self._is_shown:
            left = "" if progress.seconds_left is None else f", {_time(progress.seconds_left)} left"
            place = f"{visible_line(progress.arm)}, seed {progress.seed}"
            text = f"{self._name}: {progress.done:,} of {progress.total:,} samples{left} ({place})"
            print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(text)

    def end(self) -> None:
        """Leaves the line as it is."""
        if self._width:
            print(file=sys.stderr)


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 2 * _MINUTE else f"{seconds / _MINUTE:.0f} min"
