"""`copy_run`: puts a run that was recorded elsewhere beside the runs of a Lab."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.errors import LabError
from agents.lab.plan.origin import Origin, read_run_file, write_run_file
from agents.lab.run_folder import RUN_FILE


def copy_run(source: Path, folder: Path, name: str) -> str:
    """Copies a run with all of its files, so that it is opened, reported and compared like any other one.

    Relative paths of its description start from the copy. A run that is there already is not copied again.

    Args:
        source: The run's folder. Nothing is written there.
        folder: Where the runs of a Lab are; it is made if it is missing.
        name: The name of the copy; a number is added if another run has it.

    Returns:
        The name that the copy has.

    Raises:
        LabError: The source is no run, or the copy cannot be written.
    """
    text, origin = read_run_file(source / RUN_FILE)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".copy-") as made:
            copy = Path(made) / name
            copy.mkdir()
            for one in source.iterdir():
                if one.is_file():
                    shutil.copyfile(one, copy / one.name)
            return _placed(copy, folder, text, origin)
    except OSError as error:
        raise LabError(f"The run {name!r} cannot be copied into {str(folder)!r}: {error.strerror}.") from error


def _placed(copy: Path, folder: Path, text: str, origin: Origin) -> str:
    """Moves the copy to the first free name, unless the run is there; the name that it has."""
    number = 1
    while True:
        target = folder / (copy.name if number == 1 else f"{copy.name}-{number}")
        write_run_file(copy / RUN_FILE, text, replace(origin, folder=str(target.absolute())))
        if _is_moved(copy, target) or _is_same_run(target, text, origin):
            return target.name
        number += 1


def _is_moved(copy: Path, target: Path) -> bool:
    """Moves a folder in one step, so that no half of a run is ever listed; False if another one is there."""
    try:
        copy.rename(target)
    except OSError:
        if target.exists():
            return False
        raise
    return True


def _is_same_run(target: Path, text: str, origin: Origin) -> bool:
    try:
        found, begun = read_run_file(target / RUN_FILE)
    except LabError:
        return False
    return found == text and replace(begun, folder="") == replace(origin, folder="")
