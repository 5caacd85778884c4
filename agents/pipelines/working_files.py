"""A folder of text files that belongs to one session: file tools read and write in it and nowhere else.

Every rule is about names and sizes, so that it holds for any request of a model.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import tempfile
import threading
import unicodedata
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from agents.access import OWNER
from agents.config import files_folder
from agents.errors import ToolError, known
from agents.runtime.context import ReadonlyContext

MAX_FILES = 100
MAX_FILE_BYTES = 64 * 1024
MAX_NAME_BYTES = 100
"""Most bytes of one part of a path, between slashes."""
MAX_DEPTH = 4
_MAX_PATH = 2 * MAX_DEPTH * (MAX_NAME_BYTES + 1)

_PART = re.compile(r"[\w-](?:[\w .+-]*[\w+-])?")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_FOLDER = re.compile(r"[a-z0-9_-]{8,64}")
_NOT_IN_FOLDER = re.compile(r"[^a-z0-9_-]++")
_changing = threading.Lock()  # tools of one turn run in threads, and files are counted before one is added


class WorkingFiles:
    """Text files below `root`, by paths such as "notes/today.md".

    A path never leads out of `root`: not by "..", not as an absolute one, and not over a link, wherever that points to.
    Hidden files are neither seen nor written. All of it is refused with a `ToolError`, which a model can read.

    Args:
        root: The folder; created at the first write.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def list(self) -> dict[str, int]:
        """Path → size in bytes of every file, by path."""
        with _told("the folder"):
            return dict(sorted(_files_below(self.root, "", MAX_DEPTH)))

    def read(self, path: str) -> str:
        """The text of a file.

        Raises:
            ToolError: There is none, it is no text, too long, or no path that may be used.
        """
        name, place = self._place(path)
        with _told(name):
            if not place.is_file():
                there_are = known(self.list())
                raise ToolError(f"There is no file {name!r}. There are: {there_are}.")
            if (size := place.stat().st_size) > MAX_FILE_BYTES:
                raise ToolError(f"{name!r} has {size} bytes; files of up to {MAX_FILE_BYTES} can be read.")
            try:
                return place.read_bytes().decode()
            except UnicodeDecodeError:
                raise ToolError(f"{name!r} is no text, so it cannot be read.") from None

    def write(self, path: str, text: str) -> bool:
        """Writes `text` to a file, replacing its content; missing folders are created. Whole or not at all.

        Returns:
            Whether the file is new.

        Raises:
            ToolError: Too long, too many files, no text, or no path that may be used.
        """
        name, place = self._place(path)
        data = _as_bytes(name, text)
        with _changing, _told(name):
            is_new = not place.exists()
            if is_new and len(self.list()) >= MAX_FILES:
                raise ToolError(f"There are {MAX_FILES} files already, the most there may be. Write into one of them.")
            if not is_new and not place.is_file():
                raise ToolError(f"{name!r} is a folder. Choose another name.")
            place.parent.mkdir(parents=True, exist_ok=True)
            _replace(place, data)
            return is_new

    def _place(self, path: str) -> tuple[str, Path]:
        """A path in its usual form, and where it is on disk, which no link is on the way to."""
        too_long = len(path) > _MAX_PATH  # looked at first: a long run of accents is normalised in quadratic time
        parts = [] if too_long else unicodedata.normalize("NFC", path).removeprefix("./").split("/")
        if not 0 < len(parts) <= MAX_DEPTH or not all(_may_be_named(part) for part in parts):
            raise ToolError(
                f"{_short(path)!r} cannot be used as a path. Use letters, digits, spaces and . _ - + with a slash between "
                f"folders, e.g. 'notes/today.md': at most {MAX_DEPTH} parts of {MAX_NAME_BYTES} bytes, none hidden."
            )
        name, place = "/".join(parts), self.root.joinpath(*parts)
        on_the_way = [place, *list(place.parents)[: len(parts) - 1]]
        # a junction of Windows is no symbolic link, so where the path ends is looked at too
        if any(step.is_symlink() for step in on_the_way) or not place.resolve().is_relative_to(self.root.resolve()):
            raise ToolError(f"{name!r} leads over a link, and links are not followed. Choose another path.")
        return name, place


def working_files_of(context: ReadonlyContext, seed: Path) -> WorkingFiles:
    """The workspace of a session.

    Args:
        context: Of a tool or callback that runs in the session.
        seed: A folder; the workspace begins as a copy of it.
    """
    session = context.session
    # The owner's are named by their session alone, as they were before there were other users.
    owned = _folder_name(session.id) if session.user_id == OWNER.id else _folder_name(session.user_id, session.id)
    root = files_folder() / _folder_name(session.app_name) / owned
    if not root.is_dir():
        _plant(seed, root)
    return WorkingFiles(root)


def _plant(seed: Path, root: Path) -> None:
    """Copies `seed` to `root`, all of it or nothing, even if others do the same meanwhile."""
    root.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root.parent, prefix=".new-") as made:
        copy = Path(made) / "files"
        shutil.copytree(seed, copy, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        try:
            copy.rename(root)
        except OSError:
            if not root.is_dir():
                raise


def _folder_name(*names: str) -> str:
    """A name itself if any file system can name a folder by it, else what can be kept of it and a hash of all."""
    if len(names) == 1 and _FOLDER.fullmatch(names[0]):
        return names[0]
    kept = _NOT_IN_FOLDER.sub("-", names[-1].lower())[:24].strip("-")
    return f"{kept}~{hashlib.sha256(repr(names).encode()).hexdigest()[:16]}"


def _may_be_named(part: str) -> bool:
    return bool(
        len(part.encode(errors="replace")) <= MAX_NAME_BYTES and _PART.fullmatch(part) and not _DEVICES.fullmatch(part)
    )


def _files_below(folder: Path, prefix: str, depth: int) -> Iterator[tuple[str, int]]:
    """Files that can be named, with their sizes; links and what they point to left out."""
    try:
        entries = os.scandir(folder)
    except FileNotFoundError:
        return
    with entries:
        for entry in entries:
            if not _may_be_named(entry.name):
                continue
            found = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(found.st_mode) and depth > 1:
                yield from _files_below(folder / entry.name, f"{prefix}{entry.name}/", depth - 1)
            elif stat.S_ISREG(found.st_mode):
                yield f"{prefix}{entry.name}", found.st_size


def _as_bytes(name: str, text: str) -> bytes:
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise ToolError(f"What is to be written to {name!r} holds half a character. Write whole ones.") from None
    if len(data) > MAX_FILE_BYTES:
        raise ToolError(f"{len(data)} bytes are too many for {name!r}: a file may have {MAX_FILE_BYTES}. Write less.")
    if b"\0" in data:
        raise ToolError(f"What is to be written to {name!r} is no text: it holds a null character.")
    return data


def _replace(place: Path, data: bytes) -> None:
    """Puts a whole file in place of the one that is there."""
    handle, written = tempfile.mkstemp(dir=place.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(written).replace(place)
    except BaseException:
        Path(written).unlink(missing_ok=True)
        raise


@contextmanager
def _told(name: str) -> Generator[None]:
    """Turns an error of the disk into one without the path."""
    try:
        yield
    except OSError as error:
        raise ToolError(f"{name!r} cannot be used: {error.strerror or type(error).__name__}.") from error


def _short(path: str) -> str:
    return path if len(path) <= MAX_NAME_BYTES else f"{path[: MAX_NAME_BYTES - 1]}…"
