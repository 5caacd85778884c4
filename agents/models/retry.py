"""Retries a failed model call: with backoff and jitter, and not before its server allows it.

The one place for retries, for all providers with a server. A call that has yielded output is never retried. An error says
itself whether a retry is worth it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, fields
from typing import Any, Self

from google.genai import types
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from agents.errors import InjectedFaultError, ModelTimeoutError, ProviderError
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.connections import redact

_SILENCE = "TIMEOUT"

_Begun = tuple[AsyncGenerator[LlmResponse, None], LlmResponse | None]


@dataclass(frozen=True, slots=True)
class Policy:
    """The retry policy: the fields of `types.HttpRetryOptions`, all of them set.

    Attributes:
        attempts: Most attempts, the first one included.
        initial_delay: Seconds before the second attempt.
        max_delay: Longest wait in seconds; a server that asks for more is not retried.
        exp_base: What the delay is multiplied by after each attempt.
        jitter: Up to so many seconds more, at random, so that clients do not come back all at once.
        http_status_codes: The statuses to try again after; None leaves it to the error. An error without a status
            always decides itself.
    """

    attempts: int = 4
    initial_delay: float = 1.0
    max_delay: float = 60.0
    exp_base: float = 2.0
    jitter: float = 1.0
    http_status_codes: tuple[int, ...] | None = None

    @classmethod
    def of(cls, options: types.HttpRetryOptions | None) -> Self:
        """The policy of a model's `retry_options`; fields that are not set have the defaults."""
        given = {field.name: getattr(options, field.name, None) for field in fields(cls)}
        return cls(**{name: value for name, value in given.items() if value is not None})

    def wants(self, error: BaseException) -> bool:
        """Whether another attempt is worth it after `error`."""
        if not isinstance(error, ProviderError) or isinstance(error, InjectedFaultError):
            return False
        if isinstance(error, ModelTimeoutError) and error.code == _SILENCE:
            return False  # our own timeout has ended, and the model may still be working
        return self._is_retryable(error) and not self.is_too_long(error)

    def _is_retryable(self, error: ProviderError) -> bool:
        if self.http_status_codes is None or not error.code.isdecimal():
            return error.retryable
        return int(error.code) in self.http_status_codes

    def is_too_long(self, error: ProviderError) -> bool:
        """Whether the server asks for a longer wait than there is time for."""
        return error.retry_after is not None and error.retry_after > self.max_delay


async def sleep(seconds: float) -> None:
    """Waits between two attempts."""
    await asyncio.sleep(seconds)


def attempts(model: BaseLlm, request: LlmRequest, *, stream: bool) -> AsyncGenerator[LlmResponse, None]:
    """Calls a model, with retries as its `retry_options` say.

    Each failed attempt that is followed by another is recorded as `model_retry` before the wait. A model without such
    a field is called once.

    Args:
        model: The model. Its `retry_options` may be None, for the default policy; those in the request's `http_options`
            win.
        request: What to send.
        stream: Whether to yield pieces before the whole.

    Returns:
        The model's responses.

    Raises:
        ProviderError: That of the last attempt, which says how many there were.
    """
    if "retry_options" not in vars(model):
        return model.generate_content_async(request, stream=stream)
    for_this_call = request.config.http_options and request.config.http_options.retry_options
    policy = Policy.of(for_this_call or getattr(model, "retry_options"))
    return _Attempts(model, request, policy, stream=stream).responses()


class _Attempts:
    """The attempts of one call."""

    def __init__(self, model: BaseLlm, request: LlmRequest, policy: Policy, *, stream: bool) -> None:
        self._model = model
        self._request = request
        self._policy = policy
        self._stream = stream
        self._made = 0
        self._backoff = wait_exponential_jitter(policy.initial_delay, policy.max_delay, policy.exp_base, policy.jitter)

    async def responses(self) -> AsyncGenerator[LlmResponse, None]:
        retrying = AsyncRetrying(
            sleep=sleep,
            stop=stop_after_attempt(self._policy.attempts),
            wait=self._delay,
            retry=retry_if_exception(self._policy.wants),
            before_sleep=self._note,
            reraise=True,
        )
        try:
            begun: _Begun = await retrying(self._begin)
        except ProviderError as error:
            self._complete(error)
            raise
        responses, first = begun
        async with aclosing(responses):
            if first is not None:
                yield first
            async for response in responses:
                yield response

    async def _begin(self) -> _Begun:
        """Asks once, up to the first response."""
        self._made += 1
        responses = self._model.generate_content_async(self._request, stream=self._stream)
        return responses, await anext(responses, None)

    def _delay(self, state: RetryCallState) -> float:
        asked = _error_of(state).retry_after
        backoff = self._backoff(state)
        if asked is None:
            return backoff
        spread = random.uniform(0, self._policy.jitter)  # noqa: S311  it guards nothing
        return max(backoff, min(asked + spread, self._policy.max_delay))

    def _note(self, state: RetryCallState) -> None:
        if (observer := self._request.observer) is None:
            return
        error = _error_of(state)
        told: dict[str, Any] = {"error": redact(str(error)), "code": error.code}
        delay = round(state.upcoming_sleep, 3)
        observer.note("model_retry", model=self._model.model, attempt=self._made, delay=delay, **told)

    def _complete(self, error: ProviderError) -> None:
        """Adds to the message what has been tried, and why no more than that."""
        said = str(error)
        if error.retryable and self._policy.is_too_long(error):
            said += (
                f" A wait of {error.retry_after:g} seconds is longer than the {self._policy.max_delay:g} that are waited at "
                "most before another attempt (retry_options.max_delay)."
            )
        if self._made > 1:
            said += f" It was tried {self._made} times."
        error.args = (said,)


def _error_of(state: RetryCallState) -> ProviderError:
    error = state.outcome and state.outcome.exception()
    assert isinstance(error, ProviderError)
    return error
