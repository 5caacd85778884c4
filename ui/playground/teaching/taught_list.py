"""Lists that a pipeline is taught from: kept in files, with a session for each row. What was done is read from the sessions.

So a reload, a second tab and a restart of the server show the same, and can go on.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from agents import DataSetError, SessionExistsError, SessionFilter
from agents.access import Action
from ui.playground.teaching.given_table import MOST_ROWS, Row
from ui.state import runs

if TYPE_CHECKING:
    from agents.runs import Run, RunManager

MOST_LISTS = 10
"""Newest lists of a user that are looked for."""
DONE = {"completed", "paused"}
"""Statuses of the sessions of rows that are not asked again; a paused one waits for approval."""
_ID = re.compile(r"[a-f0-9]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaughtList:
    """A list that was begun.

    Attributes:
        pipeline: What is taught.
        user: The id of the user who teaches it.
        playbook: The playbook that learns.
        truth_key: The state key of the right answer.
        rows: The questions with their right answers.
        left_out: The lines that cannot be taught, with the reason.
        state: State of each session: the pipeline's settings.
        model: The model of agents that name none.
        agent_models: Models of single agents.
        id: Its name in addresses.
        begun_at: When it was begun, in seconds since the epoch.
    """

    pipeline: str
    user: str
    playbook: str
    truth_key: str
    rows: tuple[Row, ...]
    left_out: tuple[tuple[int, str], ...] = ()
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    model: str
    agent_models: dict[str, str] = field(default_factory=dict[str, str])
    id: str = field(default_factory=lambda: secrets.token_hex(6))
    begun_at: float = field(default_factory=time.time)

    def session_id(self, row: Row) -> str:
        """The id of a row's session, which need not exist."""
        return f"list-{self.id}-{row.line:04}"

    def statuses(self, manager: RunManager) -> dict[Row, str]:
        """The statuses of the sessions that there are."""
        names = frozenset((self.pipeline, self.session_id(row)) for row in self.rows)
        found = manager.sessions.page(SessionFilter(app_name=self.pipeline, among=names), limit=MOST_ROWS).rows
        by_id = {one.id: one.status for one in found if one.user_id == self.user}
        return {row: by_id[id_] for row in self.rows if (id_ := self.session_id(row)) in by_id}

    def ask(self, manager: RunManager, row: Row) -> Run:
        """Starts the run of a row, in its session, which is made if it does not exist.

        Raises:
            PlaygroundError: The run cannot be started.
        """
        session = self.session_id(row)
        if manager.sessions.find(self.pipeline, session) is None:
            with suppress(SessionExistsError):
                manager.sessions.create(self.pipeline, state=self.state, session_id=session)
        return manager.start(
            self.pipeline,
            row.question,
            session_id=session,
            model=self.model,
            agent_models=self.agent_models,
            state={self.truth_key: row.answer},
            simulated_speed=0,
        )


def keep(taught: TaughtList) -> None:
    """Writes a list to its file, whole or not at all.

    Raises:
        NotPermittedError: The user may not run agents.
        DataSetError: It cannot be written.
    """
    runs.manager().require(Action.RUN)
    folder = runs.workspace().taught_lists
    path = folder / f"{taught.id}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".new")
        beside.write_text(json.dumps(asdict(taught), ensure_ascii=False), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise DataSetError(f"The list cannot be kept in {folder}: {error.strerror}.") from error


def find(id_: str) -> TaughtList | None:
    """A list of the user who asks; None if they have none of that id."""
    return _read(runs.workspace().taught_lists / f"{id_}.json") if _ID.fullmatch(id_) else None


def newest(pipeline: str) -> list[TaughtList]:
    """The user's newest lists of a pipeline, newest first."""
    folder = runs.workspace().taught_lists
    paths = sorted(folder.glob("*.json"), key=_changed_at, reverse=True) if folder.is_dir() else []
    found = list[TaughtList]()
    for path in paths:
        if len(found) < MOST_LISTS and (taught := _read(path)) is not None and taught.pipeline == pipeline:
            found.append(taught)
    return found


def _read(path: Path) -> TaughtList | None:
    """A list from its file; None if it is not there, damaged, or somebody else's."""
    try:
        read: dict[str, Any] = json.loads(path.read_bytes())
        rows = tuple(Row(int(line), str(question), str(answer)) for line, question, answer in read.pop("rows"))
        left_out = tuple((int(line), str(why)) for line, why in read.pop("left_out"))
        taught = TaughtList(**cast("Any", read), rows=rows, left_out=left_out)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return taught if taught.user == runs.workspace().user.id else None


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
