"""How long it takes to import something, in a fresh interpreter that has its bytecode ready."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_CODE = "import time; started = time.perf_counter(); {}; print(time.perf_counter() - started)"


def import_time(statement: str) -> float:
    """Seconds from the start of an import statement to its end; starting the interpreter is not in it."""
    answer = subprocess.run(
        [sys.executable, "-c", _CODE.format(statement)], cwd=ROOT, env=environment(), capture_output=True, check=True
    )
    return float(answer.stdout)


def environment() -> dict[str, str]:
    """The environment of a process to measure in: one that does not compile everything again at each import."""
    unwanted = {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT"}
    return {name: value for name, value in os.environ.items() if name not in unwanted}
