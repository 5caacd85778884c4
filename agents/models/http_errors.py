"""Network errors and refusals, in the same words for all providers asked over HTTP.

HTTP libraries (httpx2, httpx, aiohttp) are recognised by their modules' names, so none needs to be installed.
"""

from __future__ import annotations

import email.utils
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TypeVar

from agents.errors import ProviderError
from agents.models.connections import redact

_Error = TypeVar("_Error", bound=ProviderError)

RETRYABLE_STATUSES = frozenset({408, 429, 500, 502, 503, 504})
"""HTTP statuses after which the same request may succeed later."""

_LIBRARIES = frozenset({"aiohttp", "httpcore", "httpcore2", "httpx", "httpx2", "ssl", "socket"})
_LONGEST_QUOTE = 300
_SECONDS = re.compile(r"\d{1,9}(\.\d+)?")
_SSL_OBJECT = re.compile(r" ssl:<[^<>]*>")  # aiohttp's messages have one


def quoted(text: str) -> str:
    """A server's text as one sentence of a message: one line, shortened, with a full stop."""
    line = " ".join(_SSL_OBJECT.sub("", text).split()) or "no reason given"
    line = line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 1] + "…"
    return line if line.endswith((".", "!", "?", "…")) else line + "."


def asked_delay(headers: Mapping[str, str] | None) -> float | None:
    """The seconds that a server asks to wait by `Retry-After` (RFC 9110, 10.2.3), None where it does not.

    Args:
        headers: Those of its answer, found by any spelling of their names.
    """
    given = ((headers or {}).get("Retry-After") or (headers or {}).get("retry-after") or "").strip()
    if _SECONDS.fullmatch(given):
        return float(given)
    try:
        until = email.utils.parsedate_to_datetime(given)
    except ValueError:
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, round((until - datetime.now(UTC)).total_seconds(), 3))


def is_of_network(error: Exception) -> bool:
    """Whether the network, or the library that uses it, failed."""
    modules = {base.__module__.partition(".")[0] for base in type(error).__mro__}
    return isinstance(error, OSError) or bool(modules & _LIBRARIES)


def is_unreachable(error: Exception) -> bool:
    """Whether no connection was made: refused, wrong address, connect timeout, or untrusted certificate."""
    name = type(error).__name__.lower().replace("disconnect", "")
    no_connection = "connect" in name and "reset" not in name and "abort" not in name
    return is_of_network(error) and (no_connection or "url" in name or name in {"unsupportedprotocol", "proxyerror"})


def is_timeout(error: Exception) -> bool:
    """Whether a library's own timeout ended a call after it was connected."""
    return not is_unreachable(error) and (isinstance(error, TimeoutError) or "Timeout" in type(error).__name__)


def caused_by(raised: _Error, error: Exception, *, key: str | None = None) -> _Error:
    """`raised` with its cause and without keys, which a server or a proxy may have echoed.

    Raise it outside of the `except` block: inside, Python keeps the cause as its context, whatever it says.

    Args:
        raised: The error to raise for `error`.
        error: Its cause, left out if it mentions a key: a traceback would show it.
        key: The key that was sent; keys that were typed or are in the environment are known anyway.
    """
    sent = (key,) if key else ()
    raised.args = (redact(str(raised), *sent),)
    shown = " ".join(f"{one!s} {one!r} {vars(one)!r}" for one in _chain(error))  # bad JSON is an attribute of its error
    raised.__cause__ = error if redact(shown, *sent) == shown else None
    raised.__suppress_context__ = True
    return raised


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        yield error
        seen.add(id(error))
        error = error.__cause__ or error.__context__
