"""`playground demo collapse --figures`: does the lab run of a demo in a folder of its own, and prints what it shows."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.lab import CLOSED_WORLD, Lab, Progress
from ui.demo.lab.demos import LAB_DEMOS


def print_figures(name: str) -> int:
    """Runs and prints; progress goes to standard error, if that is a terminal.

    Args:
        name: The demo.

    Returns:
        The exit code.
    """
    demo = LAB_DEMOS[name]
    with TemporaryDirectory(prefix="playground-demo-") as folder:
        active = Lab(Path(folder)).begin(demo.description, parts=demo.parts())
        with asyncio.run(active.run(_tell)) as run:
            lines = demo.figures(run)
    print("\n".join([*lines, CLOSED_WORLD]))
    return 0


def _tell(progress: Progress) -> None:
    if sys.stderr.isatty():
        end = "\n" if progress.done == progress.total else ""
        print(f"\r{progress.done:,} of {progress.total:,} answers", end=end, file=sys.stderr, flush=True)
