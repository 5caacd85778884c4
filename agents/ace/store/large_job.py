"""Large changes of playbooks, each made by a process of its own: start, progress, cancellation."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import uuid
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import agents
from agents.access import OWNER, Action, User, require
from agents.ace.formats.file import check_size
from agents.ace.store import bundles, large_commits
from agents.ace.store.playbook_store import PlaybookStore
from agents.errors import DatabaseError, PlaybookBusyError

Phase = Literal["reading", "checking", "ready", "storing", "finishing", "done", "failed", "cancelled"]

LARGE_FILE = 300_000
"""Bytes from which on a file is imported by a process of its own; a smaller one takes a few hundredths of a second."""
LARGE_DELTA = 5_000
"""Changes from which on a delta is undone by a process of its own."""
PATIENCE = 600.0
"""Seconds that a file is kept after it was read, until the user says where to import it."""
_CHUNK = 1 << 20
_OVER = {"done", "failed", "cancelled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeJobStatus:
    """The progress of a large change.

    Attributes:
        phase: The step under way, or the end.
        done: Bytes or changes done in this phase.
        of: Bytes or changes of the phase in all; 0 if unknown.
        seconds: Seconds since its start, or until its end.
        preview: Counts and the first bullets of the file, once it is read.
        playbook: Name of its playbook, once known.
        revision: The revision that it made.
        message: Why it failed.
    """

    phase: Phase
    done: int = 0
    of: int = 0
    seconds: float = 0.0
    preview: dict[str, Any] = field(default_factory=dict[str, Any])
    playbook: str = ""
    revision: int = 0
    message: str = ""

    @property
    def is_over(self) -> bool:
        """Whether it is over."""
        return self.phase in _OVER


class LargeJob:
    """One large change. Its methods may be called from any thread.

    Attributes:
        key: Its id, unique across processes.
        title: Its title, e.g. "Import of notes.txt".
        undoes: The revision that it undoes, or 0.
    """

    def __init__(self, store: PlaybookStore, database: Path, title: str, order: dict[str, Any], content: bytes) -> None:
        self.key = uuid.uuid4().hex
        self.title = title
        self.undoes: int = order.get("revision", 0)
        self._store = store
        self._lock = threading.Lock()
        self._began, self._asked = time.monotonic(), False
        self._status = LargeJobStatus(phase="reading" if content else "checking", playbook=order.get("playbook", ""))
        self._done = threading.Event()
        self._told_end: LargeJobStatus | None = None
        self._timer: threading.Timer | None = None
        self._bundles: list[int] = []
        self._is_cancelled = False
        self._process = _start_process()
        order = {**order, "database": str(database), "size": len(content)}
        threading.Thread(target=self._feed, args=(order, content), name="large-feed", daemon=True).start()
        threading.Thread(target=self._follow, name="large-follow", daemon=True).start()

    @property
    def status(self) -> LargeJobStatus:
        """Its progress."""
        with self._lock:
            found = self._status
        return found if found.is_over else replace(found, seconds=time.monotonic() - self._began)

    def store_into(self, playbook: str, *, new: bool) -> None:
        """Imports the file that was read into a playbook.

        Args:
            playbook: Its name.
            new: Whether to create it.
        """
        with self._lock:
            if self._asked or self._status.phase != "ready":
                return
            self._asked = True
            self._status = replace(self._status, phase="checking", playbook=playbook)
        self._send({"playbook": playbook, "new": new})

    @property
    def is_wanted(self) -> bool:
        """Whether its playbook is named, so that it continues without a watcher."""
        return self._asked or bool(self.undoes)

    def cancel(self) -> LargeJobStatus:
        """Ends it, and returns its end: "cancelled", or "done" if it was stored already."""
        self._is_cancelled = True
        self._process.kill()
        self._done.wait(30)
        return self.status

    def wait(self, seconds: float | None = None) -> LargeJobStatus:
        """Waits until it is over, or for some seconds."""
        self._done.wait(seconds)
        return self.status

    def _send(self, order: dict[str, Any]) -> None:
        with suppress(OSError, ValueError):  # it has ended; `_follow` sets the result
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()

    def _feed(self, order: dict[str, Any], content: bytes) -> None:
        self._send(order)
        view = memoryview(content)
        with suppress(OSError, ValueError):
            assert self._process.stdin is not None
            for start in range(0, len(view), _CHUNK):
                self._process.stdin.write(view[start : start + _CHUNK])
            self._process.stdin.flush()

    def _follow(self) -> None:
        """Reads the process's reports until it ends, and sets the result."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._take(json.loads(line))
        code = self._process.wait()
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._process.stdout.close()
        try:
            ended = self._ended_how(code)
            if ended.phase == "done":
                self._store.beside(ended.playbook).playbook()  # in memory before the first write to it
            large_commits.discard_left_behind(self._store)
        except DatabaseError as error:
            ended = replace(self._status, phase="failed", message=str(error))
        with self._lock:
            self._status = replace(ended, seconds=time.monotonic() - self._began)
        self._done.set()
        if self._timer is not None:
            self._timer.cancel()

    def _take(self, told: dict[str, Any]) -> None:
        """Records a report of the process. Its end is reported after the clean-up."""
        if told["phase"] == "began":
            self._bundles.append(told["bundle"])
            return
        with self._lock:
            found = replace(self._status, **{"done": 0, "of": 0} | told)
            if found.is_over:
                self._told_end = found
                return
            self._status = found
        if found.phase == "ready":
            self._timer = threading.Timer(PATIENCE, self._let_go)
            self._timer.daemon = True
            self._timer.start()

    def _let_go(self) -> None:
        """Discards the file if its playbook was not named in time."""
        if not self.is_wanted:
            self.cancel()

    def _ended_how(self, code: int) -> LargeJobStatus:
        """The result, even if the process ended without a report."""
        if self._told_end is not None:
            return self._told_end
        revision = self._store.read(lambda conn: bundles.revision_of(conn, self._bundles))
        if revision is not None:
            return replace(self._status, phase="done", revision=revision)
        if self._is_cancelled:
            return replace(self._status, phase="cancelled")
        message = (
            f"The process that did it ended (exit code {code}), perhaps for lack of memory. Nothing was stored. "
            "Try again, or import it in parts."
        )
        return replace(self._status, phase="failed", message=message)


