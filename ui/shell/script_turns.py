"""Turns for page scripts: a few draw at a time, in the order in which they came.

Scripts are threads that compute. Fifty that draw at once share one interpreter with the loops that run agents and serve
viewers, and those would get a fiftieth of it; each page would also be drawn only when all of them are.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager

AT_ONCE = 1
"""Scripts that draw at once: two would share one interpreter."""
PATIENCE = 3.0
"""Most seconds that a script waits for its turn: others may wait long for a package or a locked database."""

_turns = threading.Semaphore(AT_ONCE)


@contextmanager
def turn() -> Generator[None, None, None]:
    """Waits for a turn to draw, and gives it to the next one afterwards. What callbacks do is done before that."""
    has_turn = _turns.acquire(timeout=PATIENCE)
    try:
        yield
    finally:
        if has_turn:
            _turns.release()
