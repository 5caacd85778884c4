"""Imports user packages in threads of their own, so that one that hangs blocks only itself.

A package may raise anything, loop for ever, or change the process's streams and working folder.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from agents.pipeline import Pipeline
from agents.pipelines.loading import failure_text, load_from

PATIENCE = 10.0
"""Seconds after which an import that has not ended is reported as hanging."""

TURN = 1.0
"""Seconds that an import has before the next one is started in parallel."""

_SWITCH = sys.getswitchinterval()
_SHORT_SWITCH = _SWITCH / 10
"""The interpreter's switch interval in seconds during a long import: it may be an endless loop, and each file that
another thread reads would wait for as long."""

_log = logging.getLogger(__name__)


class PackageImport:
    """The import of one package, and its result. It is started once, by `start`.

    Args:
        folder: The package's folder.
        agents_dir: The folder that it must lie in.
        patience: Seconds until it is reported as hanging.

    Attributes:
        name: The folder's name, which becomes the pipeline's.
        pipeline: The pipeline, once it is loaded; None also for a package that holds none.
        failure: Why it cannot be loaded, as the import said; None if it did not fail.
        done: Set once the import has ended.
        settled: Set once the import has ended or is reported as hanging.
    """

    def __init__(self, folder: Path, agents_dir: Path, patience: float) -> None:
        self.name = folder.name
        self.pipeline: Pipeline | None = None
        self.failure: str | None = None
        self.done = threading.Event()
        self.settled = threading.Event()
        self._folder = folder
        self._agents_dir = agents_dir
        self._patience = patience

    @property
    def problem(self) -> str | None:
        """Why the pipeline cannot be used now; None if it can, or if that is not known yet."""
        hangs = self.settled.is_set() and not self.done.is_set()
        return self._hanging() if hangs else self.failure

    def start(self) -> None:
        """Begins the import."""
        ImportThread(target=self._import, name=f"import-{self.name}", daemon=True).start()
        watch = threading.Timer(self._patience, self._give_up)
        watch.daemon = True
        watch.start()

    def _import(self) -> None:
        try:
            with _process_state_kept():
                self.pipeline = load_from(self._folder, self._agents_dir)
        except BaseException as error:  # noqa: BLE001  Ctrl-C reaches the main thread only
            self.failure = failure_text(error, self._folder)
        self.done.set()
        if self.failure is not None:
            _log.warning("The pipeline %s cannot be loaded: %s", self.name, failure_reason(self.failure))
        elif self.settled.is_set():
            _log.warning("The import of the pipeline %s has ended; it can be used now.", self.name)
        self.settled.set()
        if unfinished() == [threading.current_thread().name]:
            sys.setswitchinterval(_SWITCH)

    def _give_up(self) -> None:
        if not self.done.is_set():
            _log.warning("The pipeline %s cannot be loaded: %s", self.name, self._hanging())
            self.settled.set()

    def _hanging(self) -> str:
        return (
            f"The import of {self._folder} has not ended after {self._patience:g} s: its code waits for something or loops. "
            "All other pipelines work. This one can be used as soon as its import ends; if it does not, change its code and "
            "start the playground again."
        )


class ImportThread(threading.Thread):
    """A thread that imports a package. The interpreter cannot end cleanly while one is alive."""


def import_all(folders: Sequence[Path], agents_dir: Path, *, patience: float = PATIENCE) -> list[PackageImport]:
    """Starts to import packages, one after the other as long as each ends in time.

    Args:
        folders: The packages' folders.
        agents_dir: The folder that they must lie in.
        patience: Seconds until an import is reported as hanging.

    Returns:
        An import for each folder, in their order; at once.
    """
    imports = [PackageImport(folder, agents_dir, patience) for folder in folders]

    def in_turn() -> None:
        for one in imports:
            one.start()
            if not one.done.wait(TURN):
                sys.setswitchinterval(_SHORT_SWITCH)

    if imports:
        threading.Thread(target=in_turn, name="imports", daemon=True).start()
    return imports


def unfinished() -> list[str]:
    """Names of the threads in which packages are still being imported."""
    return [thread.name for thread in threading.enumerate() if isinstance(thread, ImportThread)]


def failure_reason(text: str) -> str:
    """The last line of a traceback or a message, which says why."""
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no reason given"


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
