"""`Classroom`: a class that is held, for any thread. Each act is checked, stored in the journal, and then shown.

So whoever was told that an answer is stored finds it after a restart, and a server that reads the same journal shows the
same class.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from agents.access import Action, User, require
from agents.classroom.given_text import clean
from agents.classroom.state import ClassState, Learner, Question, Staged, Vote
from agents.errors import ClassError
from agents.storage.journal import Journal
from agents.storage.memory_journal import InMemoryJournal

JOURNALS = "class/"
"""The names of the lists of classes begin with it; a number follows."""
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Of codes: none looks like another one."""
CODE_LENGTH = 5
LONGEST_NICKNAME, LONGEST_REASON, LONGEST_QUESTION, LONGEST_CHOICE = 24, 300, 500, 120
MOST_CHOICES = 8
MOST_LEARNERS = 500

T = TypeVar("T")


class Classroom:
    """One class. It is made again from its journal, with all that was answered.

    Every method that changes something may raise `NotPermittedError` and `DatabaseError`; nothing is changed then.

    Attributes:
        name: Its list in the journal.

    Args:
        journal: Where it is kept; None to keep it in memory, as of a teacher who shows something alone.
        new: Whether to open a new class; else the last one goes on, if there is one.
    """

    def __init__(self, journal: Journal | None, *, new: bool = False) -> None:
        self._journal = journal = journal or InMemoryJournal()
        self._lock = threading.RLock()
        self._watchers: set[Callable[[], None]] = set()
        self._state = ClassState()
        numbers = [int(name.removeprefix(JOURNALS)) for name in journal.names(JOURNALS)]
        self.name = f"{JOURNALS}{max(numbers, default=0) + (new or not numbers)}"
        self._read_on()
        if not self._state.code:
            self._append({"kind": "opened", "code": "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))})

    @property
    def code(self) -> str:
        """With it learners join."""
        return self._state.code

    def has(self, user_id: str) -> bool:
        """Whether a learner of that id has joined."""
        return user_id in self._state.learners

    def look(self, at: Callable[[ClassState], T]) -> T:
        """What a function makes of the class as it is; nothing changes meanwhile, and the function changes nothing."""
        with self._lock:
            return at(self._state)

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Calls a function after each change, in any thread; it returns at once. Returns what ends that."""
        self._watchers.add(watcher)
        return lambda: self._watchers.discard(watcher)

    def changed(self) -> None:
        """Calls the watchers: something changed that is shown beside the class."""
        for watcher in tuple(self._watchers):
            watcher()

    def join(self, user: User, code: str, nickname: str) -> Learner:
        """Takes a learner in; one who is in already gets the new nickname.

        Raises:
            ClassError: The code is wrong, the nickname cannot be shown, or the class is full.
        """
        require(user, Action.TAKE_PART)
        given = "".join(code.split()).upper()
        if not hmac.compare_digest(given.encode("utf-8", "replace"), self.code.encode()):
            raise ClassError("This is not the code of the class. It is on the wall: five letters and digits.")
        wanted = clean(nickname, most=LONGEST_NICKNAME, what="a nickname")
        with self._lock:
            others = {one.nickname.casefold() for one in self._state.learners.values() if one.id != user.id}
            if len(others) >= MOST_LEARNERS:
                raise ClassError(
                    f"The class is full: {MOST_LEARNERS} learners have joined. Ask your teacher for another one."
                )
            names = (wanted, *(f"{wanted} {number}" for number in range(2, len(others) + 2)))
            free = next(name for name in names if name.casefold() not in others)
            self._append({"kind": "joined", "learner": user.id, "nickname": free})
            return self._state.learners[user.id]

    def ask(self, user: User, text: str, choices: Sequence[str], about: Mapping[str, Any] | None = None) -> Question:
        """Asks the class; an open question is closed without an answer.

        Args:
            user: The teacher.
            text: The question.
            choices: What can be answered: two to eight.
            about: What the answer is read from, see `Question`.

        Raises:
            ClassError: The question has no text, or too few or too many choices.
        """
        require(user, Action.HOLD_CLASS)
        if not 2 <= len(choices) <= MOST_CHOICES:  # noqa: PLR2004  fewer are no choice
            raise ClassError(f"A question has 2 to {MOST_CHOICES} choices, and this one has {len(choices)}.")
        shown = [clean(choice, most=LONGEST_CHOICE, what="each choice") for choice in choices]
        asked = clean(text, most=LONGEST_QUESTION, what="the question")
        with self._lock:
            self._append({"kind": "asked", "text": asked, "choices": shown, "about": dict(about or {})})
            assert self._state.question is not None
            return self._state.question

    def vote(self, user: User, question_id: int, choice: int, reason: str = "") -> None:
        """Stores a learner's answer in the place of their earlier one.

        Raises:
            ClassError: The learner has not joined, the question was revealed or replaced, or has no such choice.
        """
        require(user, Action.TAKE_PART)
        why = clean(reason, most=LONGEST_REASON, what="a reason") if reason.strip() else ""
        with self._lock:
            question = self._of_learner(user) and self._state.question
            if question is None or question.id != question_id:
                raise ClassError("Too late: the class has gone on to another question.")
            if not question.is_open:
                raise ClassError("Too late: the answer was revealed before yours came.")
            if not 0 <= choice < len(question.choices):
                raise ClassError(f"There is no choice {choice + 1}. Choose one of {len(question.choices)}.")
            if question.votes.get(user.id) != Vote(choice, why):  # what is sent again is stored already
                voted = {"question": question_id, "learner": user.id, "choice": choice, "reason": why}
                self._append({"kind": "voted", **voted})

    def reveal(self, user: User, question_id: int, right: int | None) -> None:
        """Closes a question and shows the answer; None if there is no right one. Once revealed it stays so."""
        require(user, Action.HOLD_CLASS)
        with self._lock:
            question = self._state.question
            if question is not None and question.id == question_id and question.is_open:
                self._append({"kind": "revealed", "question": question_id, "right": right})

    def stage(
        self, user: User, pipeline: str, session: str, roles: Mapping[str, str] | None = None, *, of: str | None = None
    ) -> None:
        """Puts a session on the wall, from its beginning.

        Args:
            user: The teacher.
            pipeline: Its pipeline.
            session: Its id.
            roles: Learners by the agents that they play.
            of: Whose session it is, by the user id; None for the teacher's. The teacher may read it.
        """
        require(user, Action.HOLD_CLASS)
        self._append(
            {"kind": "staged", "pipeline": pipeline, "session": session, "by": of or user.id, "roles": dict(roles or {})}
        )

    def move(self, user: User, at: int) -> None:
        """Shows the session on the wall up to an entry."""
        require(user, Action.HOLD_CLASS)
        self._append({"kind": "moved", "at": max(0, at)})

    def cast(self, user: User, agent: str, learner_id: str) -> None:
        """Gives an agent's part to another learner.

        Raises:
            ClassError: The agent is not played, or no such learner has joined.
        """
        require(user, Action.HOLD_CLASS)
        with self._lock:
            if self._state.staged is None or agent not in self._state.staged.roles:
                raise ClassError("Nobody plays this agent. Start a run with roles first.")
            if not self.has(learner_id):
                raise ClassError("There is no such learner in the class.")
            self._append({"kind": "cast", "agent": agent, "learner": learner_id})

    def part_of(self, user: User, agent: str) -> Staged:
        """The session on the wall, in which a learner plays an agent.

        Raises:
            ClassError: They do not play it.
        """
        require(user, Action.TAKE_PART)
        staged = self._state.staged
        if staged is None or staged.roles.get(agent) != user.id:
            raise ClassError("This part is not yours any more: your teacher has given it to somebody else.")
        return staged

    def nickname(self, user: User) -> str:
        """What others see of a learner.

        Raises:
            ClassError: The learner has not joined.
        """
        require(user, Action.TAKE_PART)
        return self._of_learner(user).nickname

    def note(self, user: User, kind: str, **fields: Any) -> None:
        """Stores what came of the class's playbook: "wrote", "took_reasons", "hunted"; of a check "checked"."""
        require(user, Action.HOLD_CLASS)
        self._append({"kind": kind, **fields})

    def _of_learner(self, user: User) -> Learner:
        if (found := self._state.learners.get(user.id)) is None:
            raise ClassError("You have not joined the class. Type its code and a nickname.")
        return found

    def _append(self, body: Mapping[str, Any]) -> None:
        with self._lock:
            entry = self._journal.append(self.name, body)
            if entry.seq == self._state.seq + 1:
                self._state.apply(entry)
            else:
                self._read_on()  # another server holds the class too
        self.changed()

    def _read_on(self) -> None:
        for entry in self._journal.entries(self.name, after=self._state.seq):
            self._state.apply(entry)
