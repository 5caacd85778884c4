"""The only reader of the environment, and the limits that hold everywhere."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

MAX_MESSAGE_BYTES = 64 * 1024
"""Longest message, in bytes: models read it again at every step."""

MAX_FILES = 5
"""Most files that go with a message."""

MAX_FILE_BYTES = 5 * 1024 * 1024
"""Largest of them, in bytes: it is kept in the log, and sent at every step."""

_hidden: set[str] = set()
"""Keys of `.env` files and typed ones that must never be shown: any error text may hold one that was replaced since."""


_given: dict[str, str] = {}
"""Variables that a server gave this process in another way than by its environment."""

_HARMLESS = re.compile(
    r"(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|COMSPEC|PATHEXT|APPDATA|"
    r"LOCALAPPDATA|USERPROFILE|XDG_[A-Z_]+|PYTHON[A-Z]+|VIRTUAL_ENV|LD_LIBRARY_PATH|SSL_CERT_FILE|SSL_CERT_DIR|"
    r"(?:HTTPS?|ALL|NO)_PROXY|(?:https?|all|no)_proxy|HF_ENDPOINT|PG(?!PASS)[A-Z]+|PLAYGROUND_(?:DATA|MCP|FILES|MODELS|SIMULATED_SPEED))\Z"
)
"""Names of variables that a program needs and that hold no key: those of a worker that does runs of others."""


def database_name() -> str:
    """Where sessions are kept: `PLAYGROUND_DB`, else `playground.db` in the data folder. A path, or a URL."""
    return os.environ.get("PLAYGROUND_DB") or str(data_folder() / "playground.db")


def files_folder() -> Path:
    """Where sessions keep working files: `PLAYGROUND_FILES`, else `files` in the data folder."""
    return _chosen("PLAYGROUND_FILES") or data_folder() / "files"


def data_folder() -> Path:
    """The data folder: `PLAYGROUND_DATA`, else the platform's folder for user data."""
    if (chosen := chosen_data_folder()) is not None:
        return chosen
    from platformdirs import user_data_path  # only needed where the environment names no path

    return user_data_path("agent-playground", appauthor=False)


def chosen_data_folder() -> Path | None:
    """The data folder if the user chose one, in `PLAYGROUND_DATA`."""
    return _chosen("PLAYGROUND_DATA")


def use_data_folder(path: Path) -> None:
    """Makes a folder the data folder of this process and of those that it starts."""
    os.environ["PLAYGROUND_DATA"] = str(path)


def variable(name: str, default: str | None = None) -> str | None:
    """A variable that a file of the owner's names."""
    return os.environ.get(name, _given.get(name, default))


def give_variables(given: Mapping[str, str]) -> None:
    """Has `variable` know these, which the environment of this process does not have."""
    _given.update(given)


def run_limits() -> str:
    """Limits of runs of others than the owner: `PLAYGROUND_RUN_LIMITS`, see `agents.runs.workers.limits`."""
    return os.environ.get("PLAYGROUND_RUN_LIMITS", "")


def use_mcp_file(path: Path) -> None:
    """Has this process, and those that it starts, take the MCP servers of a file."""
    os.environ["PLAYGROUND_MCP"] = str(path)


def mcp_file(folder: Path) -> Path:
    """The file with the owner's MCP servers: `PLAYGROUND_MCP`, else `mcp.json` in the folder beside the database."""
    return _chosen("PLAYGROUND_MCP") or folder / "mcp.json"


def use_limits_file(path: Path) -> None:
    """Has this process, and those that it starts, take the limits of a file."""
    os.environ["PLAYGROUND_LIMITS"] = str(path)


def limits_file() -> Path | None:
    """The file with the limits of users: `PLAYGROUND_LIMITS`; None for the usual ones."""
    return _chosen("PLAYGROUND_LIMITS")


def users_file() -> Path | None:
    """The file with users and passwords: `PLAYGROUND_USERS`."""
    return _chosen("PLAYGROUND_USERS")


def use_users_file(path: Path) -> None:
    """Has this process take its users from a file."""
    os.environ["PLAYGROUND_USERS"] = str(path)


def trusted_proxy() -> tuple[list[str], str]:
    """The proxies that say who asks, by address or network, and the header in which they do.

    `PLAYGROUND_TRUSTED_PROXY`, separated by blanks or commas, and `PLAYGROUND_USER_HEADER`.
    """
    addresses = os.environ.get("PLAYGROUND_TRUSTED_PROXY", "").replace(",", " ").split()
    return addresses, os.environ.get("PLAYGROUND_USER_HEADER", "").strip()


def openid_settings() -> dict[str, str]:
    """Settings of an OpenID provider, e.g. `issuer` from `PLAYGROUND_OIDC_ISSUER`; without those that are not set."""
    names = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET", "SCOPE", "DOMAINS", "ROLE_CLAIM", "ROLES"]
    told = {name.lower(): os.environ.get(f"PLAYGROUND_OIDC_{name}", "").strip() for name in names}
    return {name: value for name, value in told.items() if value}


def new_role() -> str:
    """The role of those whom an OpenID provider or a proxy names, and nothing tells another one: `PLAYGROUND_ROLE`."""
    return os.environ.get("PLAYGROUND_ROLE", "").strip() or "user"


def signing_secret() -> bytes:
    """What the keys of a database that is no file are mixed with before they sign: `PLAYGROUND_SECRET`; b"" for nothing."""
    return os.environ.get("PLAYGROUND_SECRET", "").strip().encode()


