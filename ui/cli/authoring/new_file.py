"""Writes files that were not there before."""

from __future__ import annotations

from pathlib import Path

from agents import PersonError


def write_new_file(path: Path, text: str) -> None:
    """Writes a file, and never over another one.

    Raises:
        PersonError: There is something of that name already, or the file cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise PersonError(f"There is a file {path} already. Change it, or move it away.") from None
    except OSError as error:
        raise PersonError(f"{path} cannot be written: {error.strerror}.") from None
