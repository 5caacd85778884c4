"""The processes that a process has started, with theirs: what they hold, and their end."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from agents.storage.processes import memory_of

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

    Attributes:
        is_alive: Whether the process itself has not ended.

    Args:
        pid: The process.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._started: list[Process] = []
        self.is_alive = True

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
        """Bytes of memory that they hold, looked up now. What several share counts once, where the system says so."""
        import psutil

        total = memory_of(self._pid)
        self.is_alive = total > 0
        for one in self._started:
            with suppress(psutil.Error):
                full = one.memory_full_info()
                total += getattr(full, "pss", full.uss)
        return total

    def freeze(self) -> None:
        """Stops all that the process has started, so that none of them starts another one before `kill`."""
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

    def kill(self) -> None:
        """Ends all that the process has started, wherever they have gone; not the process itself. Look or freeze first."""
        import psutil

        for one in self._started:
            with suppress(psutil.Error):
                one.kill()
