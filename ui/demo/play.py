"""Plays the script: does each action once. Progress is read from the log and the playbook's history.

So two tabs, a reload and another process show the same progress.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, assert_never

from agents import SessionNotFoundError, access
from agents.ace import BY_USER, DeltaBatch, Update
from ui.demo import script
from ui.demo.opening import PIPELINE, make_session
from ui.demo.script import SESSIONS, Action, Ask, Edit, Step, Thumb, Undo
from ui.demo.turns import Turn, turns_in

if TYPE_CHECKING:
    from agents.ace import DeltaRecord, JudgedAnswer, Playbook, PlaybookStore
    from agents.runs import Run, RunManager

MOST_ENTRIES = 5000
"""Entries of a session that are read, the newest ones."""

_one_at_a_time = threading.Lock()
"""Does a step once when two tabs press Next at the same time."""


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo: a playbook, and the sessions that use it.

    Attributes:
        manager: The process's run manager.
        playbook: The playbook's name; the sessions' ids follow from it.
        steps: The script.
    """

    manager: RunManager
    playbook: str
    steps: tuple[Step, ...] = script.STEPS
    _turns: dict[str, list[Turn]] = field(default_factory=dict[str, list[Turn]])
    _history: list[list[DeltaRecord]] = field(default_factory=list["list[DeltaRecord]"])

    @property
    def store(self) -> PlaybookStore:
        """The playbook."""
        return self.manager.playbooks(self.playbook)

    def at(self, revision: int) -> Playbook:
        """The playbook at a revision; as it is now, if it was made anew and has no such revision."""
        return self.store.at(min(revision, self.store.playbook().revision))

    def is_there(self) -> bool:
        """Whether the database has the playbook."""
        return any(info.name == self.playbook for info in self.store.names())

    def session_id(self, name: str) -> str:
        """The id of a session, which need not exist."""
        return f"{self.playbook.replace(' ', '-')}-{name}"

    def answers(self) -> list[JudgedAnswer]:
        """The judged answers of the sessions, in order."""
        ids = set(map(self.session_id, SESSIONS))
        return [found for found in self.store.answers() if found.app_name == PIPELINE and found.session_id in ids]

    def turn(self, action: Ask | Thumb) -> Turn | None:
        """The last turn of a question or a thumb; None if there is none."""
        turns = self._turns_of(action.session)
        if isinstance(action, Ask):
            return next((turn for turn in reversed(turns) if turn.message == action.message), None)
        judged = self.turn(action.after)
        return next((turn for turn in reversed(turns) if judged and turn.judges == judged.answered_at), None)

    def is_last(self, turn: Turn) -> bool:
        """Whether a turn is the last one of its session."""
        return any(turns and turns[-1] is turn for turns in self._turns.values())

    def has_failed(self, step: Step) -> bool:
        """Whether the step's run is the last one of its session and ended without being completed."""
        turn = self.turn(step.shown) if step.shown else None
        return turn is not None and turn.status in {"failed", "stopped", "interrupted"} and self.is_last(turn)

    def undone(self, ask: Ask) -> DeltaRecord | None:
        """The undo of the delta that was learned from a question; None if it was not undone."""
        learned = self._learned(ask)
        return next((found for found in self._records() if learned and found.undoes == learned.revision), None)

    def edited(self, edit: Edit) -> DeltaRecord | None:
        """The delta of an edit; None if it was not made."""
        for found in self._records():
            changes = [change for change in found.applied if change["type"] == "UPDATE"]
            if found.by == BY_USER and any(change["content"] == edit.content for change in changes):
                return found
        return None

    def bullet_of(self, edit: Edit) -> str | None:
        """The id of the bullet that an edit replaces: the learned one that defines the same name."""
        learned = self.turn(edit.after)
        written = [change for change in (learned.changes if learned else []) if change["type"] in {"ADD", "UPDATE"}]
        name = _name_in(edit.content)
        return next((change["bullet_id"] for change in written if _name_in(change["content"]) == name), None)

    def written_in(self, bullet: str) -> str | None:
        """The session whose curator wrote a bullet; None for any other author."""
        for name in SESSIONS:
            for turn in self._turns_of(name):
                if any(change["type"] == "ADD" and change["bullet_id"] == bullet for change in turn.changes):
                    return name
        return None

    def reached(self) -> int:
        """Number of the last step up to which all actions are done or impossible."""
        done = 0
        for number, step in enumerate(self.steps, start=1):
            if step.actions and not all(map(self.is_done, step.actions)):
                break
            done = number
        return max(1, done)

    def is_running(self) -> bool:
        """Whether one of the sessions is running."""
        rows = (self.manager.sessions.find(PIPELINE, self.session_id(name)) for name in SESSIONS)
        return any(found.status == "running" for found in rows if found is not None)

    def is_done(self, action: Action) -> bool:
        """Whether an action was done, or is impossible because its target does not exist."""
        match action:
            case Ask():
                return self.turn(action) is not None
            case Thumb():
                nothing = (judged := self.turn(action.after)) is not None and judged.answer is None
                return self._was_asked(action.after) and (nothing or self.turn(action) is not None)
            case Undo():
                return self._was_asked(action.after) and (
                    self._learned(action.after) is None or self.undone(action.after) is not None
                )
            case Edit():
                nothing = self.bullet_of(action) is None
                return self._was_asked(action.after) and (nothing or self.edited(action) is not None)
            case _:
                assert_never(action)

    def has(self, name: str) -> bool:
        """Whether a session exists."""
        return self.manager.sessions.find(PIPELINE, self.session_id(name)) is not None

    def do(self, number: int, *, model: str | None = None) -> Run | None:
        """Does the remaining actions of a step.

        Returns:
            The run that was started, if any.

        Raises:
            PlaygroundError: An action cannot be done now, or not by this user: each teaches the playbook.
        """
        self.manager.require(access.Action.EDIT_PLAYBOOK)
        started: Run | None = None
        with _one_at_a_time:
            self._forget()
            for action in self.steps[number - 1].actions:
                if not self.is_done(action):
                    started = self._do(action, number, model)
                    self._forget()
        return started

    def _do(self, action: Action, number: int, model: str | None) -> Run | None:
        match action:
            case Ask():
                session = self._session(action.session)
                state = {"feedback_from": action.feedback_from} if action.feedback_from else None
                return self.manager.start(
                    PIPELINE, action.message, session_id=session, model=model, state=state, owns_playbook=True
                )
            case Thumb():
                judged = self.turn(action.after)
                assert judged is not None
                verdict = {"right": False, "answer": None, "event": judged.answered_at}
                session = self._session(action.session)
                state = {"verdict": verdict}
                return self.manager.start(PIPELINE, "👎", session_id=session, model=model, state=state, owns_playbook=True)
            case Undo():
                learned = self._learned(action.after)
                assert learned is not None
                self.store.undo(learned.revision, by=BY_USER)
            case Edit():
                bullet = self.bullet_of(action)
                assert bullet is not None
                operation = Update(bullet_id=bullet, content=action.content)
                reasoning = f"Made false on purpose, in step {number} of the demo."
                self.store.commit(DeltaBatch(reasoning=reasoning, operations=[operation], by=BY_USER))
        return None

    def _session(self, name: str) -> str:
        """The session; made or restored if it does not exist."""
        session, state = self.session_id(name), {**script.SESSION_STATE, "playbook_name": self.playbook}
        make_session(self.manager, session, f"{self.playbook}, {SESSIONS[name]}", state)
        return session

    def _was_asked(self, ask: Ask) -> bool:
        turn = self.turn(ask)
        return turn is not None and turn.status != "running"

    def _learned(self, ask: Ask) -> Any:
        turn = self.turn(ask)
        return turn.learned if turn else None

    def _turns_of(self, name: str) -> list[Turn]:
        if name not in self._turns:
            log = []
            with suppress(SessionNotFoundError):
                log = asyncio.run(self.manager.sessions.newest(PIPELINE, self.session_id(name), limit=MOST_ENTRIES))
            self._turns[name] = turns_in(log)
        return self._turns[name]

    def _records(self) -> list[DeltaRecord]:
        if not self._history:
            self._history.append(self.store.history())
        return self._history[0]

    def _forget(self) -> None:
        self._turns.clear()
        self._history.clear()


def _name_in(content: str) -> str:
    """The name that a formula is about, or examples of it: "share: formula not known yet; …"."""
    return content.partition("=")[0].partition(":")[0].strip().casefold()
