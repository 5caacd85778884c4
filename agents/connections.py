"""Where each provider's server is and with which key it is asked: what a person typed, else the environment.

Both live in this process alone: a key that was typed is in no file, no log and no address. Knows no provider's code.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from typing import Literal

from pydantic import SecretStr

from agents import config
from agents.errors import ConnectionInputError

Provider = Literal["gemini", "llama", "ollama"]
"""The providers that are asked over a network."""

_SHORTEST_KEY = 8  # a shorter one guards nothing and would be found in any text
_KEY_LIKE = re.compile(
    r"((?:[?&](?:api_)?key=|\b(?:x-goog-api-key|api[-_]key|authorization)[\"']?\s*[:=]\s*[\"']?(?:Bearer\s+)?))[^\s&\"',}]+",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://[^\s/@?#]+(/[^\s?#@]*)?", re.IGNORECASE)
_LONGEST_KEY = 500


@dataclass(frozen=True, slots=True)
class Connection:
    """How a provider is reached.

    Attributes:
        base_url: Its server; None for the provider's own.
        api_key: The key; None for none.
        typed_key: Whether a person typed the key, so that they can take it back.
    """

    base_url: str | None
    api_key: SecretStr | None
    typed_key: bool = False


_lock = threading.Lock()
_urls: dict[str, str] = {}
_keys: dict[str, SecretStr] = {}
_seen_keys: set[str] = set()
"""All keys that were ever typed in this process: an error of an earlier run may still hold one that was replaced."""


def connection(provider: Provider) -> Connection:
    """How a provider is reached now."""
    typed = _keys.get(provider)
    match provider:
        case "gemini":
            url, key = config.gemini_base_url(), config.gemini_api_key()
        case "llama":
            url, key = config.llama_base_url(), config.llama_api_key()
        case "ollama":
            url, key = config.ollama_base_url(), None
    held = typed or (SecretStr(key) if key else None)
    return Connection(_urls.get(provider) or url, held, typed_key=typed is not None)


def use_key(provider: Provider, key: str | None) -> None:
    """Takes a key that a person typed; None or "" goes back to the environment's.

    Raises:
        ConnectionInputError: It cannot be a key.
    """
    text = (key or "").strip()
    if len(text) > _LONGEST_KEY or not text.isascii() or any(c.isspace() or not c.isprintable() for c in text):
        raise ConnectionInputError(
            "That is no API key: a key is one line of letters, digits and signs without spaces. Copy it again and paste it."
        )
    with _lock:
        if text:
            _keys[provider] = SecretStr(text)
            _seen_keys.add(text)
        else:
            _keys.pop(provider, None)


def use_url(provider: Provider, url: str | None) -> None:
    """Takes the address of a server; None or "" goes back to the environment's, or to the default.

    Raises:
        ConnectionInputError: It is no address, or holds a password.
    """
    text = checked_url(url or "")
    with _lock:
        if text:
            _urls[provider] = text
        else:
            _urls.pop(provider, None)


def checked_url(url: str) -> str:
    """An address as it is used, without white space around it and a slash at its end; "" for none.

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


def forget() -> None:
    """Forgets all that was typed."""
    with _lock:
        _urls.clear()
        _keys.clear()


def redact(text: str, *more: str) -> str:
    """`text` without keys: those typed, those in the environment, and what looks like one in an address or a header.

    Args:
        text: What is to be shown or stored.
        *more: Keys that come from elsewhere, e.g. from whoever made a model.
    """
    keys = {*_seen_keys, *config.environment_keys(), *more}
    for key in sorted(keys, key=len, reverse=True):  # one may be a part of another, of which something would be left
        if len(key) >= _SHORTEST_KEY:
            text = text.replace(key, "[key]")
    return _KEY_LIKE.sub(r"\1[key]", text)
