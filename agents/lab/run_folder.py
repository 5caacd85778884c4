"""The folder of a run, below that of the Lab: made, found, deleted, or copied from elsewhere."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.errors import LabError, known
from agents.lab.plan.origin import Origin, read_run_file, write_run_file

RUN_FILE, DATABASE = "run.toml", "run.db"
DELETED = ".deleted"
"""Where the folders of deleted runs are, below that of the Lab."""
_MOST_RUNS_OF_A_NAME = 10_000
_MOST_NAMED = 20
"""Runs that an error names."""


def run_names(lab: Path) -> list[str]:
    """The names of all runs, in order; also of those that cannot be read."""
    return sorted(found.parent.name for found in lab.glob(f"*/{RUN_FILE}"))


def found_folder(lab: Path, name: str) -> Path:
    """The folder of a run.

    Raises:
        LabError: There is no such run.
    """
    folder = lab / name
    try:
        is_there = name != ".." and folder.parent == lab and (folder / RUN_FILE).is_file()
    except OSError:  # a name that is too long for a folder
        is_there = False
    if not is_there:
        names = run_names(lab)
        more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
        raise LabError(f"There is no lab run {name!r} in {lab}. There are: {known(names[:_MOST_NAMED])}{more}.")
    return folder


def new_folder(lab: Path, name: str) -> Path:
    """Makes the folder of a new run; with a number, if other runs have its name.

    Raises:
        LabError: It cannot be made.
    """
    for number in range(1, _MOST_RUNS_OF_A_NAME):
        folder = lab / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise LabError(f"The folder {folder} of the run cannot be made: {error.strerror}.") from error
        return folder
    raise LabError(f"There are too many runs called {name!r}. Choose another name.")


def delete_folder(lab: Path, name: str) -> str:
    """Moves the folder of a run to those of deleted ones, and returns its name there.

    Raises:
        LabError: There is no such run, or its folder cannot be moved.
    """
    return _moved(found_folder(lab, name), lab / DELETED, name)


def restore_folder(lab: Path, deleted: str, name: str) -> str:
    """Moves the folder of a deleted run back, and returns the run's name: with a number, if another run has it now.

    Raises:
        LabError: There is no such deleted run, or its folder cannot be moved.
    """
    return _moved(found_folder(lab / DELETED, deleted), lab, name)


def _moved(folder: Path, to: Path, name: str) -> str:
    place = new_folder(to, name)
    try:
        place.rmdir()  # not every system puts a folder in the place of an empty one
        folder.rename(place)
    except OSError as error:
        raise LabError(f"The folder {folder} of the run cannot be moved to {place}: {error.strerror}.") from error
    return place.name


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
