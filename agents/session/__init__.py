"""Sessions, and the contract of the services that keep them."""

from agents.session.imported import ImportedLog, SessionImport
from agents.session.service import (
    BaseSessionService,
    SessionListener,
    WaitingListener,
    session_not_found,
)
from agents.session.session import GetSessionConfig, ListSessionsResponse, Session

__all__ = [
    "BaseSessionService",
    "GetSessionConfig",
    "ImportedLog",
    "ListSessionsResponse",
    "Session",
    "SessionImport",
    "SessionListener",
    "WaitingListener",
    "session_not_found",
]
