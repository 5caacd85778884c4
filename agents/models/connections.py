"""Where each provider's server is, and which key is sent to it: what was typed in Settings, else the environment.

A key belongs to the server that it was given for: an environment's key to the environment's server (or the provider's own),
a typed key to the server that was in use when it was typed. Another server gets it only after `allow_key`. All of this is in
the workspace's `Scope`, in memory alone; no key is written to a file, a log or a URL.
"""

from __future__ import annotations

import asyncio
import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from pydantic import SecretStr

from agents import config
from agents.errors import ConnectionInputError
from agents.models.providers import endpoints, provider_of
from agents.scope import current_scope

K = TypeVar("K", bound=Hashable)
C = TypeVar("C")

_SHORTEST_KEY = 8  # a shorter one protects nothing and would be found in any text
_KEY_LIKE = re.compile(
    r"((?:[?&](?:api_)?key=|\b(?:x-goog-api-key|api[-_]key|authorization)[\"']?\s*[:=]\s*[\"']?(?:Bearer\s+)?))[^\s&\"',}]+",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://[^\s/@?#]+(/[^\s?#@]*)?", re.IGNORECASE)
_LONGEST_KEY = 500


@dataclass(frozen=True, slots=True)
class WithheldKey:
    """A key that is not sent, because it was given for another server.

    Attributes:
        given_for: URL of the server that it was given for.
        typed: Whether it was typed in Settings; else it is the environment's.
    """

    given_for: str
    typed: bool


@dataclass(frozen=True, slots=True)
class Connection:
    """How a provider is reached.

    Attributes:
        base_url: Its server.
        api_key: The key to send; None for none.
        typed_key: Whether the key was typed in Settings.
        withheld: A key that is set but not sent to this server; None if a key is sent or there is none.
    """

    base_url: str
    api_key: SecretStr | None
    typed_key: bool = False
    withheld: WithheldKey | None = None


class _Key(NamedTuple):
    """A key and the server that it was given for."""

    secret: str
    url: str
    typed: bool


@dataclass(slots=True)
class _Settings:
    """What was typed in Settings, by provider. Each change is one operation, so any thread may read.

    Attributes:
        urls: Servers.
        typed: Keys.
        allowed: Provider, server, key: the arguments of `allow_key` so far.
    """

    urls: dict[str, str] = field(default_factory=dict[str, str])
    typed: dict[str, _Key] = field(default_factory=dict[str, _Key])
    allowed: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])


def _settings() -> _Settings:
    """Those of the workspace."""
    return current_scope().part(_Settings)


def _own() -> _Settings:
    """Those of the user who runs something; the workspace's if they typed none."""
    return current_scope().own(_Settings)


def connection(provider: str, *, base_url: str | None = None, api_key: SecretStr | None = None) -> Connection:
    """How a provider is reached now.

    Args:
        provider: The provider.
        base_url: The server that a model names itself; None for the one in Settings, else the environment's.
        api_key: The model's own key. It was given for `base_url`, or without one for the environment's server,
            so it is never sent to a server that was set in Settings.

    Returns:
        The server, with the key that was given for it, if there is one.
    """
    if api_key is not None:
        return Connection(base_url or _environment_url(provider), api_key)
    url = base_url or _settings().urls.get(provider) or _environment_url(provider)
    keys = _known_keys(provider)
    for key in keys:
        if _is_for(provider, key, url):
            return Connection(url, SecretStr(key.secret), typed_key=key.typed)
    if not keys:
        return Connection(url, None)
    return Connection(url, None, withheld=WithheldKey(keys[0].url, typed=keys[0].typed))


def lacks_key(model: str) -> bool:
    """Whether a model, by its name, is of a provider that needs a key, and there is none for its server."""
    provider = provider_of(model)
    endpoint = provider.endpoint if provider else None
    return provider is not None and endpoint is not None and endpoint.needs_key and connection(provider.name).api_key is None


def why_withheld(provider: str, known: Connection) -> str:
    """Says which key is not sent to which server, and the cure; "" if none is withheld."""
    if known.withheld is None:
        return ""
    if known.withheld.typed:
        whose = "that was typed in Settings"
        cure = "Type a key for this server, or allow this one for it, on the Settings page."
    else:
        server = endpoints()[provider]
        whose = f"in {' or '.join(server.key_variables)}"
        cure = f"Allow it for this server on the Settings page, or set {server.url_variable} beside the key and start again."
    return f"The API key {whose} was given for {known.withheld.given_for} and is not sent to {known.base_url}. {cure}"


def use_key(provider: str, key: str | None, *, base_url: str | None = None) -> None:
    """Takes a key that was typed; None or "" goes back to the environment's.

    Args:
        provider: The provider.
        key: The key.
        base_url: The server that it is given for; None for the one in use now.

    Raises:
        ConnectionInputError: It is not a valid key.
    """
    text = (key or "").strip()
    if len(text) > _LONGEST_KEY or not text.isascii() or any(c.isspace() or not c.isprintable() for c in text):
        raise ConnectionInputError(
            "That is no API key: a key is one line of letters, digits and signs without spaces. Copy it again and paste it."
        )
    if text:
        config.hide(text)
        url = base_url or _settings().urls.get(provider) or _environment_url(provider)
        _own().typed[provider] = _Key(text, url, typed=True)
    else:
        _own().typed.pop(provider, None)


