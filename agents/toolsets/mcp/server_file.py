"""The owner's list of servers: a file with the `mcpServers` of desktop clients."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, cast

from pydantic import ValidationError

from agents.config import variable as variable_of
from agents.errors import PersonError
from agents.storage.given_file import decoded, read_given
from agents.toolsets.mcp.connection_params import (
    ConnectionParams,
    SseConnectionParams,
    StdioConnectionParams,
    StdioServerParameters,
    StreamableHTTPConnectionParams,
)

MOST_BYTES = 1_000_000
SECONDS = 30.0
"""How long a server of the list may take to begin: `npx` may have to fetch it first."""

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]{0,100})(?::-([^}]{0,1000}))?\}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_. -]{0,63}\Z")


def read_servers(path: Path) -> dict[str, ConnectionParams]:
    """The servers in a file that are not disabled, by name.

    `${NAME}` and `${NAME:-default}` stand for environment variables in `args`, `env`, `url` and `headers`, not in `command`.

    Raises:
        PersonError: The file cannot be read, is no such list, or a variable is not set.
    """
    try:
        entries = _document(path)["mcpServers"]
        return {name: server_of(name, given) for name, given in entries.items() if not is_disabled(given)}
    except (OSError, PersonError) as error:
        raise PersonError(f"The MCP servers in {path} cannot be read: {error}") from None


def read_entries(path: Path) -> dict[str, Any]:
    """The servers as they are written in a file, also disabled ones; none if there is no file.

    Raises:
        PersonError: The file cannot be read, or is no such list.
    """
    try:
        return _document(path)["mcpServers"] if path.exists() else {}
    except (OSError, PersonError) as error:
        raise PersonError(f"The MCP servers in {path} cannot be read: {error}") from None


def write_entry(path: Path, name: str, entry: Mapping[str, Any] | None) -> None:
    """Adds or changes a server in a file, or removes it (None). All else in the file stays; it is replaced at once.

    Raises:
        PersonError: The file cannot be read or written, or the entry is no server; nothing is changed then.
    """
    if entry is not None:
        server_of(name, entry)
    try:
        document: dict[str, Any] = _document(path) if path.exists() else {"mcpServers": {}}
        entries: dict[str, Any] = {**document["mcpServers"], name: entry}
        document["mcpServers"] = {key: value for key, value in entries.items() if value is not None}
        place = path.resolve()  # the file may be a link
        place.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=place.parent, prefix=".mcp-", delete=False) as new:
            json.dump(document, new, ensure_ascii=False, indent=2)  # only its owner may read it: it may hold keys
        Path(new.name).replace(place)
    except (OSError, PersonError) as error:
        raise PersonError(f"The MCP servers in {path} cannot be changed: {error}") from None


def is_disabled(entry: Any) -> bool:
    """Whether an entry says `"disabled": true`, as desktop clients write it."""
    return isinstance(entry, dict) and cast("dict[str, Any]", entry).get("disabled") is True


def _document(path: Path) -> dict[str, Any]:
    try:
        found: Any = json.loads(decoded(read_given(path, most=MOST_BYTES)))
    except (ValueError, RecursionError) as error:
        raise PersonError(f"It is no JSON: {str(error)[:200]}.") from None
    if not isinstance(found, dict) or not isinstance(cast("dict[str, Any]", found).get("mcpServers"), dict):
        raise PersonError('It has no "mcpServers". Write {"mcpServers": {"NAME": {"command": …, "args": […]}}}.')
    return cast("dict[str, Any]", found)


def server_of(name: str, given: Any) -> ConnectionParams:
    """How a server is reached.

    Args:
        name: Its name.
        given: Its entry in the file.

    Raises:
        PersonError: It is no server, or a variable is not set.
    """
    if not _NAME.match(name):
        raise PersonError(f"{name[:80]!r} is no name of a server: use letters, digits, blanks, and . _ -")
    if not isinstance(given, dict):
        raise PersonError(f"The server {name!r} has to be an object with a command or a url.")
    fields, used = cast("dict[str, Any]", given), list[str]()

    def known(key: str) -> Any:
        return _expanded(fields[key], name, used.append) if fields.get(key) else None

    try:
        if "url" in fields:
            old = fields.get("type") == "sse" or fields.get("transport") == "sse"
            kind = SseConnectionParams if old else StreamableHTTPConnectionParams
            params = kind(url=known("url"), headers=known("headers"), timeout=SECONDS)
        else:
            program = {key: value for key in ("args", "env") if (value := known(key)) is not None}
            if fields.get("cwd"):
                program["cwd"] = fields["cwd"]
            server = StdioServerParameters(command=fields.get("command") or "", **program)
            params = StdioConnectionParams(server_params=server, timeout=SECONDS)
    except ValidationError as error:
        problem = error.errors()[0]
        raise PersonError(f"The server {name!r}: {'.'.join(map(str, problem['loc']))}: {problem['msg']}.") from None
    return params.model_copy(update={"expanded": tuple(used)})


def _expanded(value: Any, name: str, use: Callable[[str], None]) -> Any:
    """A value with its variables; `use` is told what they stand for."""
    if isinstance(value, Mapping):
        return {key: _expanded(one, name, use) for key, one in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list):
        return [_expanded(one, name, use) for one in cast("list[Any]", value)]
    if not isinstance(value, str):
        return value

    def variable(found: re.Match[str]) -> str:
        said = variable_of(found[1], cast("str | None", found[2]))
        if said is None:
            raise PersonError(f"The server {name!r} needs the environment variable {found[1]}, which is not set.")
        use(said)
        return said

    return _VARIABLE.sub(variable, value)
