"""Sessions as files: a lossless one of JSON lines, ADK's session JSON, both ways; and as Python code."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.sharing.adk import event_to_adk, read_adk_session, to_adk
    from agents.sharing.code.session_code import SessionCode, session_code
    from agents.sharing.desk import Imported, export_session, import_session, read_shared, read_shared_file
    from agents.sharing.reader import MAX_SESSION_FILE_BYTES, read_session_file
    from agents.sharing.references import SCOPES
    from agents.sharing.session_file import SessionFile
    from agents.sharing.sharing import Sharing

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
