"""`Job`: work in a thread of its own, and `Jobs`, those of a workspace."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, Generic, TypeVar

from agents.errors import PlaygroundError
from agents.scope import current_scope

P = TypeVar("P")


class Job(Generic[P]):
    """Work in a thread of its own. Any thread may look at it and stop it.

    Attributes:
        name: What is worked on, e.g. the name of a lab run.
        progress: How far it is, as `tell` said last.
        problem: Why it ended early; "" if it did not.
        began_at: When it was begun, by the monotonic clock.

    Args:
        name: What is worked on.
        work: Does the work. It calls `tell` after each step, and returns soon after `is_stopping` is true.
        progress: How far it is before the first step.
        on_stop: Called once the job is asked to stop, for work that does not look at `is_stopping` itself.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Job[P]], object],
        *,
        progress: P | None = None,
        on_stop: Callable[[], object] | None = None,
    ) -> None:
        self.name = name
        self.progress = progress
        self.problem = ""
        self.began_at = 0.0
        self._stopping = threading.Event()
        self._do = work
        self._on_stop = on_stop
        self._thread: threading.Thread | None = None

    @property
    def goes_on(self) -> bool:
        """Whether it is worked on."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def is_stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._stopping.is_set()

    def start(self) -> None:
        """Begins the work, in the caller's `Scope`; called once."""
        work, self.began_at = copy_context().run, time.monotonic()
        self._thread = threading.Thread(target=work, args=(self._work,), name=f"job {self.name}", daemon=True)
        self._thread.start()

    def tell(self, progress: P) -> None:
        """Says how far the work is."""
        self.progress = progress

    def idle(self, seconds: float) -> None:
        """Waits so long between two steps, or until it is asked to stop. For the work itself."""
        self._stopping.wait(max(0.0, seconds))

    def stop(self) -> None:
        """Asks the work to stop after its present step."""
        self._stopping.set()
        if self._on_stop is not None:
            self._on_stop()

    def wait(self, seconds: float | None = None) -> None:
        """Returns when it is not worked on any more, or after so many seconds."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _work(self) -> None:
        try:
            self._do(self)
        except PlaygroundError as error:
            self.problem = str(error)
        except BaseException as error:
            self.problem = f"An unexpected {type(error).__name__} ended it. The playground's terminal says where."
            raise  # not in the problem: its message may hold a key


class Jobs:
    """The jobs of a workspace, by kind and name: of each name of a kind, one goes on at a time.

    They work in the `Scope` that this is made in.
    """

    def __init__(self) -> None:
        self._scope = current_scope()
        self._lock = threading.Lock()
        self._jobs: dict[tuple[str, str], Job[Any]] = {}

    def of(self, kind: str, name: str) -> Job[Any] | None:
        """The last job of that name in this process; None if there was none."""
        return self._jobs.get((kind, name))

    def start(self, kind: str, job: Job[Any]) -> None:
        """Starts a job, unless one of its name goes on."""
        with self._lock:
            known = self._jobs.get((kind, job.name))
            if known is None or not known.goes_on:
                self._jobs[kind, job.name] = job
                with self._scope.entered():
                    job.start()

    def stop(self, kind: str, name: str) -> None:
        """Asks a job to stop, if there is one."""
        if (known := self.of(kind, name)) is not None:
            known.stop()

    def stop_all(self) -> None:
        """Asks all jobs to stop. What they have done is stored, so the end of the process need not wait for them."""
        for job in list(self._jobs.values()):
            if job.goes_on:
                job.stop()
