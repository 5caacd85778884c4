"""How often a node of a graph is run again if it fails, and after how long."""

from __future__ import annotations

import random
from typing import Any

from pydantic import BaseModel, field_validator

_ATTEMPTS, _INITIAL_DELAY, _MAX_DELAY, _BACKOFF_FACTOR, _JITTER = 5, 1.0, 60.0, 2.0, 1.0
_JITTERS = random.Random()  # noqa: S311  it spreads retries


class RetryConfig(BaseModel):
    """Retries of a node. A field that is None has its default.

    Attributes:
        max_attempts: Most runs, the first one included; 5 by default, 0 or 1 for no retry.
        initial_delay: Seconds before the second run; 1 by default.
        max_delay: Most seconds between runs; 60 by default.
        backoff_factor: What the delay is multiplied by after each run; 2 by default.
        jitter: By what part of it a delay may differ, at random; 1 by default, 0 for no difference.
        exceptions: The exceptions that lead to a retry, as classes or names, subclasses included; None for all.
    """

    max_attempts: int | None = None
    initial_delay: float | None = None
    max_delay: float | None = None
    backoff_factor: float | None = None
    jitter: float | None = None
    exceptions: list[str] | None = None

    @field_validator("exceptions", mode="before")
    @classmethod
    def _as_names(cls, value: Any) -> Any:
        if not isinstance(value, list | tuple | set):
            return value
        given: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        if odd := [each for each in given if not isinstance(each, str) and not _is_exception(each)]:
            raise ValueError(f"exceptions holds {odd[0]!r}: write exception class names, or the classes themselves.")
        return [each if isinstance(each, str) else each.__name__ for each in given]

    def allows(self, error: Exception, attempt: int) -> bool:
        """Whether a node whose run number `attempt` failed with `error` is run again."""
        if attempt >= (_ATTEMPTS if self.max_attempts is None else self.max_attempts):
            return False
        names = {kind.__name__ for kind in type(error).__mro__[:-1]}
        return self.exceptions is None or not names.isdisjoint(self.exceptions)

    def delay_after(self, attempt: int) -> float:
        """Seconds between the run number `attempt` and the next."""
        most = _MAX_DELAY if self.max_delay is None else self.max_delay
        jitter = _JITTER if self.jitter is None else self.jitter
        first = _INITIAL_DELAY if self.initial_delay is None else self.initial_delay
        factor = _BACKOFF_FACTOR if self.backoff_factor is None else self.backoff_factor
        delay = first * factor ** (attempt - 1)
        if jitter > 0:
            delay = min(delay, most / (1 + jitter))
            delay += _JITTERS.uniform(-jitter * delay, jitter * delay)
        return max(0.0, min(delay, most))


def _is_exception(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)
