"""What can go wrong with Gemini, in words a person can act on.

The SDK's HTTP transports (aiohttp, httpx2, httpx) are told by their modules' names, so none needs to be there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from google.genai import errors, types

from agents.errors import ApiKeyError, ModelTimeoutError, ProviderError

_TRANSPORTS = frozenset({"aiohttp", "httpcore", "httpcore2", "httpx", "httpx2", "ssl", "socket"})
_RETRYABLE = frozenset({408, 429, 500, 502, 503, 504})
_LONGEST_QUOTE = 300
_SSL_OBJECT = re.compile(r" ssl:<[^>]*>")  # aiohttp's messages have one
_SHORTEST_KEY = 8  # a shorter one guards nothing and would be found in any text
_SIMULATED = "run with the model 'simulated', which needs no key and no network"


def missing_key() -> ApiKeyError:
    """No key is given and none is in the environment."""
    return ApiKeyError(
        "Gemini needs an API key and there is none. Set GEMINI_API_KEY (or GOOGLE_API_KEY) and start again, "
        f"or {_SIMULATED}.",
        code="API_KEY_MISSING",
    )


def silence(model: str, seconds: float) -> ModelTimeoutError:
    """Nothing came for as long as we wait."""
    return ModelTimeoutError(
        f"Gemini ({model}) was silent for {seconds:g} seconds, which is how long an answer is waited for. Try again, or "
        "give Gemini(timeout=…) more seconds if the model thinks long.",
        code="TIMEOUT",
        retryable=True,
    )


def broken_off(model: str, cause: str = "no finish reason came") -> ProviderError:
    """The connection was lost, or a stream ended without the model having said that it is done."""
    return ProviderError(
        f"The connection to Gemini ({model}) was cut before the answer was whole ({cause}). Try again.",
        code="CONNECTION_CUT",
        retryable=True,
    )


def as_provider_error(error: Exception, *, model: str, key: str) -> ProviderError:
    """The error to raise for one that the SDK raised.

    Args:
        error: What the SDK raised.
        model: The model that was called.
        key: The API key: it is taken out of whatever a server or proxy may have echoed.
    """
    raised = _translate(error, model)
    raised.args = (_redacted(str(raised), key),)
    # A traceback shows the cause too, so one that mentions the key is left out.
    shown = f"{error!s}{error!r}{error.__cause__!r}{error.__context__!r}"
    raised.__cause__ = error if _redacted(shown, key) == shown else None
    raised.__suppress_context__ = True
    return raised


def _redacted(text: str, key: str) -> str:
    return text.replace(key, "•••") if len(key) >= _SHORTEST_KEY else text


def _translate(error: Exception, model: str) -> ProviderError:
    if isinstance(error, errors.APIError):
        return _of_status(error, model)
    if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
        return ModelTimeoutError(
            f"Gemini ({model}) did not answer in time ({type(error).__name__}). Try again.", code="TIMEOUT", retryable=True
        )
    if isinstance(error, (errors.UnknownApiResponseError, json.JSONDecodeError, UnicodeDecodeError)):
        return ProviderError(
            f"Gemini ({model}) sent something that is not JSON. Try again; if it stays so, look at the proxy or the base "
            "URL in use.",
            code="BAD_RESPONSE",
            retryable=True,
        )
    if _is_transport_error(error):
        return _of_transport(error, model)
    return ProviderError(
        f"The Gemini client could not make or read this request to {model}: {type(error).__name__}: "
        f"{_quoted(str(error))} Check the agent's generate_content_config, tools and output_schema.",
        code="CLIENT_ERROR",
    )


def _is_transport_error(error: Exception) -> bool:
    modules = {base.__module__.partition(".")[0] for base in type(error).__mro__}
    return isinstance(error, OSError) or bool(modules & _TRANSPORTS)


def _of_transport(error: Exception, model: str) -> ProviderError:
    name = type(error).__name__
    if isinstance(error, ConnectionRefusedError) or "Connect" in name.replace("Disconnect", ""):
        said = _quoted(_SSL_OBJECT.sub("", str(error)))
        return ProviderError(
            f"Gemini ({model}) cannot be reached ({name}: {said}) Check the network, a proxy, or "
            f"GOOGLE_GEMINI_BASE_URL if it is set, or {_SIMULATED}.",
            code="CONNECTION_FAILED",
            retryable=True,
        )
    return broken_off(model, name)


def _of_status(error: errors.APIError, model: str) -> ProviderError:
    status = error.code
    code = str(status)
    word = f"{status} {error.status}" if error.status else code
    said = _quoted(error.message or "")
    if _reasons(error) & {"API_KEY_INVALID", "API_KEY_EXPIRED"} or "API key" in said or status in (401, 403):
        return ApiKeyError(
            f"Gemini did not accept the API key ({word}: {said}) Check GEMINI_API_KEY or GOOGLE_API_KEY (which wins), "
            f"or {_SIMULATED}.",
            code="API_KEY_INVALID" if status == 400 else code,  # noqa: PLR2004
        )
    match status:
        case 404:
            what = (
                f"Gemini knows no model {model!r} for this key ({word}: {said}) Check the spelling, or choose another model."
            )
        case 429:
            delay = retry_delay(error)
            wait = f" It asks to wait {delay:g} seconds." if delay is not None else ""
            what = f"Gemini refused because of a rate limit or quota ({word}: {said}){wait} Wait, or choose another model."
        case 408 | 504:
            return ModelTimeoutError(
                f"Gemini ({model}) did not finish in time ({word}: {said}) Try again, or ask for less.",
                code=code,
                retryable=True,
            )
        case _ if status in _RETRYABLE:
            what = (
                f"Gemini ({model}) has trouble or is overloaded ({word}: {said}) Try again later, or choose another model."
            )
        case _:
            what = f"Gemini ({model}) refused the request ({word}: {said}) Change what it objects to."
    return ProviderError(what, code=code, retryable=status in _RETRYABLE)


def retry_delay(error: errors.APIError) -> float | None:
    """The seconds that the server asks to wait (`google.rpc.RetryInfo`), None if it does not."""
    for detail in _details(error):
        found = re.fullmatch(r"(\d+(?:\.\d+)?)s", str(detail.get("retryDelay", "")))
        if found:
            return float(found[1])
    return None


def _reasons(error: errors.APIError) -> set[str]:
    return {str(detail["reason"]) for detail in _details(error) if "reason" in detail}


def _details(error: errors.APIError) -> list[Mapping[str, Any]]:
    body = cast("Any", error.details)  # pyright: ignore[reportUnknownMemberType]  untyped in the SDK
    inner = cast("Any", body).get("error", body) if isinstance(body, dict) else None
    details = cast("Any", inner).get("details") if isinstance(inner, dict) else None
    listed = cast("list[Any]", details) if isinstance(details, list) else []
    return [cast("Mapping[str, Any]", one) for one in listed if isinstance(one, dict)]


def _quoted(text: str) -> str:
    line = " ".join(text.split()) or "no reason given"
    line = line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 1] + "…"
    return line if line.endswith((".", "!", "?", "…")) else line + "."


_STOPS: Mapping[types.FinishReason, str] = {
    types.FinishReason.MALFORMED_FUNCTION_CALL: "it wrote a tool call that cannot be read",
    types.FinishReason.UNEXPECTED_TOOL_CALL: "it called a tool that it was not given",
    types.FinishReason.TOO_MANY_TOOL_CALLS: "it called tools too many times",
    types.FinishReason.MISSING_THOUGHT_SIGNATURE: "a thought signature is missing from the history that it was sent",
    types.FinishReason.NO_IMAGE: "it was to make an image and made none",
    types.FinishReason.MALFORMED_RESPONSE: "its answer cannot be read",
}


def why_stopped(reason: types.FinishReason, message: str | None) -> str:
    """A sentence for a person on an answer that did not come to its natural end."""
    if reason is types.FinishReason.MAX_TOKENS:
        return (
            "Gemini used all of its max_output_tokens before it said anything, maybe for thoughts. Raise the limit, or "
            "lower the thinking budget."
        )
    said = f" It says: {_quoted(message)}" if message else ""
    if cause := _STOPS.get(reason):
        return f"Gemini stopped because {cause} ({reason.value}).{said} Run the agent again, or simplify its tools."
    return f"Gemini held its answer back ({reason.value}).{said} Put the request differently, or use another model."


def why_blocked(reason: str, message: str | None) -> str:
    """A sentence for a person on a prompt that was not answered at all."""
    said = f" It says: {_quoted(message)}" if message else ""
    return f"Gemini did not take the prompt ({reason}).{said} Put it differently, or use another model."
