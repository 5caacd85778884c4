"""The folder of a run, below that of the Lab."""

from __future__ import annotations

from pathlib import Path

from agents.errors import LabError, known

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
