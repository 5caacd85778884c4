"""Exports and imports sessions: between a database and `SessionFile`."""

from __future__ import annotations

import asyncio
import json
import uuid
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from agents.ace.store.playbook_store import PlaybookStore
from agents.artifact import BaseArtifactService, is_shared
from agents.history.texts import rename_texts, texts_in
from agents.log import LogEntry, text_hash
from agents.playbook import PlaybookTransaction
from agents.records import Forked, Imported, ModelFinished, ModelStarted
from agents.session import BaseSessionService, Session, SessionImport
from agents.sharing import references
from agents.sharing.arrival import Arrival
from agents.sharing.playbooks import SharedPlaybook, cited_in, read_playbooks
from agents.sharing.references import SCOPES
from agents.sharing.session_file import SessionFile, SharedArtifact, to_line

IMPORTED = Imported.kind


class _Place(TypedDict):
    app_name: str
    user_id: str
    session_id: str


class Sharing:
    """Exports and imports the sessions of one database.

    Args:
        service: Where the sessions are.
        artifact_service: Where the files are that agents saved; without it, sessions are shared without files.
        playbooks: Any playbook of the same database; without it, sessions are shared without playbooks.
    """

    def __init__(
        self,
        service: BaseSessionService,
        *,
        artifact_service: BaseArtifactService | None = None,
        playbooks: PlaybookStore | None = None,
    ) -> None:
        self._service = service
        self._artifacts = artifact_service
        self._playbooks = playbooks

    async def export_session(self, *, app_name: str, user_id: str, session_id: str) -> SessionFile:
        """A stored session with everything that belongs to it; of one that runs, what there is now.

        Raises:
            SessionNotFoundError: There is no such session.
        """
        log = await self._service.read_log(app_name=app_name, user_id=user_id, session_id=session_id)
        entries, known = _without_import(log)
        found = await self._service.summary(app_name=app_name, user_id=user_id, session_id=session_id)
        title = "" if found is None else found.title
        numbers = {entry.seq: place for place, entry in enumerate(entries, start=1)}
        playbooks = await self._read_playbooks(entries, (app_name, session_id), lambda seq: numbers.get(seq, 0))
        names: dict[str, str] = known.get("playbooks", {})
        texts, hashes = await self._texts(entries)
        return SessionFile(
            session=known.get("origin", session_id),
            pipeline=app_name,
            title=title,
            scopes=tuple(scope for scope in SCOPES if scope in known.get("scopes", SCOPES)),
            entries=tuple(await asyncio.to_thread(_for_file, entries, numbers, names, hashes)),
            texts=texts,
            artifacts=tuple(await self._read_artifacts(app_name, user_id, session_id)),
            playbooks=tuple(replace(playbook, name=names.get(playbook.name, playbook.name)) for playbook in playbooks),
        )

    async def import_session(self, file: SessionFile, *, user_id: str, app_name: str | None = None) -> Session:
        """Adds a session with a new id. Its playbooks get new names, and `app:` and `user:` state is its own.

        Args:
            file: The session.
            user_id: Whose it will be.
            app_name: The pipeline that it will be of; by default the file's.

        Returns:
            The session, without events.

        Raises:
            DatabaseError: It cannot be stored; nothing is then.
        """
        name = (app_name or file.pipeline, user_id, str(uuid.uuid4()))
        arrival = await asyncio.to_thread(Arrival, file, name, with_playbooks=self._playbooks is not None)
        save = None if self._artifacts is None else self._artifacts.writer_beside(self._service)

        def beside(playbooks: PlaybookTransaction) -> None:
            arrival.write_playbooks(playbooks)
            if save is not None:
                for artifact in file.artifacts:
                    save(playbooks, (*name, artifact.name), {artifact.version: artifact.part})

        session = SessionImport(
            app_name=name[0],
            user_id=user_id,
            id=name[2],
            title=file.title,
            texts=file.texts,
            log=arrival.log(),
            beside=beside,
        )
        if self._artifacts is None or save is not None:
            return await self._service.import_session(session)
        return await _with_files(self._artifacts, file.artifacts, session, self._service)

    async def _read_playbooks(
        self, entries: Sequence[LogEntry], session: tuple[str, str], entry_at: Callable[[int], int]
    ) -> list[SharedPlaybook]:
        if self._playbooks is None or not (cited := cited_in(entries)):
            return []
        return await asyncio.to_thread(read_playbooks, self._playbooks, cited, session=session, entry_at=entry_at)

    async def _texts(self, entries: Sequence[LogEntry]) -> tuple[dict[str, str], dict[str, str]]:
        """The texts by their hash in the file, and that hash by the one in the log."""
        wanted: dict[str, None] = {}
        for entry in entries:
            if entry.kind in (ModelStarted.kind, ModelFinished.kind):
                wanted.update(dict.fromkeys(texts_in(entry.kind, entry.fields())))
        found = await self._service.read_texts(list(wanted))
        # Half a surrogate pair is stored as another character, so that the text has another hash.
        hashes = {name: text_hash(found[name]) for name in wanted if name in found}
        return {hashes[name]: found[name] for name in hashes}, hashes

    async def _read_artifacts(self, app_name: str, user_id: str, session_id: str) -> list[SharedArtifact]:
        if self._artifacts is None:
            return []
        name: _Place = {"app_name": app_name, "user_id": user_id, "session_id": session_id}
        found: list[SharedArtifact] = []
        for filename in await self._artifacts.list_artifact_keys(**name):
            if is_shared(filename):
                continue
            for version in await self._artifacts.list_versions(**name, filename=filename):
                part = await self._artifacts.load_artifact(**name, filename=filename, version=version)
                if part is not None:
                    found.append(SharedArtifact(name=filename, version=version, part=part))
        return found


