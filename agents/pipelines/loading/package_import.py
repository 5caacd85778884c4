"""Imports user packages in threads of their own, so that one that hangs blocks only itself.

A package may raise anything, loop for ever, or change the process's streams and working folder.
"""

from __future__ import annotations

import ctypes
import logging
import os
import sys
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import copy_context
from pathlib import Path

from agents.pipeline import Pipeline
from agents.pipelines.loading.failure import LoadFailure, failed, failure_of
from agents.pipelines.loading.loader import load_from
from agents.pipelines.loading.missing_modules import is_found
from agents.pipelines.loading.sources.opened_files import OpenedFiles
from agents.pipelines.loading.sources.seen_file import SeenFile, Stamp, source_files

PATIENCE = 10.0
"""Seconds after which an import that has not ended is reported as hanging."""

TURN = 1.0
"""Seconds that an import has before the next one is started in parallel."""

ENDING = 0.2
"""Seconds that an import which was told to end has for it, before the next one begins beside it."""

_SWITCH = sys.getswitchinterval()
_SHORT_SWITCH = _SWITCH / 10
"""The interpreter's switch interval in seconds during a long import: it may be an endless loop, and each file that
another thread reads would wait for as long."""

_log = logging.getLogger(__name__)


class PackageImport:
    """The import of one package as it is now, and its result. It is started once, by `start`.

    Args:
        folder: The package's folder.
        agents_dir: The folder that it must lie in; it may be the package's own.
        patience: Seconds until it is reported as hanging.
        code: The Python and YAML files below `agents_dir`, as `source_files` gives them.

    Attributes:
        name: The folder's name, which becomes the pipeline's.
        pipeline: The pipeline, once it is loaded; None also for a package that holds none.
        failure: Why it cannot be loaded, as the import said; None if it did not fail.
        made_at: When it was made, of `time.monotonic`.
        done: Set once the import has ended.
        settled: Set once the import has ended or is reported as hanging.
    """

    def __init__(self, folder: Path, agents_dir: Path, patience: float, code: Mapping[str, Stamp | None]) -> None:
        self.name = folder.name
        self.pipeline: Pipeline | None = None
        self.failure: LoadFailure | None = None
        self.made_at = time.monotonic()
        self.done = threading.Event()
        self.settled = threading.Event()
        self._folder = folder
        self._agents_dir = agents_dir
        self._patience = patience
        self._thread: ImportThread | None = None
        self._watch = threading.Timer(patience, self._give_up)
        self._files: Sequence[SeenFile] = ()
        self._code = code
        self._was_told_to_end = False

    @property
    def problem(self) -> LoadFailure | None:
        """Why the pipeline cannot be used now; None if it can, or if that is not known yet."""
        hangs = self.settled.is_set() and not self.done.is_set()
        return failed(self._hanging()) if hangs else self.failure

    @property
    def is_outdated(self) -> bool:
        """Whether the package is to be imported again: its files changed, or what its import failed for may be there now.

        An import that has not ended is left alone until it is reported as hanging.
        """
        if not self.settled.is_set():
            return False
        if any(file.is_changed() for file in self._files):
            return True
        if self.done.is_set() and self.failure is None:
            return False
        missing = self.failure.missing if self.failure is not None else ()
        return any(is_found(name, self._folder) for name in missing) or source_files(self._agents_dir) != self._code

    def start(self, before: PackageImport | None = None) -> None:
        """Begins the import.

        Args:
            before: The one in whose place it is. If it still hangs, it is told to end.
        """
        hangs = before is not None and before._end()
        run = copy_context().run
        self._thread = ImportThread(target=run, name=f"import-{self.name}", args=(self._import, hangs), daemon=True)
        self._thread.start()
        self._watch.daemon = True
        self._watch.start()

    def _import(self, hangs: bool) -> None:
        opened = OpenedFiles(self._agents_dir)
        try:
            with _process_state_kept():
                found = load_from(self._folder, self._agents_dir, opened, hangs=hangs)
            self.pipeline, self._files = found.pipeline, found.files
        except BaseException as error:  # noqa: BLE001  Ctrl-C reaches the main thread only
            self.failure = failure_of(error, self._folder)
        self._files = (*self._files, *opened.seen())
        self.done.set()
        self._watch.cancel()
        if self.failure is not None and not self._was_told_to_end:
            _log.warning("The pipeline %s cannot be loaded: %s", self.name, self.failure.reason)
        elif self.failure is None and self.settled.is_set():
            _log.warning("The import of the pipeline %s has ended; it can be used now.", self.name)
        self.settled.set()
        if unfinished() == [threading.current_thread().name]:
            sys.setswitchinterval(_SWITCH)

    def _end(self) -> bool:
        """Tells an import that hangs to end; returns whether it goes on for now."""
        thread = self._thread
        if thread is None or not thread.is_alive() or thread.ident is None:
            return False
        self._was_told_to_end = True
        # Python's own way to end a loop in another thread; what waits outside of Python ends when it comes back.
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))
        thread.join(ENDING)
        return thread.is_alive()

    def _give_up(self) -> None:
        if not self.done.is_set():
            _log.warning("The pipeline %s cannot be loaded: %s", self.name, self._hanging())
            self.settled.set()

    def _hanging(self) -> str:
        return (
            f"The import of {self._folder} has not ended after {self._patience:g} s: its code waits for something or loops. "
            "All other pipelines work. This one can be used as soon as its import ends; if it does not, change its code: "
            "it is imported again when the file is saved."
        )


class ImportThread(threading.Thread):
    """A thread that imports a package. The interpreter cannot end cleanly while one is alive."""


def start_in_turn(imports: Sequence[tuple[PackageImport, PackageImport | None]]) -> None:
    """Starts imports, one after the other as long as each ends in time; returns at once.

    Args:
        imports: Each with the one in whose place it is, if there is one.
    """

    def in_turn() -> None:
        for one, before in imports:
            one.start(before)
            if not one.done.wait(TURN):
                sys.setswitchinterval(_SHORT_SWITCH)

    if imports:
        threading.Thread(target=copy_context().run, args=(in_turn,), name="imports", daemon=True).start()


def unfinished() -> list[str]:
    """Names of the threads in which packages are still being imported."""
    return [thread.name for thread in threading.enumerate() if isinstance(thread, ImportThread)]


@contextmanager
def _process_state_kept() -> Generator[None, None, None]:
    """Puts the standard streams and the working folder back if the block changed them."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    folder = _working_folder()
    try:
        yield
    finally:
        if (sys.stdin, sys.stdout, sys.stderr) != streams:
            sys.stdin, sys.stdout, sys.stderr = streams
        if folder is not None and _working_folder() != folder:
            with suppress(OSError):
                os.chdir(folder)


def _working_folder() -> Path | None:
    with suppress(OSError):
        return Path.cwd()
    return None
