"""Imports sessions of coding agents: a file, or all of a folder. Nothing of them is fetched or run."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from agents.access import Action
from agents.errors import SessionFileError
from agents.log import TraceRecord
from agents.pipelines.catalog import CODING_SESSION
from agents.records import Imported
from agents.runs.manager import RunManager
from agents.runs.services import Services
from agents.session import ImportedLog, Session, SessionImport
from agents.session_list import SessionFilter
from agents.storage.given_file import open_given
from agents.transcripts.formats.fields import text_in
from agents.transcripts.lines import loaded
from agents.transcripts.reading import AGENT_FILE, HelperFiles, Progress, Transcript, may_be_transcript, read_transcript

MOST_FILES = 20_000
"""Most files of a folder."""
_START = 1_000_000
"""Bytes at the beginning of a file that tell whose it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTranscript:
    """What became of a file.

    Attributes:
        name: The file, in the folder that was given.
        session_id: The session's id here; "" if none was added.
        title: Its title.
        events: How many events it has.
        format: Whose file it is.
        masked: How many secrets of each kind were masked.
        unread: How many lines could not be read, and are kept as they are.
        left_out: Lines that say nothing of the conversation, by their kind.
        encodings: How many lines were in another encoding than UTF-8.
        is_known: Whether the same session was here already, and was not added again.
        problem: Why nothing was added; "" for no problem.
    """

    name: str
    session_id: str = ""
    title: str = ""
    events: int = 0
    format: str = ""
    masked: dict[str, int] = field(default_factory=dict[str, int])
    unread: int = 0
    left_out: dict[str, int] = field(default_factory=dict[str, int])
    encodings: dict[str, int] = field(default_factory=dict[str, int])
    is_known: bool = False
    problem: str = ""


def is_transcript(path: Path) -> bool:
    """Whether a file is a session of a coding agent, and not one that was exported here or by ADK.

    Raises:
        OSError: It cannot be read.
    """
    with open_given(path) as file:
        return may_be_transcript(file.read(_START))


def transcript_files(folder: Path) -> list[Path]:
    """The files of a folder, and of those in it, that are sessions; files of sub-agents belong to their sessions.

    Raises:
        SessionFileError: There are too many, or none.
        OSError: The folder cannot be read.
    """
    root = folder.resolve()
    found = sorted(
        path
        for path in root.rglob("*.json*")
        if path.suffix in (".jsonl", ".json") and path.is_file() and path.resolve().is_relative_to(root)
    )
    names = {path.stem for path in found}
    if len(found) > MOST_FILES:
        raise SessionFileError(f"There are {len(found):,} files in {folder}; {MOST_FILES:,} is the most. Name a part of it.")
    own = (path for path in found if not (path.name.startswith(AGENT_FILE) and _has_session(path, names)))
    files = [path for path in own if _is_readable_transcript(path)]
    if not files:
        raise SessionFileError(
            f"There is no session of a coding agent in {folder}. Name a folder such as ~/.claude/projects, or a file."
        )
    return files


def _is_readable_transcript(path: Path) -> bool:
    try:
        return is_transcript(path)
    except OSError:
        return False


def import_folder(
    manager: RunManager, files: Sequence[Path], *, below: Path, mask: bool = True, progress: Progress | None = None
) -> Iterator[ImportedTranscript]:
    """Imports sessions, and says of each file what became of it. One that cannot be read harms no other.

    Args:
        manager: Where to.
        files: The files, as `transcript_files` gives them.
        below: The folder that their names are told from.
        mask: Whether secrets are masked.
        progress: Called with the bytes read of a file.

    Raises:
        DatabaseError: A session cannot be stored.
    """
    helpers = HelperFiles()
    known = _known(manager)
    for path in files:
        name = str(path.relative_to(below.resolve()) if path.is_relative_to(below.resolve()) else path.name)
        try:
            with open_given(path) as file:
                read = read_transcript(
                    file,
                    name=name,
                    mask=mask,
                    helpers=helpers.of(path),
                    is_helper=path.name.startswith(AGENT_FILE),
                    progress=progress,
                )
        except SessionFileError as error:
            yield ImportedTranscript(name=name, problem=str(error))
            continue
        except OSError as error:
            yield ImportedTranscript(name=name, problem=f"{name} cannot be read: {error.strerror or error}.")
            continue
        yield _stored(manager, read, name, known)


def import_transcript(
    manager: RunManager, file: BinaryIO, *, name: str, mask: bool = True, progress: Progress | None = None
) -> ImportedTranscript:
    """Imports the session of a file that is open, without files of sub-agents.

    Args:
        manager: Where to.
        file: The file, at its beginning.
        name: What it is called.
        mask: Whether secrets are masked.
        progress: Called with the bytes read.

    Raises:
        SessionFileError: It is no session of a coding agent.
        DatabaseError: It cannot be stored.
    """
    return _stored(manager, read_transcript(file, name=name, mask=mask, progress=progress), name, _known(manager))


def _stored(manager: RunManager, read: Transcript, name: str, known: dict[tuple[str, int], str]) -> ImportedTranscript:
    try:
        before = known.get((read.session, read.log.log.events))
        session_id = before or known.setdefault((read.session, read.log.log.events), _store(manager, read))
    finally:
        read.close()
    return ImportedTranscript(
        name=name,
        session_id=session_id,
        title=read.title,
        events=read.log.log.events,
        format=read.format,
        masked=dict(read.masked),
        unread=read.unread,
        left_out=dict(read.left_out),
        encodings=dict(read.encodings),
        is_known=before is not None,
    )


def _store(manager: RunManager, read: Transcript) -> str:
    about = {
        "origin": read.session,
        "scopes": ["session"],
        "format": read.format,
        "masked": dict(read.masked),
        "unread": read.unread,
    }
    session = SessionImport(
        app_name=CODING_SESSION,
        user_id=manager.user.id,
        id=str(uuid.uuid4()),
        title=read.title,
        texts={},
        log=ImportedLog(
            entries=read.log.log,
            timestamps=read.log.log.timestamps,
            records=[TraceRecord(Imported.kind, data=about)],
            state={},
            is_numbered=True,
        ),
        beside=lambda _: None,
    )

    async def work(services: Services) -> Session:
        return await services.sessions.import_session(session)

    return manager.in_store(work, action=Action.IMPORT).id


def _known(manager: RunManager) -> dict[tuple[str, int], str]:
    """The sessions that are here, by their id in the file and their number of events."""
    rows = manager.sessions.each(SessionFilter(app_name=CODING_SESSION))
    return {(row.origin, row.events): row.id for row in rows if row.origin and not row.fork}


def _has_session(path: Path, names: set[str]) -> bool:
    """Whether a sub-agent's file stands where the session that it belongs to is found with it."""
    if path.parent.name == "subagents":
        return path.parent.parent.name in names
    try:
        with open_given(path) as file:
            start = file.readline(_START)
    except OSError:
        return False
    return text_in(loaded(start) or {}, "sessionId") in names