@dataclass(slots=True)
class _Shared:
    """What the jobs of all users share."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    job: LargeJob | None = None


class LargeJobs:
    """The large changes of one database: one at a time. What makes or changes one may raise `NotPermittedError`.

    Args:
        store: Any playbook of the database.
        database: The file.
    """

    def __init__(self, store: PlaybookStore, database: Path) -> None:
        self._store, self._database = store, database
        self._user = OWNER
        self._shared = _Shared()

    def as_user(self, user: User) -> LargeJobs:
        """The same ones as another user may use them."""
        bound = copy(self)
        bound._user = user
        return bound

    @property
    def current(self) -> LargeJob | None:
        """The one that is under way, or was last, to look at."""
        return self._shared.job

    def read(self, content: bytes, name: str) -> LargeJob:
        """Reads and checks a file to be imported.

        Raises:
            PlaybookFormatError: It is too large.
            PlaybookBusyError: Another large change is under way.
        """
        require(self._user, Action.EDIT_PLAYBOOK)
        check_size(len(content))
        return self._start(f"Import of {name}", {"what": "import"}, content)

    def of_key(self, key: str) -> LargeJob | None:
        """The one of that key, if it is under way or was last, to be stored or cancelled."""
        require(self._user, Action.EDIT_PLAYBOOK)
        return job if (job := self._shared.job) is not None and job.key == key else None

    def undo(self, playbook: str, revision: int) -> LargeJob:
        """Undoes a large delta.

        Raises:
            PlaybookBusyError: Another large change is under way.
        """
        require(self._user, Action.EDIT_PLAYBOOK)
        order = {"what": "undo", "playbook": playbook, "revision": revision}
        return self._start(f"Undo of revision {revision} of {playbook}", order, b"")

    def close(self) -> None:
        """Cancels a change that is under way."""
        if (job := self._shared.job) is not None and not job.status.is_over:
            job.cancel()
        self._store.close()

    def _start(self, title: str, order: dict[str, Any], content: bytes) -> LargeJob:
        with self._shared.lock:
            if (job := self._shared.job) is not None and not (status := job.status).is_over:
                raise PlaybookBusyError(
                    f"Another large change is under way ({job.title}, for {status.seconds:.0f} s). There is one at a "
                    "time: wait until it is over, or cancel it."
                )
            job = self._shared.job = LargeJob(self._store, self._database, title, order, content)
            return job


def _start_process() -> subprocess.Popen[bytes]:
    # Not by `multiprocessing`: that would run the main module again, which is a page of the app while one is drawn.
    code = "import sys; sys.path.insert(0, sys.argv[1]); from agents.ace.store.large_worker import main; main()"
    root = str(Path(agents.__file__).resolve().parents[1])
    command = [sys.executable, "-P", "-c", code, root]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  this interpreter, our code
