"""Turns for page scripts: one draws at a time, first those that have drawn nothing yet, in the order in which they came.

Scripts are threads that compute. Fifty that draw at once share one interpreter with the loops that run agents and serve
viewers, and those would get a fiftieth of it; each page would also be drawn only when all of them are.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager

PATIENCE = 3.0
"""Most seconds that others wait for a script that draws: it may itself wait long, for a package or a locked database."""

Turn = threading.Event
"""Set once it has come."""


class Turns:
    """Hands the turn to one script after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: tuple[deque[Turn], deque[Turn]] = deque(), deque()
        self._holder: Turn | None = None

    def take(self, *, later: bool = False) -> Turn:
        """Waits for a turn.

        Args:
            later: Whether scripts that come without this go first.
        """
        mine = Turn()
        with self._lock:
            self._waiting[later].append(mine)
            if self._holder is None:
                self._pass_on()
        while not mine.is_set():
            holder = self._holder
            if not mine.wait(PATIENCE) and holder is not None:
                self.give(holder)
        return mine

    def give(self, turn: Turn) -> None:
        """Gives the turn to the next script, unless another has it already."""
        with self._lock:
            if self._holder is turn:
                self._pass_on()

    def _pass_on(self) -> None:
        waiting = next(filter(None, self._waiting), None)
        self._holder = waiting.popleft() if waiting else None
        if self._holder is not None:
            self._holder.set()


_turns = Turns()
_own = threading.local()


@contextmanager
def turn() -> Generator[None, None, None]:
    """Waits for a turn to draw, and gives it to the next one afterwards. What callbacks do is done before that."""
    _own.turn = _turns.take()
    try:
        yield
    finally:
        _turns.give(_own.turn)
        del _own.turn


def give_way() -> None:
    """Lets scripts go first that have drawn nothing yet: call it when what users wait for is drawn."""
    if hasattr(_own, "turn"):
        _turns.give(_own.turn)
        _own.turn = _turns.take(later=True)
