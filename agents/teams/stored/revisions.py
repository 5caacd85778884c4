"""The revisions of one team: texts by their hash, and for each revision which files it has.

They lie in a hidden folder of the team's own, so that they move with it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from agents.errors import TeamError
from agents.teams.stored.files import replace_file

FOLDER = ".revisions"
_WRITTEN = "written"
_LONGEST_NOTE = 200


@dataclass(frozen=True, slots=True)
class TeamRevision:
    """A revision of a team.

    Attributes:
        number: From 1.
        saved_at: Seconds since the epoch.
        note: What was done, in a few words.
        hashes: The hash of each file's text, by its path.
    """

    number: int
    saved_at: float
    note: str
    hashes: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


class Revisions:
    """The revisions of the team in a folder. Any call may raise an `OSError`; the caller holds the teams' lock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER

    def newest(self) -> TeamRevision | None:
        """The newest one; None if there is none yet."""
        return self.at(number) if (number := max(self._numbers(), default=0)) else None

    def all(self) -> list[TeamRevision]:
        """All of them, newest first."""
        found: list[TeamRevision] = []
        for number in sorted(self._numbers(), reverse=True):
            with suppress(TeamError):
                found.append(self.at(number))
        return found

    def at(self, number: int) -> TeamRevision:
        """One of them.

        Raises:
            TeamError: There is none of that number, or it cannot be read.
        """
        file = self._file(number)
        try:
            said: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            return TeamRevision(number, float(said["saved_at"]), str(said["note"]), dict(said["files"]))
        except FileNotFoundError:
            raise TeamError(f"There is no revision {number} of this team.") from None
        except (ValueError, KeyError, TypeError):
            raise TeamError(f"{file} holds no revision any more. Restore an earlier one.") from None

    def files(self, revision: TeamRevision) -> dict[str, str]:
        """The files of a revision: path → text."""
        return {path: (self.folder / hash_).read_bytes().decode() for path, hash_ in revision.hashes.items()}

    def add(self, files: Mapping[str, str], note: str) -> TeamRevision:
        """Adds a revision. It is there once the last file of it is."""
        self.folder.mkdir(parents=True, exist_ok=True)
        hashes = hashes_of(files)
        for path, hash_ in hashes.items():
            if not (self.folder / hash_).exists():
                replace_file(self.folder / hash_, files[path], beside=self.folder)
        number, saved_at = max(self._numbers(), default=0) + 1, time.time()
        note = note[:_LONGEST_NOTE].encode(errors="replace").decode()
        said = json.dumps({"saved_at": saved_at, "note": note, "files": hashes}, ensure_ascii=False, indent=1)
        replace_file(self._file(number), said, beside=self.folder)
        return TeamRevision(number, saved_at, note, hashes)

    @property
    def written(self) -> int | None:
        """The number of the revision that the team's folder was last brought to; None if that is not known."""
        try:
            return int((self.folder / _WRITTEN).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None

    def note_written(self, number: int) -> None:
        """Notes that the team's folder has the files of a revision."""
        replace_file(self.folder / _WRITTEN, str(number), beside=self.folder)

    def _file(self, number: int) -> Path:
        return self.folder / f"{number:06}.json"

    def _numbers(self) -> list[int]:
        return [int(file.stem) for file in self.folder.glob("*.json") if file.stem.isdecimal()]


def hashes_of(files: Mapping[str, str]) -> dict[str, str]:
    """The hash of each file's text, by its path."""
    return {path: sha256(text.encode()).hexdigest() for path, text in sorted(files.items())}
