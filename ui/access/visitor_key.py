"""The key that signs the cookies of visitors and accounts. It outlives the server, so that a restart signs nobody out."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_BYTES = 32
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Process:
    path: Path | None = None
    shared: Callable[[], bytes] | None = None
    key: bytes = b""


_process = _Process()


def keep_beside(database: Path) -> None:
    """Names the database whose visitors they are: the file is beside it. Until then the key is this process's own."""
    from agents.runs import visitor_key_file

    _process.path, _process.shared, _process.key = visitor_key_file(database), None, b""


def share(key: Callable[[], bytes]) -> None:
    """Names the key of a database that is no file, which all of its servers share; see `Accounts.signing_key`."""
    _process.path, _process.shared, _process.key = None, key, b""


def key() -> bytes:
    """The key: read, or made when it is first used. If it cannot be kept, a restart makes all visitors new ones."""
    if not _process.key:
        if _process.shared is not None:
            _process.key = _process.shared()
        else:
            _process.key = _kept(_process.path) if _process.path is not None else secrets.token_bytes(_BYTES)
    return _process.key


def _kept(path: Path) -> bytes:
    made = secrets.token_bytes(_BYTES)
    try:
        with suppress(FileNotFoundError):
            if len(found := _read(path)) == _BYTES:
                return found
            path.unlink()  # cut off, e.g. by a full disk
        path.parent.mkdir(parents=True, exist_ok=True)
        return _written(path, made)
    except OSError as error:
        _log.warning(
            "The key of visitors' cookies cannot be kept in %s (%s): when this server is started again, users have to sign "
            "in, and visitors will not find their sessions. Make the folder writable for this account.",
            path,
            error.strerror,
        )
        return made


def _read(path: Path) -> bytes:
    """The key in a file; nobody else may read it from then on."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as file:
        if os.name != "nt" and os.fstat(descriptor).st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
        return file.read(_BYTES + 1)


def _written(path: Path, made: bytes) -> bytes:
    """Writes the key into a file that appears whole; returns the key of a server that was faster, if there is one."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(made)
        try:
            os.link(draft, path)
        except FileExistsError:
            return _read(path)
        return made
    finally:
        draft.unlink()
