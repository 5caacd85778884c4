"""What the commands of `playground lab` do."""

from __future__ import annotations

import asyncio
import json
import logging
import shlex
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents import PersonError
from agents.lab import (
    ActiveRun,
    Lab,
    LabDescription,
    LabRun,
    Parts,
    Progress,
    RayExecutor,
    export_run,
    lab_folder,
    read_description,
    report_page,
    report_rows,
)
from ui.cli.lab import report
from ui.text.visible_text import visible_line

STOPPED = 1
_MINUTE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be done.

    Attributes:
        action: The command after `lab`.
        names: A description's file, or names of runs.
        as_json: Whether to print JSON.
        target: The file or folder that is written; "" where results are printed.
        database: The database that the runs are beside.
        agents_dir: A folder with more pipelines.
        options: The options for another command to find the same runs.
        ray: The address of the Ray cluster that works on the samples; "" for this process.
    """

    action: str
    names: tuple[str, ...]
    as_json: bool
    target: str
    database: Path
    agents_dir: Path | None
    options: str
    ray: str = ""


def run_lab(wanted: Wanted) -> int:
    """Does it.

    Returns:
        The exit code.

    Raises:
        PersonError: A run or its description cannot be used.
    """
    logging.getLogger("agents").addHandler(logging.NullHandler())  # what goes wrong with a sample is in its result
    lab = Lab(lab_folder(wanted.database), database=wanted.database, agents_dir=wanted.agents_dir)
    match wanted.action:
        case "run":
            path = Path(wanted.names[0]).expanduser()
            text = read_description(path)
            LabDescription.from_toml(text, file=str(path))  # its errors name the file
            return _work(lambda parts: lab.begin(text, beside=path.absolute().parent, parts=parts), wanted)
        case "resume":
            return _work(lambda parts: lab.resume(wanted.names[0], parts=parts), wanted)
        case "report" if wanted.target:
            _write_page(lab, wanted)
        case "export":
            export_run(lab, wanted.names[0], Path(wanted.target).expanduser())
            print(visible_line(f"Wrote {wanted.target}."), file=sys.stderr)
        case "report":
            with lab.open(wanted.names[0]) as run:
                _print(report_rows(run) if wanted.as_json else report.report_lines(run), wanted)
        case "compare":
            with lab.open(wanted.names[0]) as run, lab.open(wanted.names[1]) as other:
                _print(report.compare_rows(run, other) if wanted.as_json else report.compare_lines(run, other), wanted)
        case _:
            _print(report.list_rows(lab.runs()) if wanted.as_json else report.list_lines(lab.runs(), lab.folder), wanted)
    return 0


def _write_page(lab: Lab, wanted: Wanted) -> None:
    page = report_page(lab, wanted.names[0])
    try:
        with Path(wanted.target).expanduser().open("x", encoding="utf-8", newline="\n") as file:
            file.write(page)
    except FileExistsError:
        raise PersonError(f"{wanted.target!r} is there already and is not overwritten. Give --html another name.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise PersonError(f"The file {wanted.target!r} cannot be written: {why}. Give --html another name.") from None
    print(visible_line(f"Wrote {wanted.target}."), file=sys.stderr)


def _work(opened: Callable[[Parts], ActiveRun], wanted: Wanted) -> int:
    """Works on a run until it ends or is stopped, and prints its results so far."""
    try:
        run = asyncio.run(_worked(opened, wanted.ray))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    with run:
        _print(report_rows(run) if wanted.as_json else report.report_lines(run), wanted)
        if run.status == "finished":
            return 0
        name = shlex.quote(run.name)
        print(f"Stopped. Go on with: playground lab resume {name}{wanted.options}", file=sys.stderr)
        return STOPPED


async def _worked(opened: Callable[[Parts], ActiveRun], ray: str) -> LabRun:
    """Works on a run in this process, or on a cluster."""
    if not ray:
        return await _until_stopped(opened(Parts()))
    print(visible_line(f"Connecting to the Ray cluster {ray!r} …"), file=sys.stderr)
    async with RayExecutor(ray) as execute:
        return await _until_stopped(opened(Parts(execute=execute)))


async def _until_stopped(active: ActiveRun) -> LabRun:
    """The first Ctrl-C lets the samples finish that are being worked on, the second one does not."""
    told = _Line(active.name)
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    asked: list[bool] = []

    def stop() -> None:
        if asked and task is not None:
            task.cancel()
        asked.append(True)
        active.stop()

    with suppress(NotImplementedError, RuntimeError):  # not every platform has signals for a loop
        loop.add_signal_handler(signal.SIGINT, stop)
    try:
        return await active.run(told)
    finally:
        told.end()


class _Line:
    """One line on a terminal's standard error with the progress; nothing where there is no terminal."""

    def __init__(self, name: str) -> None:
        self._name, self._is_shown = visible_line(name), sys.stderr.isatty()
        self._width = 0

    def __call__(self, progress: Progress) -> None:
        if self._is_shown:
            left = "" if progress.seconds_left is None else f", {_time(progress.seconds_left)} left"
            place = f"{visible_line(progress.arm)}, seed {progress.seed}"
            text = f"{self._name}: {progress.done:,} of {progress.total:,} samples{left} ({place})"
            print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(text)

    def end(self) -> None:
        """Leaves the line as it is."""
        if self._width:
            print(file=sys.stderr)


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 2 * _MINUTE else f"{seconds / _MINUTE:.0f} min"


def _print(lines: Iterable[str | dict[str, Any]], wanted: Wanted) -> None:
    for line in lines:
        print(json.dumps(line, ensure_ascii=False) if wanted.as_json else line)
