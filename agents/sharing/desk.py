"""Export and import for callers in any thread: the sessions of a run manager."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agents.access import Action
from agents.errors import SessionFileError, known
from agents.pipelines.catalog import CODING_SESSION
from agents.runs.manager import RunManager
from agents.runs.services import Services
from agents.session import Session
from agents.sharing.adk import read_adk_session
from agents.sharing.reader import MAX_SESSION_FILE_BYTES, file_text, read_session_file
from agents.sharing.session_file import FORMAT, SessionFile
from agents.sharing.sharing import Sharing
from agents.storage.given_file import read_given


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A session that was imported.

    Attributes:
        pipeline: Its pipeline.
        session_id: Its new id.
        title: Its title.
        events: How many events it has.
        playbooks: The names of the playbooks that came along, as they are here.
        files: How many versions of files came along.
    """

    pipeline: str
    session_id: str
    title: str
    events: int
    playbooks: tuple[str, ...] = ()
    files: int = 0


def export_session(manager: RunManager, pipeline: str, session_id: str) -> SessionFile:
    """A stored session as a file holds it, with the state of all scopes; see `SessionFile.within`.

    Raises:
        SessionNotFoundError: There is no such session.
        DatabaseError: It cannot be read.
    """
    key = manager.key(Action.EXPORT, pipeline, session_id)
    return manager.in_store(lambda services: _sharing(services).export_session(**key.name), action=Action.EXPORT)


def import_session(manager: RunManager, file: SessionFile, *, pipeline: str | None = None) -> Imported:
    """Adds the session of a file with a new id. All of it is added, or nothing.

    Args:
        manager: Where to.
        file: The file, as `read_shared` gives it.
        pipeline: The pipeline that it will be of; by default the file's.

    Raises:
        SessionFileError: Its pipeline is not here.
        DatabaseError: It cannot be stored.
    """
    wanted = pipeline or file.pipeline
    if wanted not in (names := manager.catalog.names()) and wanted != CODING_SESSION:
        raise SessionFileError(
            f"The session is of the pipeline {wanted[:80]!r}, which is not here. Start the playground with --agents and the "
            f"folder that has it, or import the session as one of another pipeline: {known(names)}. Nothing was imported."
        )

    async def work(services: Services) -> Session:
        return await _sharing(services).import_session(file, user_id=manager.user.id, app_name=wanted)

    session = manager.in_store(work, action=Action.IMPORT)
    row = manager.sessions.find(wanted, session.id)
    added = f"(import {session.id[:8]})"
    return Imported(
        pipeline=wanted,
        session_id=session.id,
        title=file.title if row is None else row.title,
        events=file.events,
        playbooks=tuple(info.name for info in manager.playbooks("default").names() if info.name.endswith(added)),
        files=len(file.artifacts),
    )


def read_shared(content: bytes) -> SessionFile:
    """The session of a file in either format.

    Raises:
        SessionFileError: It is in neither, or it cannot be read.
    """
    text = file_text(content).lstrip()
    if text[:15].lower().startswith(("<!doctype", "<html")):
        raise SessionFileError(
            "This is a page to look at. Import the file of JSON lines of the same session, or ADK's JSON, instead."
        )
    first = text.partition("\n")[0]
    if text.startswith("{") and f'"{FORMAT}"' not in first:
        return read_adk_session(content)
    return read_session_file(content)


def read_shared_file(path: Path) -> SessionFile:
    """The session of a file; see `read_shared`.

    Raises:
        SessionFileError: It is no session, or cannot be read.
        OSError: It is not there, may not be read, is too large, or is a device or a pipe; `strerror` says it.
    """
    return read_shared(read_given(path, most=MAX_SESSION_FILE_BYTES))


def _sharing(services: Services) -> Sharing:
    return Sharing(services.sessions, artifact_service=services.artifacts, playbooks=services.playbooks)
