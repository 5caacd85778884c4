"""Gemini's errors, in words that a user can act on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, cast

from google.genai import errors, types

from agents.errors import ApiKeyError, ModelTimeoutError, ProviderError
from agents.models.connections import Connection, why_withheld
from agents.models.http_errors import (
    RETRYABLE_STATUSES,
    asked_delay,
    caused_by,
    is_of_network,
    is_timeout,
    is_unreachable,
    quoted,
)

_OF_THE_KEY = frozenset({"API_KEY_INVALID", "API_KEY_EXPIRED"})
_DELAY = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s")
_SIMULATED = "run with the model 'simulated', which needs no key and no network"


def missing_key() -> ApiKeyError:
    """No key was passed or typed, and none is in the environment."""
    return ApiKeyError(
        "Gemini needs an API key and there is none. Type one on the Settings page, or set GEMINI_API_KEY (or "
        f"GOOGLE_API_KEY) and start again, or {_SIMULATED}.",
        code="API_KEY_MISSING",
    )


def withheld_key(known: Connection) -> ApiKeyError:
    """A key is set, but for another server."""
    return ApiKeyError(f"Gemini was not asked. {why_withheld('gemini', known)}", code="API_KEY_WITHHELD")


def odd_key() -> ApiKeyError:
    """The key has characters that no header can hold."""
    return ApiKeyError(
        "The API key for Gemini cannot be one: it has line ends, or letters other than a to z. Copy it again and type it on "
        "the Settings page, or set GEMINI_API_KEY (or GOOGLE_API_KEY) and start again.",
        code="API_KEY_INVALID",
    )


def silence(model: str | None, seconds: float) -> ModelTimeoutError:
    """The model was silent for longer than the timeout."""
    more = ", or give Gemini(timeout=…) more seconds if the model thinks long" if model else ""
    return ModelTimeoutError(
        f"{_named(model)} was silent for {seconds:g} seconds, which is how long an answer is waited for. Try again{more}.",
        code="TIMEOUT",
        retryable=True,
    )


def broken_off(model: str | None, cause: str = "no finish reason came") -> ProviderError:
    """The connection was lost, or a stream ended without its end mark."""
    return ProviderError(
        f"The connection to {_named(model)} was cut before the answer was whole ({cause}). Try again.",
        code="CONNECTION_CUT",
        retryable=True,
    )


def as_provider_error(error: Exception, *, model: str | None, key: str) -> ProviderError:
    """The error to raise, outside of the `except` block, for one that the SDK raised.

    Args:
        error: What the SDK raised.
        model: The model that was called; None where the server was asked for its models.
        key: The API key: it is redacted, since a server or proxy may echo it.
    """
    return caused_by(_translate(error, model), error, key=key)


def _named(model: str | None) -> str:
    return f"Gemini ({model})" if model else "Gemini"


def _translate(error: Exception, model: str | None) -> ProviderError:
    if isinstance(error, errors.APIError):
        return _of_status(error, model)
    if is_timeout(error):
        return ModelTimeoutError(
            f"{_named(model)} did not answer in time ({type(error).__name__}). Try again.", code="TIMEOUT", retryable=True
        )
    if isinstance(error, (errors.UnknownApiResponseError, json.JSONDecodeError, UnicodeDecodeError)):
        return ProviderError(
            f"{_named(model)} sent something that is not JSON. Try again; if it stays so, look at the proxy or the base "
            "URL in use.",
            code="BAD_RESPONSE",
            retryable=True,
        )
    if is_unreachable(error):
        return ProviderError(
            f"{_named(model)} cannot be reached ({type(error).__name__}: {quoted(str(error))}) Check the network, a proxy, "
            f"or the server's address on the Settings page or in GOOGLE_GEMINI_BASE_URL, or {_SIMULATED}.",
            code="CONNECTION_FAILED",
            retryable=True,
        )
    if is_of_network(error):
        return broken_off(model, type(error).__name__)
    return ProviderError(
        f"The Gemini client could not make or read this request to {_named(model)}: {type(error).__name__}: "
        f"{quoted(str(error))} Check the agent's generate_content_config, tools and output_schema.",
        code="CLIENT_ERROR",
    )


def _of_status(error: errors.APIError, model: str | None) -> ProviderError:
    status, delay = error.code, retry_delay(error)
    word = f"{status} {error.status}" if error.status else str(status)
    said = f"({word}: {quoted(error.message or '')})"
    if _is_about_the_key(error):
        return ApiKeyError(
            f"Gemini did not accept the API key {said} Type another one on the Settings page, or check GEMINI_API_KEY or "
            f"GOOGLE_API_KEY (which wins), or {_SIMULATED}.",
            code="API_KEY_INVALID" if status == HTTPStatus.BAD_REQUEST else str(status),
        )
    wait = f" It asks to wait {delay:g} seconds." if delay is not None else ""
    kind = ProviderError
    is_of_day = status == HTTPStatus.TOO_MANY_REQUESTS and _is_quota_of_day(error)
    match status:
        case _ if status in range(300, 400):
            what = (
                f"{_named(model)} answered with a redirect {said} A redirect is not followed, because the API key would go "
                "with it. Set the server's own address on the Settings page or in GOOGLE_GEMINI_BASE_URL."
            )
        case 400 if "function calling" in (error.message or "").lower():
            what = (
                f"{_named(model)} cannot use its own tools beside functions {said} Give google_search, url_context or the "
                "code executor to an agent that has no other tools and hands over to nobody, and use it with AgentTool."
            )
        case 404 if model:
            what = f"Gemini knows no model {model!r} for this key {said} Choose another model."
        case 404:
            what = f"Gemini's server gives no list of models {said} Check its address on the Settings page."
        case 429 if is_of_day:
            what = (
                f"The quota of a day for {_named(model)} is used up {said} It was not asked again: a short wait does "
                "not help. Choose another model, raise the quota, or go on tomorrow."
            )
        case 429:
            what = f"Gemini refused because of a rate limit or quota {said}{wait} Wait, or choose another model."
        case 408 | 504:
            kind = ModelTimeoutError
            what = f"{_named(model)} did not finish in time {said}{wait} Try again, or ask for less."
        case _ if status in RETRYABLE_STATUSES:
            what = f"{_named(model)} has trouble or is overloaded {said}{wait} Try again later, or choose another model."
        case _:
            what = f"{_named(model)} refused the request {said} Change what it objects to."
    return kind(what, code=str(status), retryable=status in RETRYABLE_STATUSES and not is_of_day, retry_after=delay)


def _is_quota_of_day(error: errors.APIError) -> bool:
    """Whether a quota of a day is what is used up (`google.rpc.QuotaFailure`); its `retryDelay` is then of no use."""
    violations = [one for detail in _details(error) for one in cast("list[Any]", detail.get("violations") or [])]
    told = [str(cast("Mapping[str, Any]", one).get("quotaId", "")) for one in violations if isinstance(one, dict)]
    return any("PerDay" in one for one in told) or "per day" in (error.message or "").lower()


def _is_about_the_key(error: errors.APIError) -> bool:
    if error.code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN) or _reasons(error) & _OF_THE_KEY:
        return True
    return error.code == HTTPStatus.BAD_REQUEST and "API key" in (error.message or "")


def retry_delay(error: errors.APIError) -> float | None:
    """The seconds that the server asks to wait (`google.rpc.RetryInfo`, else `Retry-After`), None if it does not."""
    for detail in _details(error):
        if found := _DELAY.fullmatch(str(detail.get("retryDelay", ""))):
            return float(found[1])
    response = cast("Any", error).response
    return asked_delay(getattr(response, "headers", None))


def _reasons(error: errors.APIError) -> set[str]:
    return {str(detail["reason"]) for detail in _details(error) if "reason" in detail}


def _details(error: errors.APIError) -> list[Mapping[str, Any]]:
    body = cast("Any", error.details)  # pyright: ignore[reportUnknownMemberType]  untyped in the SDK
    inner = cast("Any", body).get("error", body) if isinstance(body, dict) else None
    details = cast("Any", inner).get("details") if isinstance(inner, dict) else None
    listed = cast("list[Any]", details) if isinstance(details, list) else []
    return [cast("Mapping[str, Any]", one) for one in listed if isinstance(one, dict)]


_STOPS: Mapping[types.FinishReason, str] = {
    types.FinishReason.MALFORMED_FUNCTION_CALL: "it wrote a tool call that cannot be read",
    types.FinishReason.UNEXPECTED_TOOL_CALL: "it called a tool that it was not given",
    types.FinishReason.TOO_MANY_TOOL_CALLS: "it called tools too many times",
    types.FinishReason.MISSING_THOUGHT_SIGNATURE: "a thought signature is missing from the history that it was sent",
    types.FinishReason.NO_IMAGE: "it was to make an image and made none",
    types.FinishReason.MALFORMED_RESPONSE: "its answer cannot be read",
}


def why_stopped(reason: types.FinishReason, message: str | None) -> str:
    """A sentence for the user on an answer that was cut short."""
    if reason is types.FinishReason.MAX_TOKENS:
        return (
            "Gemini used all of its max_output_tokens before it said anything, maybe for thoughts. Raise the limit, or "
            "lower the thinking budget."
        )
    said = f" It says: {quoted(message)}" if message else ""
    if cause := _STOPS.get(reason):
        return f"Gemini stopped because {cause} ({reason.value}).{said} Run the agent again, or simplify its tools."
    return f"Gemini held its answer back ({reason.value}).{said} Put the request differently, or use another model."


def why_blocked(reason: str, message: str | None) -> str:
    """A sentence for the user on a prompt that was not answered at all."""
    said = f" It says: {quoted(message)}" if message else ""
    return f"Gemini did not take the prompt ({reason}).{said} Put it differently, or use another model."
