"""Where a database is: a SQLite file, or a PostgreSQL server; and the folder for what is kept beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from agents.config import chosen_data_folder, data_folder, database_name, expanded
from agents.errors import DatabaseError
from agents.storage.paths import check_database_path

INSTALL_POSTGRES = "uv run --extra postgres playground"

_FORM = "Write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with % and two digits for special characters, e.g. %40 for @."
_SCHEMES = {"postgresql", "postgres"}


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """A database of a PostgreSQL server. As text it has no password.

    Attributes:
        url: As libpq takes it, with the password.
    """

    url: str = field(repr=False)

    def __str__(self) -> str:
        parts = urlsplit(self.url, allow_fragments=False)
        user, at, servers = parts.netloc.rpartition("@")
        options = [(name, value) for name, value in parse_qsl(parts.query) if "password" not in name.lower()]
        shown = f"{user.partition(':')[0]}{at}{servers}"
        return urlunsplit((parts.scheme, shown, parts.path, urlencode(options, safe="/", quote_via=quote), ""))

    def with_password(self, password: str) -> PostgresAddress:
        """The same address with a password, unless it has one."""
        parts = urlsplit(self.url, allow_fragments=False)
        if parts.password is not None or "password=" in parts.query:
            return self
        query = "&".join(filter(None, (parts.query, f"password={quote(password, safe='')}")))
        return PostgresAddress(urlunsplit(parts._replace(query=query)))


Database = Path | PostgresAddress
"""Where sessions are kept."""


def parse_database(text: str) -> Database:
    """The place that a text names: a URL that begins with postgresql://, or else the path of a SQLite file.

    Raises:
        DatabaseError: It is the URL of another kind of database, or cannot be read. Its password is not in the message.
    """
    scheme, colon, rest = text.partition(":")
    if scheme.lower() in _SCHEMES and colon:
        return _postgres(f"{scheme.lower()}:{rest}")
    if colon and rest.startswith("//") and scheme.replace("+", "").isalnum():
        cure = f"Give the path of the file itself, e.g. {rest.lstrip('/') or 'playground.db'}."
        if not scheme.lower().startswith("sqlite"):
            cure = "Give the path of a SQLite file, or a URL that begins with postgresql://."
        raise DatabaseError(f"Sessions cannot be kept at an address that begins with {scheme}://. {cure}")
    return expanded(text)


def _postgres(url: str) -> PostgresAddress:
    try:
        parts = urlsplit(url, allow_fragments=False)
        _ = [_checked_port(server) for server in parts.netloc.rpartition("@")[2].split(",")]
        # Characters that end the name and password early, for this function or for libpq, are refused: both must agree.
        is_whole = url.partition(":")[2].startswith("//") and url.isprintable() and not {" ", "#"}.intersection(url)
        is_whole = is_whole and "@" not in parts.path + parts.query
    except ValueError:
        is_whole = False
    if not is_whole:
        raise DatabaseError(f"The address of the PostgreSQL database cannot be read. {_FORM}")
    return PostgresAddress(url)


def _checked_port(server: str) -> None:
    """Raises `ValueError` for a port that is none."""
    _ = urlsplit(f"//{server}").port


def default_database() -> Database:
    """Where sessions are kept unless the user says otherwise: see `agents.config.database_name`.

    Raises:
        DatabaseError: `PLAYGROUND_DB` names no such place.
    """
    return parse_database(database_name())


def check_database(database: Database) -> None:
    """Checks whether a database can be opened, as far as possible without doing it.

    Raises:
        DatabaseError: It cannot; the message says why.
    """
    match database:
        case Path():
            check_database_path(database)
        case PostgresAddress():
            if find_spec("psycopg") is None:
                raise DatabaseError(
                    f"Sessions in PostgreSQL need an extra that is not installed. Start with `{INSTALL_POSTGRES}`, or "
                    'install it with `pip install "multi-agent-playground[postgres]"`.'
                )


def is_stored(database: Database) -> bool:
    """Whether there may be something in it: a file that is missing has nothing, and opening it would make it."""
    return not isinstance(database, Path) or database.exists()


def folder_beside(database: Database) -> Path:
    """The folder for what is kept beside a database: teams, cases, lab runs, the list of MCP servers.

    It is the data folder that the user chose, see `agents.config.chosen_data_folder`; else that of the file, or for
    PostgreSQL the platform's. It need not exist.
    """
    chosen = chosen_data_folder()
    if chosen is None and isinstance(database, Path):
        return database.parent
    return chosen or data_folder()
