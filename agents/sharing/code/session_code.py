"""The code of a stored session, for callers in any thread."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass

from agents.agent import BaseAgent
from agents.errors import ForkError, PersonError, PlaybookNotFoundError
from agents.forks.changed_run import changed_tree, check_agents
from agents.forks.stored_fork import FORKED, stored_fork
from agents.log import LogEntry
from agents.models.connections import redact
from agents.pipeline import Pipeline
from agents.runs.manager import RunManager
from agents.sharing.code.adk_code import adk_code
from agents.sharing.code.playground_code import playground_code
from agents.sharing.code.python.code_file import CannotWriteError
from agents.sharing.code.recorded_session import RecordedSession, recorded_session
from agents.sharing.references import SCOPES

MOST_BULLETS = 200
"""Most bullets of a playbook that a file has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCode:
    """A session as Python files.

    Attributes:
        playground: The file on this project's API; "" if there is none.
        playground_lacks: Why there is none.
        adk: The file on google-adk; "" if there is none.
        adk_lacks: What the pipeline uses that ADK lacks, a sentence for each agent.
    """

    playground: str = ""
    playground_lacks: tuple[str, ...] = ()
    adk: str = ""
    adk_lacks: tuple[str, ...] = ()


def session_code(manager: RunManager, pipeline: str, session_id: str, *, scopes: Collection[str] = SCOPES) -> SessionCode:
    """A session as Python files. Keys are left out of them.

    Args:
        manager: Where the session is.
        pipeline: Its pipeline.
        session_id: The session.
        scopes: The scopes of state that go along.

    Raises:
        SessionNotFoundError: There is no such session.
        PipelineNotFoundError: Its pipeline is not here.
        PipelineLoadError: Its pipeline cannot be loaded.
        DatabaseError: The session cannot be read.
    """
    entries = manager.sessions.log(pipeline, session_id)
    found = manager.catalog.get(pipeline)
    recorded = recorded_session(entries, session_id)
    recorded.keep_scopes(scopes)
    if "app" in scopes:
        _take_playbook(manager, recorded)
    root = _tree(found, entries, recorded)
    try:
        ours, ours_lack = _without_keys(playground_code(found, recorded, root=root)), ()
    except CannotWriteError as error:
        ours, ours_lack = "", (redact(str(error)),)
    try:
        adk, adk_lacks = adk_code(found, recorded, root=root)
        adk = _without_keys(adk)
    except CannotWriteError as error:
        adk, adk_lacks = "", (str(error),)
    return SessionCode(playground=ours, playground_lacks=ours_lack, adk=adk, adk_lacks=tuple(map(redact, adk_lacks)))


def _without_keys(text: str) -> str:
    """Code without keys.

    Raises:
        CannotWriteError: What looks like one is no text in it, so that it would be code no more.
    """
    found = redact(text)
    if found != text:
        try:
            ast.parse(found)
        except SyntaxError:
            raise CannotWriteError("The source of its package has what looks like a key, so it is not written.") from None
    return found


def _take_playbook(manager: RunManager, recorded: RecordedSession) -> None:
    """Adds the playbook that the session began with, if it is there and not too long to be read in a file."""
    if recorded.began_with is None:
        return
    name, revision, bullets = recorded.began_with
    try:
        if bullets > MOST_BULLETS:
            raise PlaybookNotFoundError(f"It has {bullets:,} bullets, and a file has at most {MOST_BULLETS}.")
        recorded.playbook = manager.playbooks(name).at(revision)
    except PersonError as error:
        recorded.notes.append(
            f"The session began with revision {revision} of the playbook {name}, and this with none. {error}"
        )


def _tree(pipeline: Pipeline, entries: list[LogEntry], recorded: RecordedSession) -> BaseAgent:
    """The pipeline's tree, with the instructions that were changed in a fork."""
    root = pipeline.root_agent
    try:
        fork = stored_fork([entry for entry in entries if entry.kind == FORKED])
        if fork is None:
            return root
        check_agents(fork.changes, root)
        return changed_tree(root, fork.changes)
    except ForkError as error:
        recorded.notes.append(f"The changes of the fork are not in here. {error}")
        return root
