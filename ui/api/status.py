"""The HTTP status of an error, in every protocol."""

from __future__ import annotations

from agents import (
    ArtifactError,
    DatabaseError,
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
    (DatabaseError, 503),
    (PersonError, 400),
    (ArtifactError, 400),
    (ProviderError, 502),
)


def status_of(error: PlaygroundError) -> int:
    """The status of the answer."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
