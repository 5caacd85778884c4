"""The processes that a process has started, with theirs: what they hold, and their end."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from psutil import Process


_ROUNDS = 20
"""How often processes are looked for that were started while others were stopped."""


def descendants(pid: int) -> list[Process]:
    """The processes that a process has started, and those that these have; none if it has ended."""
    import psutil

    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


class ProcessTree:
    """A process and all that it has started, as they were when `look` was called last.

    Args:
        pid: The process.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._started: list[Process] = []

    @property
    def started(self) -> int:
        """How many processes it has started that have not ended."""
        return len(self._started)

    def look(self) -> None:
        """Looks again. What was started is known even if the process itself ends then."""
        if found := descendants(self._pid):
            self._started = found
        else:
            self._started = [one for one in self._started if one.is_running()]

    def memory(self) -> int:
        """Bytes of memory that they hold; 0 if the process itself has ended.

        Pages that several share count once, where the system says so.
        """
        import psutil

        total = 0
        with suppress(psutil.Error):
            total = psutil.Process(self._pid).memory_info().rss
        for one in self._started if total else ():
            with suppress(psutil.Error):
                full = one.memory_full_info()
                total += getattr(full, "pss", full.uss)
        return total

    def kill(self) -> None:
        """Ends those that the process has started, wherever they have gone; not the process itself.

        All are stopped first: one that runs may start another one between being found and being ended.
        """
        import psutil

        stopped: set[Process] = set()
        for _ in range(_ROUNDS):
            self.look()
            if not (running := {*self._started} - stopped):
                break
            for one in running:
                with suppress(psutil.Error):
                    one.suspend()
            stopped |= running
        for one in self._started:
            with suppress(psutil.Error):
                one.kill()
