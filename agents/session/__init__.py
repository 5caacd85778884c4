"""Sessions, and the contract of the services that keep them."""

from agents.session.imported import ImportedLog as ImportedLog
from agents.session.imported import SessionImport as SessionImport
from agents.session.service import BaseSessionService as BaseSessionService
from agents.session.service import Leases as Leases
from agents.session.service import Orphan as Orphan
from agents.session.service import RoomCheck as RoomCheck
from agents.session.service import SessionListener as SessionListener
from agents.session.service import WaitingListener as WaitingListener
from agents.session.service import session_not_found as session_not_found
from agents.session.session import GetSessionConfig as GetSessionConfig
from agents.session.session import ListSessionsResponse as ListSessionsResponse
from agents.session.session import Session as Session