async def _with_files(
    artifacts: BaseArtifactService, files: Sequence[SharedArtifact], session: SessionImport, service: BaseSessionService
) -> Session:
    """Saves the files in their own store first; takes them back where the session cannot be stored."""
    place: _Place = {"app_name": session.app_name, "user_id": session.user_id, "session_id": session.id}
    try:
        for artifact in files:
            await _save_version(artifacts, place, artifact)
        return await service.import_session(session)
    except BaseException:
        for name in dict.fromkeys(artifact.name for artifact in files):
            await artifacts.delete_artifact(**place, filename=name)
        raise


async def _save_version(artifacts: BaseArtifactService, place: _Place, artifact: SharedArtifact) -> None:
    """Saves a version under its number. Only first versions can be missing: a file is deleted as a whole."""
    saved = await artifacts.save_artifact(**place, filename=artifact.name, artifact=artifact.part)
    if saved < artifact.version:
        for _ in range(saved + 1, artifact.version):
            await artifacts.save_artifact(**place, filename=artifact.name, artifact=artifact.part)
        await artifacts.delete_artifact(**place, filename=artifact.name)
        await artifacts.save_artifact(**place, filename=artifact.name, artifact=artifact.part)


def _without_import(log: Sequence[LogEntry]) -> tuple[list[LogEntry], dict[str, Any]]:
    """A log without the records of its own import, and what they say."""
    for place, entry in enumerate(log):
        if entry.kind == IMPORTED:
            known, later = entry.fields(), log[place + 1 :]
            if any(found.kind == Forked.kind for found in later):
                del known["origin"]  # a fork of what was imported has a name of its own
            return [*log[:place], *later[bool(known.get("closes")) :]], known
    return list(log), {}


def _for_file(
    entries: Sequence[LogEntry], numbers: dict[int, int], names: dict[str, str], hashes: dict[str, str]
) -> list[LogEntry]:
    """Entries with references by place, and the names that the file has."""
    seqs = list(numbers)
    found: list[LogEntry] = []
    for place, entry in enumerate(entries, start=1):
        body = json.loads(entry.body)
        references.renumber(entry.kind, body, lambda seq: numbers.get(seq, 0), last=lambda seq: bisect_right(seqs, seq))
        references.rename_playbooks(entry.kind, body, names)
        rename_texts(entry.kind, body, hashes)
        found.append(LogEntry(place, entry.kind, to_line(body)))
    return found
