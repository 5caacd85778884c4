"""Restores a backup to a place where nothing is, and verifies all of it before it appears there."""

from __future__ import annotations

import hashlib
import os
import shutil
import zlib
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from agents.errors import DatabaseError
from agents.storage.address import Database, PostgresAddress, folder_beside
from agents.storage.archive import Progress
from agents.storage.backup.manifest import DATABASE, KEY, MANIFEST, MOST_BYTES, Manifest, StoredFile, read_manifest
from agents.storage.backup.write import appearing
from agents.storage.sqlite.copied_file import check_whole
from agents.storage.stores import copy_database, count_records

_CHUNK = 1024 * 1024


def restore_backup(
    file: Path, database: Database, *, folders: Mapping[str, Path], key: Path | None, progress: Progress
) -> Manifest:
    """Restores a backup: all of it is read and compared before anything gets its name.

    Args:
        file: The backup.
        database: Where the database shall be: a file that is not there, or a PostgreSQL database with nothing in it.
        folders: Where its folders shall be, by their names in the backup; they are not there, or empty.
        key: Where the key of visitors' cookies shall be, or None to leave it out.
        progress: Called as the database is read.

    Returns:
        What was restored.

    Raises:
        DatabaseError: It is no backup, it is damaged, or there is something where it shall be. Then nothing was written.
    """
    _check_place(database, folders, key, progress)
    beside = folder_beside(database)
    beside.mkdir(parents=True, exist_ok=True)
    try:
        with ZipFile(file) as archive, TemporaryDirectory(prefix=".playground-restore-", dir=beside) as scratch:
            found = _manifest(archive, file)
            if unknown := found.folders - folders.keys():
                raise DatabaseError(
                    f"{file} has folders that this version does not know: {', '.join(sorted(unknown))[:200]}."
                )
            _check_space(found, Path(scratch))
            for one in found.files:
                _extract(archive, one, Path(scratch) / one.path, file)
            _verify(Path(scratch), found, file, progress)
            _place(Path(scratch), database, folders=folders, key=key, progress=progress)
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise DatabaseError(f"{file} is no backup, or it is damaged ({error}). Nothing was written.") from error
    except OSError as error:
        raise DatabaseError(f"{file} cannot be restored to {database}: {error}. Check the folder and its disk.") from error
    return found


def _check_place(database: Database, folders: Mapping[str, Path], key: Path | None, progress: Progress) -> None:
    """Nothing is overwritten."""
    files = (*([database] if isinstance(database, Path) else ()), *([key] if key else ()))
    taken = [str(path) for path in files if os.path.lexists(path)]
    taken += [str(path) for path in folders.values() if os.path.lexists(path) and (not path.is_dir() or any(path.iterdir()))]
    if isinstance(database, PostgresAddress) and any(count_records(database, progress).values()):
        taken.append(str(database))
    if taken:
        raise DatabaseError(
            f"{taken[0]} is there already, and a restore overwrites nothing. Choose an empty folder: give --db a "
            "file in it, or --data that folder."
        )


def _manifest(archive: ZipFile, file: Path) -> Manifest:
    try:
        with archive.open(MANIFEST) as listed:
            text = listed.read(MOST_BYTES + 1)
    except KeyError:
        raise DatabaseError(f"{file} is no backup of Agent Playground: it has no {MANIFEST}. Nothing was written.") from None
    if len(text) > MOST_BYTES:
        raise DatabaseError(f"{file} cannot be restored: its list of contents is too long. Nothing was written.")
    return read_manifest(text, str(file))


def _check_space(found: Manifest, folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if found.size > free:
        raise DatabaseError(
            f"The backup says that it holds {found.size / 1e9:,.1f} GB, and {folder.parent} has {free / 1e9:,.1f} GB free. "
            "Free some space, or choose another disk. Nothing was written."
        )


def _extract(archive: ZipFile, one: StoredFile, target: Path, file: Path) -> None:
    """Writes one file, no more of it than is listed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    try:
        with archive.open(one.path) as source, target.open("xb") as into:
            while size <= one.size and (chunk := source.read(min(_CHUNK, one.size + 1 - size))):
                into.write(chunk)
                digest.update(chunk)
                size += len(chunk)
    except KeyError:
        size = -1
    if (size, digest.hexdigest()) != (one.size, one.sha256):
        raise DatabaseError(
            f"{file} is damaged: {one.path!r} is not what its list of contents says. Nothing was written. Take another one."
        )


def _verify(scratch: Path, found: Manifest, file: Path, progress: Progress) -> None:
    check_whole(scratch / DATABASE)
    counted = count_records(scratch / DATABASE, progress)
    if counted != {kind: found.records.get(kind, 0) for kind in counted}:
        raise DatabaseError(f"{file} is damaged: its database has other records than it says. Nothing was written.")


def _place(scratch: Path, database: Database, *, folders: Mapping[str, Path], key: Path | None, progress: Progress) -> None:
    """Gives everything its place, the database last: without it, nothing was restored."""
    for name, folder in folders.items():
        if (scratch / name).is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            if folder.exists():
                folder.rmdir()
            (scratch / name).rename(folder)
    if key is not None and (scratch / KEY).is_file():
        key.parent.mkdir(parents=True, exist_ok=True)
        (scratch / KEY).chmod(0o600)
        shutil.move(scratch / KEY, key)
    if isinstance(database, PostgresAddress):
        copy_database(scratch / DATABASE, database, progress)
        return
    database.parent.mkdir(parents=True, exist_ok=True)  # it may be on another disk than the folders
    with appearing(database) as draft:
        shutil.copyfile(scratch / DATABASE, draft)
