"""What the code of a worker's runs is refused, by Python's audit hook: the server's own files, and too many processes.

The hook sees what Python code opens and starts, whoever calls it. It is no wall against code in C, nor against programs that
a tool starts: those may do what the account may do.
"""

from __future__ import annotations

import inspect
import os
import site
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

from agents.runs.workers.process_tree import descendants

_RUNTIME = str(Path(__file__).resolve().parents[2]) + os.sep
_LIBRARIES = tuple({f"{os.path.realpath(path)}{os.sep}" for path in (sysconfig.get_path("stdlib"), *site.getsitepackages())})
_OPENS = {"open", "sqlite3.connect"}
_CHANGES = {"os.remove", "os.rename", "os.truncate", "os.link", "os.symlink", "os.chmod", "shutil.rmtree", "shutil.move"}
_STARTS = {"os.fork", "os.forkpty", "os.posix_spawn", "subprocess.Popen"}


def refuse(files: Iterable[Path], processes: int) -> None:
    """Refuses, from now on until the process ends.

    Args:
        files: What only the runtime's code may open, change or remove; so are their journals, with more in their names.
        processes: How many processes this one may have started that have not ended.
    """
    own, pid = tuple(os.path.realpath(file) for file in files), os.getpid()
    beside = tuple(f"{file}{mark}" for file in own for mark in "-.")

    def is_own(real: str, *, changes: bool) -> bool:
        is_environment = real.startswith("/proc/") and real.endswith("/environ")  # the server's has the owner's keys
        holds = changes and any(file.startswith(f"{real}{os.sep}") for file in own)
        return real in own or real.startswith(beside) or is_environment or holds

    def look(event: str, arguments: tuple[object, ...]) -> None:
        if event in _STARTS and len(descendants(pid)) >= processes:
            raise PermissionError(
                f"The code of this run has started {processes} processes, the most that it may have. End some of them first."
            )
        if event not in _OPENS and event not in _CHANGES:
            return
        for path in arguments[: 1 + (event in _CHANGES)]:
            if isinstance(path, str | bytes | Path) and path:
                real, frame = _real(path, is_address=event == "sqlite3.connect"), inspect.currentframe()
                if is_own(real, changes=event in _CHANGES) and not _is_runtime(frame and frame.f_back):
                    raise PermissionError(
                        f"{Path(real).name} is the server's own, and the code of a run may not use it. Keep what an agent "
                        "needs in session state, in artifacts, or in files of its own."
                    )

    sys.addaudithook(look)


def _real(path: str | bytes | Path, *, is_address: bool) -> str:
    name = os.fsdecode(path)
    if is_address and name.startswith("file:"):
        name = name.removeprefix("file:").partition("?")[0].removeprefix("//")
    try:
        return os.path.realpath(name)
    except ValueError:  # no path: a name with a zero
        return name


def _is_runtime(frame: FrameType | None) -> bool:
    """Whether the runtime's code asks, itself or through a library; else a package's does."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_RUNTIME):
            return True
        if not file.startswith(("<frozen", *_LIBRARIES)):
            return False
        frame = frame.f_back
    return False
