"""Keeps playbooks out of garbage collections, which walk through all objects and block everything meanwhile.

With 300,000 bullets in memory a collection takes 0.4 s. Bullets are in no cycle, so it has nothing to find there.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

LARGE_PLAYBOOK = 20_000
"""Bullets from which on it is worth it."""


class _Loads:
    """How many threads load a large playbook."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.running = 0
        self.was_enabled = True


_loads = _Loads()


@contextmanager
def spared() -> Generator[Callable[[], None], None, None]:
    """Collects nothing meanwhile, and never looks at what is there at the end. It is freed once nothing refers to it.

    A cycle that is garbage by then and older than a moment stays: a little memory, for each large playbook that is loaded.

    Yields:
        What to call now and then: others may ask for a collection meanwhile, as Streamlit does after each rerun, and what
        was made before the call is not walked through then.
    """
    with _loads.lock:
        if not _loads.running:
            _loads.was_enabled = gc.isenabled()
            gc.collect(1)
            gc.disable()
        _loads.running += 1
    try:
        yield gc.freeze if _loads.was_enabled else _nothing
    finally:
        with _loads.lock:
            _loads.running -= 1
            if not _loads.running and _loads.was_enabled:
                gc.freeze()
                gc.enable()


def _nothing() -> None:
    return None
