"""A thread in which a server does what the others of its database need of it."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from contextvars import copy_context

from agents.errors import DatabaseError
from agents.runs.values import Run

LOOK_SECONDS = 0.5
"""Seconds between two looks whether somebody asked another server to stop a run of this one."""

_log = logging.getLogger(__name__)


class ServerLoop:
    """Looks for requests to stop runs and, if it may, for runs whose server is gone. A `RunListener`.

    Args:
        obey: Stops the runs that are to be stopped. It blocks.
        take_over: Takes over the runs whose lease is over, as long as a function says that it goes on; None for never.
        lease: Seconds of a lease. A seventh of it, more or less, is between two looks, so that servers do not look together.
    """

    def __init__(
        self, obey: Callable[[], None], take_over: Callable[[Callable[[], bool]], None] | None, *, lease: float
    ) -> None:
        self._obey, self._take_over, self._lease = obey, take_over, lease
        self._closed = threading.Event()
        work = copy_context().run  # in the scope of the workspace
        self._thread = threading.Thread(target=work, args=(self._work,), name="playground-servers", daemon=True)
        self._thread.start()

    def ended(self, run: Run) -> None:
        """See `RunListener`."""

    def close(self) -> None:
        """Ends the thread, and waits for it."""
        self._closed.set()
        self._thread.join(LOOK_SECONDS)

    def _work(self) -> None:
        due = time.monotonic()
        while not self._closed.wait(min(LOOK_SECONDS, self._lease / 6)):
            try:
                self._obey()
                if self._take_over is not None and time.monotonic() >= due:
                    due = time.monotonic() + self._lease * random.uniform(0.1, 0.2)  # noqa: S311  no secret
                    self._take_over(lambda: not self._closed.is_set())
            except DatabaseError as error:  # it can be used again soon, or users see the same
                _log.debug("A look at what other servers need failed: %s", error)
            except Exception:  # noqa: BLE001  the thread goes on
                _log.exception("A look at what other servers need failed.")
