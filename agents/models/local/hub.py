"""Fetches model files from the hub into the models folder.

`hub_download.py` speaks to the hub. Nothing is ever written outside of the models folder, over an existing file, or
without comparing its checksum.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import ModelFileError
from agents.models.local.catalogue import HubFile
from agents.models.local.gguf import GgufError, read_gguf

if TYPE_CHECKING:
    from agents.models.local.hub_download import Progress

_READ_STEP = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Pulled:
    """A file that is there now.

    Attributes:
        path: Where.
        sha256: Its checksum.
        file_bytes: Its size.
        already: Whether it was there before.
        verified: Whether there was a checksum to compare with.
    """

    path: Path
    sha256: str
    file_bytes: int
    already: bool
    verified: bool


def pull_file(wanted: HubFile, progress: Progress = lambda _done, _total: None) -> Pulled:
    """Fetches a file into the models folder; an earlier partial download is resumed.

    Args:
        wanted: The file.
        progress: Called from time to time with the progress.

    Returns:
        The file, which may have been there.

    Raises:
        ModelFileError: It cannot be fetched, is not what it should be, or another one of that name is there.
    """
    from agents.models.local.hub_download import Download

    target = wanted.target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with Download(wanted, target.with_name(f"{target.name}.part")) as download:
            if target.exists():
                return _there_already(target, wanted.sha256 or download.offered_sum)
            found = download.fetch(progress)
            _require_model(download.part, wanted)
            download.part.replace(target)
    except OSError as error:
        raise ModelFileError(
            f"The model file cannot be written to {target} ({error.strerror or error}). Check the folder's permissions and "
            "the free space, or name another folder with PLAYGROUND_MODELS. Then run the command again: it goes on where it "
            "was."
        ) from error
    return Pulled(target, found, target.stat().st_size, already=False, verified=bool(wanted.sha256 or download.offered_sum))


def _there_already(target: Path, expected: str | None) -> Pulled:
    found = sum_of(target)
    if expected and found != expected:
        raise ModelFileError(
            f"There is another file at {target}: its SHA-256 is {found}, and that of the hub's is {expected}. Nothing was "
            "fetched. Rename or delete the file, then run the command again."
        )
    return Pulled(target, found, target.stat().st_size, already=True, verified=expected is not None)


def _require_model(part: Path, wanted: HubFile) -> None:
    try:
        read_gguf(part)
    except GgufError as error:
        part.unlink()
        raise ModelFileError(
            f"What came from {wanted.shown_url} is no model file: it {error}. Nothing was kept. Check the name, and whether "
            "a proxy answers in the hub's place."
        ) from None


def sum_of(path: Path) -> str:
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_READ_STEP):
            digest.update(piece)
    return digest.hexdigest()
