"""Errors of a model server, OpenAI-compatible or Ollama, in words that a user can act on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

from agents.errors import ApiKeyError, ModelTimeoutError, ProviderError
from agents.models.http_errors import RETRYABLE_STATUSES, asked_delay, is_of_network, is_timeout, is_unreachable, quoted

_CONTEXT = re.compile(
    r"exceed_context|context_length_exceeded|context (?:length|size|window)|maximum context|prompt (?:is )?too long",
    re.IGNORECASE,
)
_MODEL = re.compile(
    # from the first "model" of a sentence on, so that each sentence is read once
    r"(?:\A|\.)(?>[^.]*?model)[^.]*?(?:not found|does not exist|not exist|unknown|not loaded)|unknown model|no such model",
    re.IGNORECASE,
)
_USED_UP = re.compile(r"insufficient_quota|billing|payment|per[ _-]?day|\bdaily\b|\b[TR]PD\b", re.IGNORECASE)
"""A quota that no short wait gives back: of a day, or of what was paid for."""
_ATTACHMENT = re.compile(
    r"image[ _-]?(?:input|url)|mmproj|unsupported content|content\[\]\.type|unknown part type"
    r"|(?:not a|not support|n't support) (?:image|vision|multimodal)",
    re.IGNORECASE,
)
_WAIT = re.compile(r"try again in (?:(\d+)m)?(\d+(?:\.\d+)?)(ms|s)\b", re.IGNORECASE)
_WORDS = {"rate_limit": 429, "overloaded": 503, "unavailable": 503, "invalid_request": 400, "exceed_context": 400}
_ELSE = "choose another model on the Settings page"
_IS_LOCAL = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True)
class Server:
    """The server that messages are about.

    Attributes:
        model: The model that was asked for, e.g. "llama/qwen"; "" where it was not about one.
        address: Where the server is.
        withheld: Why a key that is set is not sent to it; "" if none is withheld.
    """

    model: str
    address: str
    withheld: str = ""

    @property
    def shown_address(self) -> str:
        """The address without secrets."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

    def __str__(self) -> str:
        about = f" ({self.model})" if self.model else ""
        return f"{self.title} at {self.shown_address}{about}"

    @property
    def title(self) -> str:
        """What it is, at the beginning of a sentence."""
        return "The model server"

    @property
    def bare_model(self) -> str:
        """The model's name on the server."""
        return self.model.partition("/")[2]

    @property
    def how_to_start(self) -> str:
        """The cure if the server does not answer, without the end of the sentence."""
        if urlsplit(self.address).hostname in _IS_LOCAL:
            port = urlsplit(self.address).port or 80
            return f"Start one, e.g. llama.cpp's: `llama-server -m FILE.gguf --port {port}`"
        return "Check that it runs and that the network reaches it"

    @property
    def key_settings(self) -> tuple[str, str]:
        """What to do about a key that is not accepted, and about one that is missing."""
        return (
            "Check the key on the Settings page, or LLAMA_API_KEY.",
            "Type it on the Settings page, or set LLAMA_API_KEY.",
        )

    def unknown(self, said: str, why: str) -> str:
        """That it does not have the model, or nothing at the address; `said` is what it answered, `why` quotes that."""
        if "model" in said.lower():
            return f"knows no model {self.bare_model!r} {why} Check the spelling, or choose one from the Settings page."
        return f"has no chat completions there {why} Check the address on the Settings page: it usually ends in /v1."


@dataclass(eq=False)
class Refusal(Exception):  # noqa: N818  not an error yet: the provider may ask otherwise
    """An error answer of a server, before it is handled.

    Attributes:
        status: The HTTP status, or the one that an error in mid-answer amounts to.
        said: What the server said of it, all of it in one text.
        headers: Those of its answer.
        had_key: Whether a key was sent.
    """

    status: int
    said: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    had_key: bool = False

    @property
    def is_of_context(self) -> bool:
        """Whether the conversation is too long for the model."""
        return self.status in (400, 413, 422, 500) and _CONTEXT.search(self.said) is not None

    def mentions(self, pattern: re.Pattern[str]) -> bool:
        """Whether the request was refused for something that `pattern` finds in what the server said."""
        return self.status in (400, 404, 422, 500, 501) and not self.is_of_context and bool(pattern.search(self.said))


def refusal_of(status: int, body: bytes, headers: Mapping[str, str], *, had_key: bool) -> Refusal:
    """The refusal that an answer with a status is."""
    try:
        said = said_in(json.loads(body))
    except (ValueError, RecursionError):
        said = body.decode(errors="replace")
    return Refusal(status, said, headers, had_key)


def refusal_in(chunk: Mapping[str, Any], *, had_key: bool = False) -> Refusal | None:
    """The refusal that a chunk of an answer is, None if it is none."""
    if not (error := chunk.get("error")):
        return None
    said = said_in(chunk)
    code: Any = cast("dict[str, Any]", error).get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and 400 <= code < 600:  # noqa: PLR2004  the statuses that are errors
        return Refusal(code, said, had_key=had_key)
    guessed = next((status for word, status in _WORDS.items() if word in said.lower()), 500)
    return Refusal(guessed, said, had_key=had_key)


def said_in(body: Any) -> str:
    """What an error object says, whatever its shape: `{"error": {"message", "type", "code"}}`, `{"error": "…"}` or other."""
    error = cast("dict[str, Any]", body).get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return str(error)
    told = cast("dict[str, Any]", error)
    words = [told.get(name) for name in ("message", "detail", "type", "code")]
    return " · ".join(str(word) for word in words if isinstance(word, str) and word) or json.dumps(told)


