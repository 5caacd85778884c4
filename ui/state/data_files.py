"""Data files that users upload. They are kept beside the runs, where descriptions name them without a path."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from agents import DataSetError
from agents.access import Action
from ui.state import runs

SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
MOST_OF_A_NAME = 10_000
_LONGEST = 100
"""Bytes of a name, which file systems count."""


def folder() -> Path:
    """The folder; it need not exist."""
    return runs.workspace().data_files


def kept() -> list[str]:
    """The names of the files, in order."""
    place = folder()
    return sorted(path.name for path in place.iterdir() if path.is_file()) if place.is_dir() else []


def keep(name: str, content: bytes) -> str:
    """Keeps a file, and returns its name: another one if that is taken by other content.

    Args:
        name: The file's name, as the browser says it.
        content: Its content.

    Raises:
        DataSetError: It is empty, of another kind, or cannot be written.
        NotPermittedError: The user may not upload files.
    """
    runs.manager().require(Action.UPLOAD)
    path = Path(unicodedata.normalize("NFC", name.replace("\\", "/"))).name
    stem = "".join(sign if sign.isalnum() or sign in " ._()-" else "_" for sign in Path(path).stem).strip(" .")
    stem = stem.encode()[:_LONGEST].decode(errors="ignore").strip(" .")
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise DataSetError(f"{path[:_LONGEST]!r} is no data file. Files end with {', '.join(SUFFIXES)}.")
    if not content.strip():
        raise DataSetError(f"{path[:_LONGEST]!r} is empty. Write a question and its answer on each line.")
    return _written(stem or "data", suffix, content)


def _written(stem: str, suffix: str, content: bytes) -> str:
    place = folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
        for number in range(1, MOST_OF_A_NAME):
            path = place / (f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}")
            try:
                _write_new(path, content)
            except FileExistsError:
                if path.is_file() and path.read_bytes() != content:
                    continue
            return path.name
    except OSError as error:
        raise DataSetError(f"The file cannot be kept in {place}: {error.strerror}.") from error
    raise DataSetError(f"There are too many files called {stem!r}. Rename yours.")


def _write_new(path: Path, content: bytes) -> None:
    """Writes a file that is not there yet; nothing of it stays if that fails, e.g. on a full disk."""
    with path.open("xb") as file:
        try:
            file.write(content)
            file.flush()
        except OSError:
            path.unlink(missing_ok=True)
            raise
