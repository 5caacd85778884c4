"""What may be in a team: text files of a few kinds, by paths that stay in its folder and that any system can have."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from agents.errors import TeamError
from agents.teams.team_files import ROOT

MOST_FILES = 500
MOST_BYTES = 10_000_000
"""Bytes of all files together."""
LARGEST = 1_000_000
"""Bytes of one file."""
ENDINGS = (".yaml", ".yml", ".py", ".md", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".toml")
STARTS = (ROOT, "agent.py")
_DEEPEST = 5
_PART = re.compile(r"[\w-][\w .+-]{0,99}")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def is_hidden(path: str) -> bool:
    """Whether a path is left alone: hidden files, which may hold keys, and caches."""
    return any(part.startswith(".") or part in ("__pycache__", "__MACOSX") for part in path.split("/"))


def path_problem(path: str) -> str:
    """Why a team can have no file of that path; "" if it can."""
    parts = path.split("/")
    if len(parts) > _DEEPEST or is_hidden(path) or not all(map(_may_be_named, parts)):
        return (
            f"{path[:100]!r} cannot be a file of a team. Use letters, digits, spaces and . _ - + with a slash between "
            f"folders: at most {_DEEPEST} parts, none hidden, inside the team's folder."
        )
    return "" if path.endswith(ENDINGS) else f"{path!r} is no file of a team, which end in {', '.join(ENDINGS)}."


def checked(files: Mapping[str, str]) -> dict[str, str]:
    """Files that can be those of a team, with line feeds alone.

    Raises:
        TeamError: One cannot, or they are too many, too large, or without a `root_agent.yaml`.
    """
    files = {path: text.removeprefix("\ufeff").replace("\r\n", "\n") for path, text in files.items()}
    total = 0
    for path, text in files.items():
        if problem := path_problem(path):
            raise TeamError(problem)
        size = len(_encoded(path, text))
        check_size(path, size)
        total += size
    check_total(len(files), total)
    if len({path.casefold() for path in files}) < len(files):
        raise TeamError("Two files have names that differ in capitals alone, which not every system can keep. Rename one.")
    if not any(start in files for start in STARTS):
        raise TeamError(f"A team begins with {ROOT}, and there is none among its files. Add one.")
    return files


def check_size(path: str, size: int) -> None:
    """Raises a TeamError for a file that is too large."""
    if size > LARGEST:
        raise TeamError(f"{path} has {size:,} bytes; a file of a team may have {LARGEST:,}.")


def check_total(count: int, size: int) -> None:
    """Raises a TeamError for too many files, or too many bytes in them."""
    if count > MOST_FILES or size > MOST_BYTES:
        raise TeamError(f"A team has at most {MOST_FILES} files of {MOST_BYTES // 1_000_000} MB together.")


def decoded(path: str, content: bytes) -> str:
    """The text of a file, with line feeds alone.

    Raises:
        TeamError: It is not UTF-8.
    """
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise TeamError(f"{path} is not text in UTF-8. Save it as UTF-8.") from None


def files_in(folder: Path) -> dict[str, str]:
    """The files of a team in its folder; what is none, such as links, pictures and hidden files, is left out.

    Raises:
        TeamError: A file is not UTF-8.
        OSError: One cannot be read.
    """
    return {path: decoded(path, (folder / path).read_bytes()) for path in sorted(_paths_in(folder))[:MOST_FILES]}


def replace_file(file: Path, text: str, *, beside: Path) -> None:
    """Writes a file, whole or not at all; `beside` is a folder on the same disk for what is not finished.

    Raises:
        OSError: It cannot be written.
    """
    handle, made = tempfile.mkstemp(dir=beside, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(text.encode())
            opened.flush()
            os.fsync(handle)
        Path(made).chmod(0o644)
        file.parent.mkdir(parents=True, exist_ok=True)
        Path(made).replace(file)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise


def _paths_in(folder: Path) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        below = Path(place).relative_to(folder).as_posix()
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        for name in names:
            path = name if below == "." else f"{below}/{name}"
            if not path_problem(path):
                found = (Path(place) / name).lstat()
                if stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST:
                    yield path


def _may_be_named(part: str) -> bool:
    return bool(_PART.fullmatch(part)) and not part.endswith((" ", ".")) and not _DEVICES.fullmatch(part)


def _encoded(path: str, text: str) -> bytes:
    try:
        content = text.encode()
    except UnicodeEncodeError:
        raise TeamError(f"{path} holds half a character, which no file can hold. Remove it.") from None
    if b"\0" in content:
        raise TeamError(f"{path} holds a null character, so it is no text. Remove it.")
    return content