def as_error(refusal: Refusal, server: Server) -> ProviderError:
    """The error to raise for a refusal."""
    status, code = refusal.status, str(refusal.status)
    why = f"({code}: {quoted(refusal.said)})"
    if status in (401, 403):
        return _of_key(refusal, server, why)
    if (of_contents := _of_contents(refusal, server, why)) is not None:
        return of_contents
    if status == 404 or (status in (400, 422) and _MODEL.search(refusal.said)):  # noqa: PLR2004
        return ProviderError(f"{server} {server.unknown(refusal.said, why)}", code="404")
    if status in (408, 504):
        return ModelTimeoutError(f"{server} did not finish in time {why} Try again.", code=code, retryable=True)
    wait = _delay(refusal)
    asks = f" It asks to wait {wait:g} seconds." if wait is not None else ""
    is_used_up = status == 429 and _USED_UP.search(refusal.said) is not None  # noqa: PLR2004
    match status:
        case 429 if is_used_up:
            what = (
                f"says that a quota is used up {why} It was not asked again: a short wait does not help. Raise the quota, "
                f"or {_ELSE}."
            )
        case 429:
            what = f"refused because of a rate limit or quota {why}{asks} Wait, or {_ELSE}."
        case _ if status in RETRYABLE_STATUSES and "loading" in refusal.said.lower():
            what = f"is still loading its model {why}{asks} Try again in a moment."
        case _ if status in RETRYABLE_STATUSES:
            what = f"has trouble or is overloaded {why}{asks} Try again later, look at the server's own output, or {_ELSE}."
        case _ if status < 400:  # noqa: PLR2004
            what = f"sends requests elsewhere {why} Set the address that it names on the Settings page."
        case _:
            what = f"refused the request {why} Change what it objects to."
    retryable = status in RETRYABLE_STATUSES and not is_used_up
    return ProviderError(f"{server} {what}", code=code, retryable=retryable, retry_after=wait if retryable else None)


def _of_contents(refusal: Refusal, server: Server, why: str) -> ProviderError | None:
    """The error where the conversation is what the model cannot take."""
    if refusal.is_of_context:
        what = (
            f"The conversation is too long for {server.model}: {server} refused it {why} Begin a new session, send less "
            "history (include_contents='none'), or start the server with a larger context."
        )
        return ProviderError(what, code=str(refusal.status))
    if refusal.mentions(_ATTACHMENT):
        what = (
            f"{server} does not take a file or an image that it was sent {why} Choose a model that takes it, or begin a new "
            "session without it."
        )
        return ProviderError(what, code="ATTACHMENT_REFUSED")
    return None


def _of_key(refusal: Refusal, server: Server, why: str) -> ApiKeyError:
    not_accepted, missing = server.key_settings
    if refusal.had_key:
        return ApiKeyError(f"{server} did not accept the API key {why} {not_accepted}", code=str(refusal.status))
    if server.withheld:
        return ApiKeyError(f"{server} wants an API key {why} {server.withheld}", code="API_KEY_WITHHELD")
    return ApiKeyError(f"{server} wants an API key and there is none {why} {missing}", code="API_KEY_MISSING")


def _delay(refusal: Refusal) -> float | None:
    """The seconds that a server asks to wait, in a header or in words."""
    asked = asked_delay(refusal.headers)
    if asked is not None or not (found := _WAIT.search(refusal.said)):
        return asked
    minutes, amount, unit = found.groups()
    return int(minutes or 0) * 60 + float(amount) / (1000 if unit.lower() == "ms" else 1)


def silence(server: Server, seconds: float) -> ModelTimeoutError:
    """The server was silent for longer than the timeout."""
    return ModelTimeoutError(
        f"{server} was silent for {seconds:g} seconds, which is how long an answer is waited for. Try again; a large model "
        "on a slow machine reads a long conversation for minutes: give it more with timeout=… where the model is made.",
        code="TIMEOUT",
        retryable=True,
    )


def bad_response(server: Server) -> ProviderError:
    """The answer is not in the format of such a server."""
    return ProviderError(
        f"{server} sent something that is not JSON. Try again; if it stays so, check the address on the Settings page: "
        "another program may listen there.",
        code="BAD_RESPONSE",
        retryable=True,
    )


def of_exception(error: Exception, server: Server) -> ProviderError:
    """The error to raise for one that the HTTP library raised."""
    if is_unreachable(error):
        return ProviderError(
            f"{server} cannot be reached: there is no answer ({type(error).__name__}: {quoted(str(error))}) "
            f"{server.how_to_start}, or set its address on the Settings page.",
            code="CONNECTION_FAILED",
            retryable=True,
        )
    if is_timeout(error):
        return ModelTimeoutError(f"{server} did not answer in time. Try again.", code="TIMEOUT", retryable=True)
    if is_of_network(error):
        return ProviderError(
            f"The connection to {server} was cut before the answer was whole ({type(error).__name__}). Try again; if it "
            "happens again, look at the server's own output.",
            code="CONNECTION_CUT",
            retryable=True,
        )
    return ProviderError(
        f"The request to {server} could not be made or its answer not read: {type(error).__name__}: {quoted(str(error))} "
        "Check the agent's generate_content_config, tools and output_schema.",
        code="CLIENT_ERROR",
    )
