"""Attempts to sign in: how many may fail for one name, and from one address, before others are refused for a while."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from time import monotonic

SECONDS = 300.0
"""How long a failed attempt counts."""
MOST_FAILED = {"name": 10, "address": 50}
"""Failed attempts in that time."""
MOST_KEYS = 10_000


class Attempts:
    """The attempts of this process, for any thread. Each counts as failed until it is `passed`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failed: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()

    def wait(self, **keys: str) -> float:
        """Begins an attempt; returns 0, or the seconds to wait, without an attempt.

        Args:
            keys: What it counts for, by the kinds of `MOST_FAILED`.
        """
        now = monotonic()
        with self._lock:
            counted = [(kind, self._of(kind, key)) for kind, key in keys.items()]
            for _, times in counted:
                while times and now - times[0] > SECONDS:
                    times.popleft()
            waits = [SECONDS - (now - times[0]) for kind, times in counted if len(times) >= MOST_FAILED[kind]]
            for _, times in counted if not waits else ():
                times.append(now)
            return max(waits, default=0.0)

    def passed(self, **keys: str) -> None:
        """Ends an attempt that has not failed: it counts no more, and the name's others neither."""
        with self._lock:
            for kind, key in keys.items():
                times = self._of(kind, key)
                if kind == "name":
                    times.clear()
                elif times:
                    times.pop()

    def _of(self, kind: str, key: str) -> deque[float]:
        times = self._failed.setdefault((kind, key), deque())
        self._failed.move_to_end((kind, key))
        while len(self._failed) > MOST_KEYS:
            self._failed.popitem(last=False)
        return times
