"""Says why a path that the user named cannot be used. Reads the file system and changes nothing."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from agents.errors import DatabaseError

_TOO_LONG = "one of its names is longer than the file system allows. Choose a shorter one."
_LOOP = "links on the way lead round in a circle. Choose another path, or remove the link."


def check_database_path(path: Path) -> None:
    """Checks whether a database can be opened or created at `path`, as far as possible without doing it.

    Raises:
        DatabaseError: It cannot; the message says why.
    """
    if problem := file_problem(path):
        raise DatabaseError(f"The session database {path} cannot be used: {problem}")


def file_problem(path: Path) -> str:
    """Why no file can be opened or created at `path`; "" if one can.

    A missing folder on the way is no problem if it can be created.

    Returns:
        The reason and what to do, to follow "… cannot be used: ".
    """
    try:
        found = os.stat(path)  # noqa: PTH116  Path's own questions hide some of these errors
    except (OSError, ValueError) as error:
        return _missing_file(path) if isinstance(error, FileNotFoundError) else _reason(path, error)
    if stat.S_ISDIR(found.st_mode):
        return f"it is a folder. Name a file, e.g. {path / 'playground.db'}."
    return "" if stat.S_ISREG(found.st_mode) else "it is neither a file nor a folder. Choose another path."


def folder_problem(path: Path, *, may_be_missing: bool = False) -> str:
    """Why the folder at `path` cannot be read; "" if it can. As `file_problem`."""
    try:
        if not stat.S_ISDIR(os.stat(path).st_mode):  # noqa: PTH116  as above
            return "it is not a folder. Name the folder itself."
        os.listdir(path)  # noqa: PTH208  nothing is done with what is in it
    except FileNotFoundError:
        return _broken_link(path) or ("" if may_be_missing else "it does not exist. Check the path, or make the folder.")
    except (OSError, ValueError) as error:
        return _reason(path, error)
    return ""


def _missing_file(path: Path) -> str:
    if path.is_symlink():
        target = path.parent / path.readlink()
        return "" if target.parent.is_dir() else _broken_link(path)
    folder = next(place for place in path.absolute().parents if os.path.lexists(place))
    if not folder.is_dir():
        return _broken_link(folder) or f"{folder} is not a folder. Choose another path."
    if not _may(folder, os.W_OK | os.X_OK):
        return f"the folder {folder} cannot be written to. Change its permissions, or choose a file in another folder."
    return ""


def _broken_link(path: Path) -> str:
    """Names the target of a broken link; "" for anything else."""
    if not path.is_symlink():
        return ""
    return f"{path} is a link to {path.readlink()}, which does not exist. Make its target, or choose another path."


def _reason(path: Path, error: OSError | ValueError) -> str:
    match getattr(error, "errno", None):
        case None:
            return "its name holds a character that no file name can have. Choose another path."
        case errno.EACCES | errno.EPERM:
            closed = next((place for place in reversed(path.absolute().parents) if not _may_search(place)), path)
            return f"{closed} may not be looked into by this account. Change its permissions, or choose another path."
        case errno.ENOTDIR:
            file = next((place for place in reversed(path.absolute().parents) if place.is_file()), path.parent)
            return f"{file} is a file, not a folder. Choose another path."
        case errno.ENAMETOOLONG:
            return _TOO_LONG
        case errno.ELOOP:
            return _LOOP
        case _:
            return f"{getattr(error, 'strerror', None) or error}. Choose another path."


def _may_search(folder: Path) -> bool:
    try:
        return _may(folder, os.X_OK) or not folder.exists()
    except OSError:
        return False


def _may(folder: Path, mode: int) -> bool:
    return os.access(folder, mode, effective_ids=os.access in os.supports_effective_ids)