def visitor_key_file(database: Path) -> Path:
    """The file with the key that signs visitors' cookies: beside the database."""
    return database.with_name(f"{database.name}.visitor-key")


def allowed_hosts() -> list[str]:
    """Further host names that the server answers to: `PLAYGROUND_ALLOWED_HOSTS`, separated by blanks or commas."""
    return os.environ.get("PLAYGROUND_ALLOWED_HOSTS", "").replace(",", " ").split()


def api_origins() -> list[str]:
    """Origins whose pages may use the paths of other programs: `PLAYGROUND_API_ORIGINS`, separated by blanks or commas."""
    return os.environ.get("PLAYGROUND_API_ORIGINS", "").replace(",", " ").split()


LOG_FORMATS = ("text", "json")


def log_format() -> str:
    """How the server writes its log: `PLAYGROUND_LOG_FORMAT`, "text" by default or "json"."""
    chosen = os.environ.get("PLAYGROUND_LOG_FORMAT", "") or LOG_FORMATS[0]
    if chosen not in LOG_FORMATS:
        raise ValueError(f"PLAYGROUND_LOG_FORMAT must be one of {', '.join(LOG_FORMATS)}, not {chosen!r}.")
    return chosen


def database_password() -> str:
    """The password of a PostgreSQL database whose address has none: libpq's `PGPASSWORD`."""
    return os.environ.get("PGPASSWORD", "")


def use_log_format(name: str) -> None:
    """Has this process write its log so."""
    os.environ["PLAYGROUND_LOG_FORMAT"] = name


def drain_seconds() -> float:
    """How long a server that is told to end by SIGTERM lets its runs go on: `PLAYGROUND_DRAIN` in seconds, 0 by default."""
    text = os.environ.get("PLAYGROUND_DRAIN", "") or "0"
    if not (text.isascii() and text.isdigit() and len(text) < 6):  # noqa: PLR2004  a day has five digits
        raise ValueError(f"PLAYGROUND_DRAIN must be a number of seconds, e.g. 20, not {text!r}.")
    return float(text)


def base_path() -> str | None:
    """The path below which a reverse proxy serves the app: Streamlit's variable, which only `streamlit run` reads itself."""
    return os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH")


def expanded(text: str) -> Path:
    """A path with its `~` or `~name` expanded; as it is written where there is no such user, like a shell."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def _chosen(variable: str) -> Path | None:
    text = os.environ.get(variable)
    return expanded(text) if text else None


def simulated_words_per_second() -> float:
    """How fast simulated models speak: `PLAYGROUND_SIMULATED_SPEED` in words a second, 0 = at once, 40 by default."""
    text = os.environ.get("PLAYGROUND_SIMULATED_SPEED", "40")
    try:
        speed = float(text)
    except ValueError:
        raise ValueError(
            f"PLAYGROUND_SIMULATED_SPEED must be a number of words a second, not {text!r}; 0 is instant."
        ) from None
    if not 0 <= speed < float("inf"):
        raise ValueError(f"PLAYGROUND_SIMULATED_SPEED must be 0 (instant) or more, not {text!r}.")
    return speed


def telemetry_switch() -> str:
    """Whether the trace of each run is sent when it ends: `PLAYGROUND_OTEL`, "on" or "content"; "" by default, off."""
    return os.environ.get("PLAYGROUND_OTEL", "").strip().lower()


def models_folder() -> Path:
    """Where model files for `local/…` are: `PLAYGROUND_MODELS`, else `models` in the data folder."""
    return _chosen("PLAYGROUND_MODELS") or data_folder() / "models"


def model_hub() -> str:
    """Where model files are fetched from: `HF_ENDPOINT`, a mirror of the hub, else the hub itself."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def server_setting(variable: str) -> str | None:
    """A variable's value for a provider's server; None if it is empty or not set."""
    return os.environ.get(variable) or None


def api_key(variables: Iterable[str]) -> str | None:
    """A provider's key: the value of the first of its variables that is set, else None."""
    return next((key for name in variables if (key := _key(name))), None)


def environment_with(**more: str) -> dict[str, str]:
    """The environment of a process that this one starts, with more variables."""
    return {**os.environ, **more}


def environment_without(names: Collection[str]) -> dict[str, str]:
    """The environment of a process that this one starts, without some variables."""
    return {name: value for name, value in os.environ.items() if name not in names}


def harmless_environment() -> dict[str, str]:
    """The environment of a process that this one starts, with nothing in it but what every program needs."""
    return {name: value for name, value in os.environ.items() if _HARMLESS.match(name)}


def secrets(variables: Iterable[str]) -> tuple[str, ...]:
    """All keys that these variables hold, and those that are hidden."""
    return (*(key for name in variables if (key := _key(name))), *_hidden)


def hide(secret: str) -> None:
    """Adds a text to those that must never be shown."""
    _hidden.add(secret)


def take_env(given: Mapping[str, str], connections: Collection[Collection[str]]) -> None:
    """Sets the variables of a `.env` file that are not set yet.

    Args:
        given: The file's variables.
        connections: Names of variables that belong together, a provider's key and its server: those of one connection are
            taken only where the environment has none of them.
    """
    _hidden.update(value.strip() for name, value in given.items() if value and _is_secret(name))
    kept_out = {name for names in connections if any(name in os.environ for name in names) for name in names}
    for name, value in given.items():
        if name not in kept_out:
            os.environ.setdefault(name, value)


def _is_secret(name: str) -> bool:
    return any(word in name.upper() for word in ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"))


def _key(name: str) -> str | None:
    """A key without the line end that a file or a paste may leave on it."""
    return os.environ.get(name, "").strip() or None
