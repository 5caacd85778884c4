"""A users' file: names, roles and passwords in TOML, which `playground users` writes and a server reads when it changes.

A password is kept as its scrypt hash. Whoever may sign in, with which role, is what the file says now.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import os
import secrets
import threading
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agents.access.account_state import LONGEST_NAME, ROLES, Account, shown_name
from agents.access.users import Role
from agents.errors import AccountError

SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 1000
ISSUER = "the users' file"

_COST, _BLOCK, _LANES = 15, 8, 1
"""Of scrypt: 32 MB and some 0.1 s for one password."""
_MOST_COST, _MOST_BLOCK, _MOST_LANES, _MEMORY = 17, 16, 4, 512 * 1024 * 1024
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A user of the file.

    Attributes:
        name: What they type.
        role: What they may do.
        password: The hash, as `hashed` makes it.
        is_disabled: Whether they may not sign in.
    """

    name: str
    role: Role
    password: str
    is_disabled: bool = False


@dataclass(slots=True)
class UsersFile:
    """The users of one file, for any thread.

    Args:
        path: The file, which need not exist until it is read.
    """

    path: Path
    issuer: str = ISSUER
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _mark: tuple[int, int, int] = (0, 0, 0)
    _logins: dict[str, Login] = field(default_factory=dict[str, Login])
    _openid: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def read(self) -> dict[str, Login]:
        """The users, by their folded names.

        Raises:
            AccountError: The file cannot be read, or is no users' file.
        """
        with self._lock:
            try:
                found = self.path.stat()
                if (mark := (found.st_mtime_ns, found.st_size, found.st_ino)) != self._mark:
                    told = self._document().unwrap()
                    self._logins, self._openid = _logins(told, self.path), _table(told, "openid", self.path)
                    self._mark = mark
            except OSError as error:
                raise AccountError(f"The users' file {self.path} cannot be read: {error.strerror}.") from error
            return self._logins

    def find(self, name: str) -> Login | None:
        """The user with this name; None if there is none.

        Raises:
            AccountError: See `read`.
        """
        return self.read().get(_folded(name))

    @property
    def openid(self) -> Mapping[str, Any]:
        """The file's table on an OpenID provider; empty if it has none.

        Raises:
            AccountError: See `read`.
        """
        self.read()
        return self._openid

    def check(self, name: str, password: str) -> Login | None:
        """The user with this name and password; None if there is none. Takes as long for a name that is not there.

        Raises:
            AccountError: See `read`.
        """
        found = self.find(name)
        is_right = _is_password(password, found.password if found else _NOBODYS)
        return found if found and is_right and not found.is_disabled else None

    def current(self, account: Account) -> Account:
        """The account of a user of the file, as the file says now.

        A file that cannot be read any more says what it said before.
        """
        try:
            self.read()
        except AccountError as error:
            _log.warning("%s What it said before holds.", error)
        login = self._logins.get(_folded(account.subject))
        if login is None:
            return replace(account, is_disabled=True)
        stamp = f"{account.stamp}-{hashlib.sha256(login.password.encode()).hexdigest()[:16]}"
        is_disabled = account.is_disabled or login.is_disabled
        return replace(account, role=login.role, is_disabled=is_disabled, stamp=stamp)

    def put(self, login: Login) -> None:
        """Adds a user, or changes the one of that name.

        Raises:
            AccountError: It cannot be written, or the name cannot be one.
        """
        if not shown_name(login.name):
            raise AccountError(f"{login.name[:100]!r} is no name of 1 to {LONGEST_NAME} characters that can be seen.")
        document = self._document()
        users: Any = document.setdefault("users", {})
        entry = {"role": str(login.role), "password": login.password}
        users[self._written(users, login.name)] = entry | ({"disabled": True} if login.is_disabled else {})
        self._write(document.as_string())

    def remove(self, name: str) -> None:
        """Removes a user.

        Raises:
            AccountError: The file cannot be read or written.
        """
        document = self._document()
        users: Any = document.get("users", {})
        users.pop(self._written(users, name), None)
        self._write(document.as_string())

    def _written(self, users: Mapping[str, Any], name: str) -> str:
        """How the file writes a name that is in it."""
        return next((known for known in users if _folded(known) == _folded(name)), shown_name(name))

    def _document(self) -> Any:
        import tomlkit  # keeps the file's comments
        from tomlkit.exceptions import TOMLKitError

        try:
            return tomlkit.parse(self.path.read_text(encoding="utf-8") if self.path.exists() else "")
        except (TOMLKitError, UnicodeDecodeError) as error:
            raise AccountError(f"The users' file {self.path} is no TOML file: {error}.") from error
        except OSError as error:
            raise AccountError(f"The users' file {self.path} cannot be read: {error.strerror}.") from error

    def _write(self, text: str) -> None:
        """Writes the file whole, for this account's eyes alone."""
        draft = self.path.with_name(f"{self.path.name}.{secrets.token_hex(4)}")
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                file.write(text)
            draft.replace(self.path)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise AccountError(f"The users' file {self.path} cannot be written: {error.strerror}.") from error


def hashed(password: str) -> str:
    """A password as the file keeps it.

    Raises:
        AccountError: It is too short or too long.
    """
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise AccountError(f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters.")
    salt = secrets.token_bytes(16)
    made = _scrypt(password, salt, _COST, _BLOCK, _LANES)
    return "$".join(["scrypt", str(_COST), str(_BLOCK), str(_LANES), _text(salt), _text(made)])


def _is_password(password: str, kept: str) -> bool:
    try:
        kind, cost, block, lanes, salt, made = kept.split("$")
        known = (int(cost), int(block), int(lanes))
        if kind != "scrypt" or any(
            not 1 <= value <= most for value, most in zip(known, (_MOST_COST, _MOST_BLOCK, _MOST_LANES), strict=True)
        ):
            return False
        found = _scrypt(password[:LONGEST_PASSWORD], base64.b64decode(salt, validate=True), *known)
        return hmac.compare_digest(found, base64.b64decode(made, validate=True))
    except ValueError:
        return False


def _scrypt(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    plain = unicodedata.normalize("NFKC", password).encode("utf-8", "replace")  # an input method may compose differently
    return hashlib.scrypt(plain, salt=salt, n=2**cost, r=block, p=lanes, maxmem=_MEMORY, dklen=32)


def _text(given: bytes) -> str:
    return base64.b64encode(given).decode()


_NOBODYS = "$".join(["scrypt", str(_COST), str(_BLOCK), str(_LANES), _text(bytes(16)), _text(bytes(32))])
"""What is compared with where there is no such user."""


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def _table(told: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    found: Any = told.get(name, {})
    if not isinstance(found, dict):
        raise AccountError(f"The users' file {path} is to have a table [{name}], not {found!r}.")
    return {**found}


def _logins(told: Mapping[str, Any], path: Path) -> dict[str, Login]:
    return {_folded(name): _login(name, entry, path) for name, entry in _table(told, "users", path).items()}


def _login(name: str, entry: Any, path: Path) -> Login:
    match entry:
        case {"role": str(role), "password": str(password), **more} if role in ROLES:
            is_disabled = more.get("disabled", False) is not False
            return Login(name=name, role=Role(role), password=password, is_disabled=is_disabled)
        case _:
            raise AccountError(
                f"The users' file {path} is to say role and password of {name!r}; a role is one of {', '.join(ROLES)}. "
                "Write it with: playground users"
            )
