"""The status of a provider, in words and with a sign: colour never carries meaning alone."""

from __future__ import annotations

from typing import Literal, NamedTuple

from agents.models import Connection, Endpoint
from ui.settings.questions import Result
from ui.text.labels import many


class Status(NamedTuple):
    """The status of a provider.

    Attributes:
        words: A few words.
        icon: The sign.
        color: The colour.
        more: Further information, in a line of Markdown.
    """

    words: str
    icon: str
    color: Literal["green", "gray", "orange", "red"]
    more: str = ""


_READY, _WAITING, _NO_KEY = ":material/check_circle:", ":material/hourglass_empty:", ":material/key_off:"
_NO_SERVER, _NOTHING, _WRONG = ":material/cloud_off:", ":material/radio_button_unchecked:", ":material/error:"


def always(more: str) -> Status:
    """The status of a provider that needs nothing."""
    return Status("ready", _READY, "green", more)


def with_key(endpoint: Endpoint, known: Connection, last: Result | None) -> Status:
    """The status of a provider that needs a key and is asked only on a user's request.

    Args:
        endpoint: The provider's server.
        known: Its connection.
        last: The result of the last question since the key or the URL changed.
    """
    if known.withheld:
        return Status("key not sent", _NO_KEY, "orange", "It was given for another server.")
    if known.api_key is None:
        return Status("key missing", _NO_KEY, "orange", f"It needs a key of your own. {endpoint.key_note}".strip())
    more = f"The key is {key_source(endpoint, known)}."
    if last is not None and _failed(last):
        return _problem(last)._replace(more=more)
    return Status("ready" if last else "key there, not tried", _READY, "green", more)


def of_server(address: str, last: Result | None) -> Status:
    """The status of an optional server."""
    where = f"At {code(address)}."
    if last is None:
        return Status("looking …", _WAITING, "gray", where)
    if _failed(last):
        return _problem(last)._replace(more=where)
    names = last.get("names")
    if names is None:
        return Status("ready", _READY, "green", where)
    if not names:
        return Status("no model there", _NOTHING, "orange", f"{where} It answers, and has no model.")
    return Status("ready", _READY, "green", f"{where} It has {many(len(names), 'model')}.")


def of_files(*, lacks_extra: bool, files: int) -> Status:
    """The status of models that run in this process."""
    if lacks_extra:
        return Status("extra not installed", _NOTHING, "orange", f"{many(files, 'file')} here." if files else "")
    if not files:
        return Status("no file yet", _NOTHING, "orange")
    return Status("ready", _READY, "green", f"{many(files, 'file')} here.")


def of_records(sessions: int) -> Status:
    """The status of recorded sessions."""
    if not sessions:
        return Status("nothing recorded yet", _NOTHING, "gray", "Run a pipeline first; every session is recorded.")
    return Status("ready", _READY, "green", f"{many(sessions, 'session')} recorded.")


def key_source(endpoint: Endpoint, known: Connection) -> str:
    """Whether there is a key, and its source; never the key itself."""
    if known.api_key is None:
        return "not there yet"
    return "typed, kept until the playground ends" if known.typed_key else f"from {key_variables(endpoint)}"


def key_variables(endpoint: Endpoint) -> str:
    """The environment variables for a key, e.g. "GOOGLE_API_KEY or GEMINI_API_KEY"."""
    return " or ".join(endpoint.key_variables)


def code(text: str) -> str:
    """A text as Markdown code, so that a URL does not become a link."""
    return f"`{text.replace('`', '')}`"


def _failed(result: Result) -> bool:
    return bool(result.get("error"))


def _problem(result: Result) -> Status:
    match result.get("code"):
        case "API_KEY_MISSING":
            return Status("key missing", _NO_KEY, "orange")
        case "API_KEY_WITHHELD":
            return Status("key not sent", _NO_KEY, "orange")
        case "API_KEY_INVALID":
            return Status("key not accepted", _NO_KEY, "red")
        case "CONNECTION_FAILED":
            return Status("no server there", _NO_SERVER, "gray")
        case "TIMEOUT":
            return Status("does not answer", _NO_SERVER, "red")
        case _:
            return Status("last question failed", _WRONG, "red")
