"""Starts the processes that are measured, each in its own environment, and asks them to do things.

google-adk needs an older google-genai than this project, so it cannot be installed beside it: uv makes a throw-away
environment of the locked `bench` group, and takes it away when the process ends.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.benchmarks.imports import ROOT, environment
from tests.benchmarks.sides import Name

PATIENCE = 10.0


class WorkerError(Exception):
    """A measured process could not be started, or ended early."""


class Process:
    """The process of one side.

    Args:
        name: Which side.
        folder: Where its databases go.

    Raises:
        WorkerError: It cannot be started.
    """

    def __init__(self, name: Name, folder: Path) -> None:
        self.name = name
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  closed in __exit__
        self._process = subprocess.Popen(
            [*python_of(name), "-m", "tests.benchmarks.worker", name, str(folder)],
            cwd=ROOT,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def ask(self, what: str, /, **arguments: Any) -> Any:
        """Has one thing done and returns the answer.

        Raises:
            WorkerError: The process ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"do": what, "with": arguments}) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            self._errors.seek(0)
            raise WorkerError(f"The process of {self.name!r} ended while it was asked to {what!r}:\n{self._errors.read()}")
        return json.loads(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(PATIENCE)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()


def python_of(name: Name) -> list[str]:
    """The command that runs Python where a side is installed.

    Raises:
        WorkerError: uv is not installed.
    """
    if name == "ours":
        return [sys.executable]
    uv = os.environ.get("UV") or shutil.which("uv")
    if uv is None:
        raise WorkerError(
            "google-adk is measured in an environment that uv makes, and uv was not found. Install it: pip install uv."
        )
    return [uv, "run", "--isolated", "--frozen", "--quiet", "--only-group", "bench", "--python", sys.executable, "python"]
