"""`Manifest`: what a backup says it holds, and the check that it may be believed."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from agents.errors import DatabaseError
from agents.storage.archive import Kind

DATABASE = "database.db"
"""The name of the database in a backup: a SQLite file, whatever it was copied from."""
MANIFEST = "manifest.json"
MOST_BYTES = 64 * 1024**2
"""Largest manifest: half a million files."""
KEY = "visitor-key"
"""The name of the key of visitors' cookies in a backup; it lies beside the database under another one."""

_RESERVED = re.compile(r"[\x00-\x1f\\:]")


class StoredFile(BaseModel):
    """A file of a backup.

    Attributes:
        path: Its name in the backup: `DATABASE`, `KEY`, or a folder and a path in it, with slashes.
        size: Its bytes.
        sha256: Their hash, in hexadecimal digits.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    @field_validator("path")
    @classmethod
    def _within(cls, path: str) -> str:
        """A path that leads nowhere else, on any system."""
        parts = PurePosixPath(path).parts
        if not parts or path != "/".join(parts) or ".." in parts or path.startswith("/") or _RESERVED.search(path):
            raise ValueError(f"{path[:100]!r} is no path within a backup")
        return path


class Manifest(BaseModel):
    """What a backup holds.

    Attributes:
        format: Says that it is a backup.
        version: Of the format.
        made_by: The version of the playground that made it.
        made_at: When, in seconds since the epoch.
        records: How many records of each kind the database has.
        files: Its files.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: Literal["agent-playground-backup"] = "agent-playground-backup"
    version: Literal[1] = 1
    made_by: str
    made_at: float
    records: dict[Kind, int]
    files: tuple[StoredFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(one.size for one in self.files)

    @property
    def folders(self) -> set[str]:
        """The names of its folders."""
        return {one.path.partition("/")[0] for one in self.files if "/" in one.path}


def read_manifest(text: bytes, name: str) -> Manifest:
    """The manifest in a text.

    Raises:
        DatabaseError: It is none, is of a later version, or names a file outside of the backup or twice.
    """
    try:
        found = Manifest.model_validate_json(text)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"]))
        if problem["loc"] == ("version",):
            why = "a later version of Agent Playground made it. Restore it with that version"
        else:
            why = f"its list of contents is wrong ({where}: {problem['msg']}). Take another one"
        raise DatabaseError(f"{name} cannot be restored: {why}. Nothing was written.") from None
    paths = [one.path.casefold() for one in found.files]
    if len(set(paths)) < len(paths) or DATABASE not in paths:
        raise DatabaseError(f"{name} cannot be restored: it has no database, or a file twice. Nothing was written.")
    return found
