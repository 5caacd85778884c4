"""Sessions as files: a lossless one of JSON lines, ADK's session JSON, both ways; and as Python code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.sharing.adk import read_adk_session as read_adk_session
    from agents.sharing.adk import to_adk as to_adk
    from agents.sharing.code.session_code import SessionCode as SessionCode
    from agents.sharing.code.session_code import session_code as session_code
    from agents.sharing.desk import Imported as Imported
    from agents.sharing.desk import export_session as export_session
    from agents.sharing.desk import import_session as import_session
    from agents.sharing.desk import read_shared as read_shared
    from agents.sharing.desk import read_shared_file as read_shared_file
    from agents.sharing.reader import MAX_SESSION_FILE_BYTES as MAX_SESSION_FILE_BYTES
    from agents.sharing.reader import read_session_file as read_session_file
    from agents.sharing.references import SCOPES as SCOPES
    from agents.sharing.session_file import SessionFile as SessionFile
    from agents.sharing.sharing import Sharing as Sharing

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
