"""How MCP servers are reached. Names and fields are ADK's and those of the package `mcp`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

QUICK_SECONDS = 5.0
"""How long a connection may take, unless its parameters say otherwise; as in ADK."""
CALL_SECONDS = 300.0
"""How long a call may take, unless its parameters say otherwise. Time in which the user is asked does not count."""


class StdioServerParameters(BaseModel):
    """A program that speaks MCP on its standard input and output. It is started as it is written here, without a shell.

    Attributes:
        command: The program.
        args: Its arguments.
        env: Its environment, beside a few variables such as PATH and HOME. No other variable of this process is passed on.
        cwd: The folder that it is started in.
        encoding: Of its messages.
        encoding_error_handler: What becomes of characters that are not in that encoding.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: str = Field(min_length=1)
    args: list[str] = Field(default_factory=list)
    env: dict[str, str] | None = None
    cwd: str | Path | None = None
    encoding: str = "utf-8"
    encoding_error_handler: Literal["strict", "ignore", "replace"] = "replace"


class _Params(BaseModel):
    """What all have: values of environment variables that stand in them and that no text may show."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    expanded: tuple[str, ...] = Field(default=(), exclude=True, repr=False)


class StdioConnectionParams(_Params):
    """A program to start.

    Attributes:
        server_params: The program.
        timeout: Most seconds for the start.
    """

    server_params: StdioServerParameters
    timeout: float = Field(default=QUICK_SECONDS, gt=0)

    @field_validator("server_params", mode="before")
    @classmethod
    def _of_the_package(cls, value: Any) -> Any:
        """Takes the class of the package `mcp`, too."""
        return value.model_dump(exclude_unset=True) if isinstance(value, BaseModel) else value


class SseConnectionParams(_Params):
    """A server with the older transport over HTTP.

    Attributes:
        url: Its address.
        headers: Sent with each request, to this server alone.
        timeout: Most seconds for the connection.
        sse_read_timeout: Most seconds for a call.
        auth: Signs requests: an `httpx2.Auth`, such as `OAuthClientProvider` of the package `mcp`.
    """

    url: str
    headers: dict[str, Any] | None = None
    timeout: float = Field(default=QUICK_SECONDS, gt=0)
    sse_read_timeout: float = Field(default=CALL_SECONDS, gt=0)
    auth: Any = Field(default=None, exclude=True, repr=False)

    @field_validator("url")
    @classmethod
    def _is_http(cls, value: str) -> str:
        if urlsplit(value).scheme not in ("http", "https") or not urlsplit(value).hostname:
            raise ValueError(f"{value[:200]!r} is no address of a server. Write one with http:// or https://.")
        return value


class StreamableHTTPConnectionParams(SseConnectionParams):
    """A server with the usual transport over HTTP.

    Attributes:
        terminate_on_close: Whether the server is told when the connection is closed.
    """

    terminate_on_close: bool = True


ConnectionParams: TypeAlias = StdioConnectionParams | SseConnectionParams


def read_params(given: Any) -> ConnectionParams:
    """The parameters that an author gives; a program may stand alone, as this class or that of the package `mcp`.

    Raises:
        ValidationError: They are none.
    """
    if isinstance(given, StdioConnectionParams | SseConnectionParams):
        return given
    return StdioConnectionParams.model_validate({"server_params": given})


def with_headers(params: ConnectionParams, headers: Mapping[str, str]) -> ConnectionParams:
    """The parameters with more headers; those of a program stay as they are."""
    if isinstance(params, StdioConnectionParams) or not headers:
        return params
    return params.model_copy(update={"headers": {**(params.headers or {}), **headers}})


def key_of(params: ConnectionParams) -> str:
    """The same for parameters that are the same. It tells nothing of what is in them."""
    auth = None if isinstance(params, StdioConnectionParams) else params.auth
    told = f"{type(params).__name__} {'' if auth is None else id(auth)} {params.model_dump_json()}"
    return hashlib.sha256(told.encode(errors="surrogatepass")).hexdigest()


def label_of(params: ConnectionParams) -> str:
    """A server as texts name it, e.g. "npx server-files" or "tools.example.com": without keys."""
    if not isinstance(params, StdioConnectionParams):
        address = urlsplit(params.url)
        return f"{address.hostname}:{address.port}" if address.port else address.hostname or ""
    server = params.server_params
    words = [server.command, *(word for word in server.args if not word.startswith("-"))][:2]
    return " ".join(Path(word).name for word in words)[:80]


def secrets_of(params: ConnectionParams) -> list[str]:
    """The values that no text may show: of headers and of the environment that is passed on."""
    if isinstance(params, StdioConnectionParams):
        return [*params.expanded, *(params.server_params.env or {}).values()]
    values = [str(value) for value in (params.headers or {}).values()]
    return [*params.expanded, *values, *(word for value in values for word in value.split()[1:])]
