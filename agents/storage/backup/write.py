"""Writes a backup: one zip file that appears under its name when it is whole."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from agents.errors import DatabaseError
from agents.storage.address import Database
from agents.storage.archive import Kind, Progress
from agents.storage.backup.manifest import DATABASE, KEY, MANIFEST, Manifest, StoredFile
from agents.storage.sqlite.copied_file import copied_file, is_sqlite
from agents.storage.stores import copy_database

_CHUNK = 1024 * 1024
_FAST = 1
"""Of zlib's levels: a database is a third as large then, and higher ones take three times as long for a tenth less."""
_BESIDE_A_DATABASE = ("-wal", "-shm", "-journal")


def write_backup(
    database: Database, target: Path, *, folders: Mapping[str, Path], key: Path | None, progress: Progress
) -> tuple[Path, Manifest]:
    """Writes a backup, also while others write to the database and the folders.

    The database is copied as it is at one moment, and each record is read back; each file of the folders as it is when it is
    read. Links are left out.

    Args:
        database: What is copied; it is only read.
        target: The file to make, or a folder that exists: the file is then named by the time.
        folders: Folders that belong to the database, by their names in the backup; they need not exist.
        key: The file with the key of visitors' cookies, or None; it need not exist.
        progress: Called as the database is copied.

    Returns:
        The file, and what it holds.

    Raises:
        DatabaseError: The database cannot be read, or there is such a file already.
    """
    if target.is_dir():
        target = target / f"playground-{time.strftime('%Y%m%d-%H%M%S')}.zip"
    if os.path.lexists(target):
        raise DatabaseError(f"{target} is there already, and no backup overwrites a file. Choose another name, or a folder.")
    with TemporaryDirectory(prefix=".playground-backup-", dir=target.parent) as folder:
        copied = Path(folder) / DATABASE
        records: dict[Kind, int] = {one.kind: one.added for one in copy_database(database, copied, progress)}
        with (
            appearing(target) as draft,
            draft.open("wb") as raw,
            ZipFile(raw, "w", ZIP_DEFLATED, compresslevel=_FAST) as out,
        ):
            files = [_add(out, DATABASE, copied)]
            if key is not None and key.is_file():
                files.append(_add(out, KEY, key))
            files += [one for name, path in _beside(folders) if (one := _added(out, name, path, Path(folder))) is not None]
            made = Manifest(
                made_by=version("multi-agent-playground"), made_at=time.time(), records=records, files=tuple(files)
            )
            out.writestr(MANIFEST, made.model_dump_json(indent=1))
    return target, made


@contextmanager
def appearing(target: Path) -> Generator[Path, None, None]:
    """Gives a file beside the target, for its owner alone, that takes the target's name in the end; never over another one.

    Raises:
        DatabaseError: There is a file of that name.
    """
    draft = target.with_name(f".{target.name}.{token_hex(4)}.part")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield draft
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        try:
            os.link(draft, target)
        except FileExistsError:
            raise DatabaseError(f"{target} was made by another program meanwhile. It was left as it is.") from None
        except OSError:  # a file system without links
            if os.path.lexists(target):
                raise DatabaseError(f"{target} was made by another program meanwhile. It was left as it is.") from None
            draft.rename(target)
    finally:
        draft.unlink(missing_ok=True)


def _beside(folders: Mapping[str, Path]) -> Iterator[tuple[str, Path]]:
    for name, folder in folders.items():
        for at, inner, files in os.walk(folder):
            inner.sort()
            for path in sorted(Path(at) / file for file in files):
                if not path.is_symlink() and not path.name.endswith(_BESIDE_A_DATABASE):
                    yield f"{name}/{path.relative_to(folder).as_posix()}", path


def _added(out: ZipFile, name: str, path: Path, folder: Path) -> StoredFile | None:
    """Adds a file, a database as it is at one moment; None if it is gone meanwhile."""
    try:
        if not is_sqlite(path):
            return _add(out, name, path) if path.is_file() else None
        with copied_file(path, folder) as copied:
            return _add(out, name, copied)
    except FileNotFoundError:
        return None


def _add(out: ZipFile, name: str, path: Path) -> StoredFile:
    digest, size = hashlib.sha256(), 0
    info = ZipInfo(name, time.localtime()[:6])
    info.compress_type, info.external_attr = ZIP_DEFLATED, 0o600 << 16
    with path.open("rb") as source, out.open(info, "w", force_zip64=True) as into:
        while chunk := source.read(_CHUNK):
            into.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return StoredFile(path=name, size=size, sha256=digest.hexdigest())