def allow_key(provider: str, base_url: str) -> None:
    """Allows the key that `connection` withholds to be sent to one more server, until the workspace is closed.

    A user allows it for a key of their own alone.

    Args:
        provider: The provider.
        base_url: The server, as it was shown to the user who allowed it.
    """
    own = _own()
    for key in _known_keys(provider)[:1]:
        if own is _settings() or key is own.typed.get(provider):
            own.allowed.add((provider, _server(base_url), key.secret))


def use_url(provider: str, url: str | None) -> None:
    """Takes the URL of a server; None or "" goes back to the environment's, or to the default.

    Raises:
        ConnectionInputError: It is no address, or holds a password.
    """
    text = checked_url(url or "")
    if text:
        _settings().urls[provider] = text
    else:
        _settings().urls.pop(provider, None)


def checked_url(url: str) -> str:
    """An address without white space around it and without a slash at its end; "" for none.

    Raises:
        ConnectionInputError: It is no address, or holds a password, which would end up in logs.
    """
    text = url.strip().rstrip("/")
    if text and not _ADDRESS.fullmatch(text):
        raise ConnectionInputError(
            "That is no address of a server. Write e.g. http://127.0.0.1:8080/v1, without a user, a password or a question "
            "mark: a key has a field of its own."
        )
    return text


def take_env(variables: Mapping[str, str]) -> None:
    """Sets the variables of a `.env` file that are not set yet; see `agents.config.take_env`."""
    config.take_env(variables, [endpoint.variables for endpoint in endpoints().values()])


def environment_without_keys() -> dict[str, str]:
    """The environment of a worker process: without the keys and servers of providers, which `use_connections` gives it.

    Without the database's address, too, which may have a password: a worker's `WorkPlace` has it.
    """
    names = {name for endpoint in endpoints().values() for name in endpoint.variables}
    return config.environment_without({*names, "PLAYGROUND_DB"})


def use_connections(given: Mapping[str, Connection]) -> None:
    """Uses these servers and keys, by provider, in the place of those that were given or typed before."""
    for provider in endpoints():
        known = given.get(provider)
        key = None if known is None else known.api_key
        use_url(provider, None if known is None else known.base_url)
        use_key(provider, None if key is None else key.get_secret_value())


def redact(text: str, *more: str) -> str:
    """`text` without keys: typed ones, the environment's, and what looks like one in an address or a header.

    Args:
        text: A text to show or store.
        *more: Further keys, e.g. one passed to a model's constructor.
    """
    variables = [name for endpoint in endpoints().values() for name in endpoint.key_variables]
    keys = {*config.secrets(variables), *more}
    for key in sorted(keys, key=len, reverse=True):  # one key may be part of a longer one
        if len(key) >= _SHORTEST_KEY:
            text = text.replace(key, "[key]")
    return _KEY_LIKE.sub(r"\1[key]", text)


def _known_keys(provider: str) -> list[_Key]:
    """The keys for a provider: the one that the user typed first, then the owner's, then the environment's."""
    found = dict.fromkeys(settings.typed.get(provider) for settings in (_own(), _settings()))
    typed = [key for key in found if key]
    secret = _environment_key(provider)
    return [*typed, _Key(secret, _environment_url(provider), typed=False)] if secret else typed


def _is_for(provider: str, key: _Key, url: str) -> bool:
    server = _server(url)
    return server == _server(key.url) or (provider, server, key.secret) in _own().allowed | _settings().allowed


def _server(url: str) -> str:
    """A URL normalised for comparison: scheme and host in lower case, no slash at the end."""
    parts = urlsplit(url)
    return parts._replace(scheme=parts.scheme.lower(), netloc=parts.netloc.lower(), path=parts.path.rstrip("/")).geturl()


def _environment_url(provider: str) -> str:
    """The environment's server, else the provider's own."""
    endpoint = endpoints()[provider]
    given = config.server_setting(endpoint.url_variable)
    return endpoint.url if given is None else endpoint.read_url(given)


def _environment_key(provider: str) -> str | None:
    return config.api_key(endpoints()[provider].key_variables)


class LoopClients(Generic[K, C]):
    """Open clients by event loop. A class below it is for a library, and its object a part of a `Scope`."""

    def __init__(self) -> None:
        self._open: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[K, C]] = WeakKeyDictionary()

    def here(self, key: K, make: Callable[[], C]) -> C:
        """The client of that key in the running loop, made at the first use and shared by all models."""
        held = self._open.setdefault(asyncio.get_running_loop(), {})
        if key not in held:
            held[key] = make()
        return held[key]

    async def close_here(self) -> None:
        """Closes the clients of the running loop, before it ends; later calls open new ones."""
        for client in self._open.pop(asyncio.get_running_loop(), {}).values():
            await self.close(client)

    @abstractmethod
    async def close(self, client: C) -> None:
        """Closes a client."""


async def close_connections() -> None:
    """Closes all clients of the running loop, before it ends."""
    clients: list[LoopClients[Any, Any]] = current_scope().parts(LoopClients)
    for one in clients:
        await one.close_here()
