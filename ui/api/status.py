"""The HTTP status of an error, in every protocol."""

from __future__ import annotations

from math import ceil

from agents import (
    ArtifactError,
    DatabaseError,
    LimitReachedError,
    NotPermittedError,
    PersonError,
    PipelineNotFoundError,
    PlaygroundError,
    ProviderError,
    RunInProgressError,
    SessionExistsError,
    SessionNotFoundError,
)
from ui.api.json_body import BodyTooLargeError, ClientGoneError

TOO_MANY = 429
RETRY_SECONDS = 30
"""When to ask again where that depends on what users do."""
CLIENT_GONE = 499
"""Nobody reads the answer."""
_STATUS: tuple[tuple[type[PlaygroundError], int], ...] = (
    (BodyTooLargeError, 413),
    (ClientGoneError, CLIENT_GONE),
    (PipelineNotFoundError, 404),
    (SessionNotFoundError, 404),
    (SessionExistsError, 409),
    (RunInProgressError, 409),
    (NotPermittedError, 403),
    (LimitReachedError, TOO_MANY),
    (DatabaseError, 503),
    (PersonError, 400),
    (ArtifactError, 400),
    (ProviderError, 502),
)


def retry_headers(error: PlaygroundError) -> dict[str, str]:
    """The headers of an answer that say when to ask again, for an error of a limit."""
    if not isinstance(error, LimitReachedError):
        return {}
    return {"Retry-After": str(ceil(RETRY_SECONDS if error.retry_after is None else error.retry_after))}


def status_of(error: PlaygroundError) -> int:
    """The status of the answer."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
