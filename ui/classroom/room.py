"""`Room`: the class that this server holds, with what is on its wall. Made when the first page connects; for any thread."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from agents import REQUEST_ANSWER, PlaygroundError
from agents.access import OWNER, User, user_of
from agents.classroom import ClassPlaybook, Classroom, agent_names, check_questions, rows_of
from agents.runs import SIMULATED
from ui.access import door
from ui.state import runs

if TYPE_CHECKING:
    from agents.classroom import Check, ClassState, Staged, StageRow
    from agents.lessons import Predict, ProgressLine
    from agents.runs import PendingCall, RunManager
    from agents.workspace import Workspace

LOOK_SECONDS = 0.3
"""Least seconds between two looks into the log of the session on the wall."""
PLACES_SECONDS = 2.0
"""The same between two looks for where learners are: all sessions are listed for it."""


@dataclass(slots=True)
class Stage:
    """What is read of the session on the wall.

    Attributes:
        key: Which session it is: pipeline and id.
        title: The pipeline's title.
        agents: Names of the agents that can act.
        rows: Its events.
        entries: How many entries its log has.
        status: Of the session.
        waiting: The calls that learners answer.
        lesson: The lesson's predictions, in order.
        notes: The lesson's notes for the teacher, Markdown.
    """

    key: tuple[str, str] = ("", "")
    title: str = ""
    agents: list[str] = field(default_factory=list[str])
    rows: list[StageRow] = field(default_factory=list["StageRow"])
    entries: int = 0
    status: str = "idle"
    waiting: list[PendingCall] = field(default_factory=list["PendingCall"])
    lesson: list[Predict] = field(default_factory=list["Predict"])
    notes: str = ""

    @property
    def goes_on(self) -> bool:
        """Whether more may come."""
        return self.status in {"running", "paused"} or not self.entries


class Room:
    """The class.

    Attributes:
        workspace: The owner's.
        alone: Whether the owner presents without a class: nobody can join, and nothing is kept.
        classroom: Who takes part, and what was answered.
        stage: What is on the wall.
        present: User ids of those who have a page open, once for each page.
        checks: The answers of the last check; empty before the first.
    """

    def __init__(self, workspace: Workspace, *, new: bool = False, alone: bool = False) -> None:
        self.workspace = workspace.as_user(OWNER)
        self.alone = alone
        self.classroom = Classroom(None if alone else self.workspace.runs.journal, new=new)
        self.stage = Stage()
        self.present: list[str] = []
        self.checks: list[Check] = []
        self._looked = 0.0
        self._lock = threading.Lock()
        self._checking = threading.Lock()
        self._is_stale = False
        self._book: tuple[str, ClassPlaybook | None] | None = None
        self._places: tuple[float, dict[str, Any]] = (0.0, {})
        self._lessons: dict[str, str] = {}
        self._pipelines: list[tuple[str, str, list[str], tuple[str, ...]]] = []

    def manager(self, user: User = OWNER) -> RunManager:
        """The run manager, for a user."""
        return self.workspace.as_user(user).runs

    def staged(self) -> Staged | None:
        """The session on the wall."""
        return self.classroom.look(lambda state: state.staged)

    def playbook(self) -> ClassPlaybook | None:
        """The playbook that the class writes; None if it writes none."""
        name = self.classroom.look(lambda state: state.playbook)
        if self._book is None or self._book[0] != name:
            self._book = name, ClassPlaybook(self.manager().playbooks(name)) if name else None
        return self._book[1]

    def goes_on(self) -> bool:
        """Whether something changes without anybody's act: the run on the wall, or the hunt's clock."""
        hunt = self.classroom.look(lambda state: state.hunt)
        ticks = hunt is not None and hunt.found is None and time() < hunt.began + hunt.seconds + 1
        return ticks or (self.staged() is not None and self.stage.goes_on)

    def look(self) -> None:
        """Reads on in the session on the wall; not too often, whoever asks."""
        with self._lock:
            staged = self.staged()
            is_new = staged is not None and (staged.pipeline, staged.session) != self.stage.key
            if staged is None or (not is_new and monotonic() - self._looked < LOOK_SECONDS):
                return
            self._looked = monotonic()
            with suppress(PlaygroundError):  # the session was deleted, or the database is busy: the next look shows it
                if self._read(staged, is_new=is_new):
                    self.classroom.changed()

    def _read(self, staged: Staged, *, is_new: bool) -> bool:
        manager = self.manager(user_of(staged.by))
        if is_new:
            self.stage = self._new_stage(staged)
        stage = self.stage
        if not is_new and not stage.goes_on:
            return False
        found = manager.sessions.find(staged.pipeline, staged.session)
        before = (stage.entries, stage.status, [call.call_id for call in stage.waiting])
        log = manager.sessions.log(staged.pipeline, staged.session)
        stage.rows, stage.entries = [*rows_of(log)], len(log)
        stage.status = "idle" if found is None else found.status
        pending = manager.pending_in([found]) if found is not None else []
        stage.waiting = [call for call in pending if call.tool == REQUEST_ANSWER]
        return before != (stage.entries, stage.status, [call.call_id for call in stage.waiting])

    def _new_stage(self, staged: Staged) -> Stage:
        from agents.lessons import Predict, load_lesson

        pipeline = self.manager().catalog.get(staged.pipeline)
        stage = Stage((staged.pipeline, staged.session), pipeline.card.title, agent_names(pipeline.tree))
        with suppress(PlaygroundError):  # a broken lesson is reported on its own page
            lesson = load_lesson(pipeline)
            stage.lesson = [step for step in lesson.steps if isinstance(step, Predict)] if lesson else []
            stage.notes = lesson.notes if lesson else ""
        return stage

    def pipelines(self) -> list[tuple[str, str, list[str], tuple[str, ...]]]:
        """What can be run: name, title, agents, samples. Read once: the desk is drawn after every vote."""
        if not self._pipelines:
            catalog = self.manager().catalog
            found = [catalog.get(name) for name in catalog.names() if name not in catalog.broken]
            self._pipelines = [(one.name, one.card.title, agent_names(one.tree), one.card.samples) for one in found]
        return self._pipelines

    def check(self) -> None:
        """Asks the check's questions with the class's playbook as it is; once more if it was changed meanwhile.

        The simulated model answers: a real one knows the formulas without the class.
        """
        self._is_stale = True
        while self._is_stale and self._checking.acquire(blocking=False):
            try:
                self._is_stale = False
                if (book := self.playbook()) is None:
                    return
                self.checks = self.manager().work(lambda _, book=book: book.check(check_questions(), model=SIMULATED))
                self.classroom.note(OWNER, "checked", right=sum(one.right for one in self.checks), of=len(self.checks))
            finally:
                self._checking.release()

    def learner_rows(self) -> list[dict[str, Any]]:
        """What the teacher sees of each learner: answers, where their last session stands, and their last lesson."""
        if monotonic() - self._places[0] > PLACES_SECONDS:
            found: dict[str, Any] = {}
            for row in self.manager().sessions.summaries():
                found.setdefault(row.user_id, row)
            self._places = monotonic(), found
            self._lessons = {one.learner: _lesson(one) for one in sorted(self.workspace.lessons.table(), key=_changed_at)}
        last = self._places[1]

        def rows(state: ClassState) -> list[dict[str, Any]]:
            here = set(self.present)
            open_question = state.question if state.question and state.question.is_open else None
            return [
                {
                    "id": one.id,
                    "name": one.nickname,
                    "here": one.id in here,
                    "answered": one.answered,
                    "right": one.right,
                    "voted": open_question is not None and one.id in open_question.votes,
                    "session": _place(last.get(one.id)),
                    "lesson": self._lessons.get(one.id, ""),
                }
                for one in state.learners.values()
            ]

        return self.classroom.look(rows)


def _changed_at(line: ProgressLine) -> float:
    return line.changed_at


def _lesson(line: ProgressLine) -> str:
    """Where a learner is in their last lesson, and how often they have tried."""
    tries = f", {line.progress.tries} tries" if line.progress.tries > 1 else ""
    return f"{line.lesson}: {line.step}, {line.progress.status}{tries}"


def _place(row: Any) -> dict[str, Any] | None:
    if row is None:
        return None
    return {"pipeline": row.app_name, "session": row.id, "status": row.status}


_opening = threading.Lock()


@dataclass(slots=True)
class _Process:
    """Where the owner presents without a class."""

    alone: Room | None = None


_process = _Process()


def room(user: User = OWNER) -> Room | None:
    """The class that this process holds; without one, to the owner what they present alone, and None to others.

    The first call opens the database.

    Raises:
        DatabaseError: The database cannot be used.
    """
    gate = door.current()
    with _opening:
        if gate is None:
            if not user.is_owner:
                return None
            made = _process.alone
            if made is None or made.manager().journal is not runs.workspace().as_user(OWNER).runs.journal:
                made = _process.alone = Room(runs.workspace(), alone=True)
            return made
        if gate.room is None:
            gate.room = Room(runs.workspace(), new=gate.new)
            gate.has_joined = gate.room.classroom.has
        return gate.room
