"""The arms of *Watch it learn*: their playbooks, sessions and questions. What was asked is read from the playbooks.

So a reload, a second tab and a restart of the server show the same, and can go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from agents import PlaybookExistsError, SessionNotFoundError
from agents.ace import BY_USER, DeltaBatch, PlaybookStore, Remove
from agents.pipelines import Question, as_message, draw_questions
from ui.demo.opening import PIPELINE, make_session, new_playbook

if TYPE_CHECKING:
    from agents.ace import JudgedAnswer, PlaybookInfo
    from agents.runs import Run, RunManager

QUESTIONS, KINDS = 60, 12
"""Questions of each arm, and kinds of them: each kind comes several times, so that what is learned is needed again."""
PER_SESSION = 10
MOST_CALLS = 5
"""Model calls of a question at most: the generator, up to three rounds of the reflector, the curator."""
Arm = Literal["learning", "empty", "without"]
ARMS: tuple[Arm, ...] = ("learning", "empty", "without")
LABELS: dict[Arm, str] = {"learning": "learning", "empty": "kept empty", "without": "bullets taken away"}
_PREFIX = "learning"
_TAKEN = "Taken away to see what they were good for: every bullet that an answer cited."


@dataclass(frozen=True, slots=True)
class Watch:
    """One *Watch it learn*.

    Attributes:
        manager: The process's run manager.
        name: The name of the playbook that learns; the names of the others follow from it.
    """

    manager: RunManager
    name: str

    def playbook(self, arm: Arm) -> str:
        """The name of an arm's playbook."""
        return self.name if arm == "learning" else f"{self.name}, {LABELS[arm]}"

    def store(self, arm: Arm) -> PlaybookStore:
        """An arm's playbook."""
        return self.manager.playbooks(self.playbook(arm))

    def arms(self) -> list[Arm]:
        """The arms whose playbook exists; empty if this is no watch."""
        found = self._infos()
        return [arm for arm in ARMS if arm in found] if {"learning", "empty"} <= found.keys() else []

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions of each arm; they follow from the number in the name."""
        number = self.name.rpartition(" ")[2]
        return questions(int(number) if number.isascii() and number.isdecimal() and len(number) < len("1000000") else 1)

    def answers(self, arm: Arm) -> list[JudgedAnswer]:
        """The judged answers of an arm, one for each question in order, as far as it has come."""
        asked, found = self.questions, list["JudgedAnswer"]()
        sessions = set(self.sessions(arm))
        for answer in self.store(arm).answers():
            is_next = len(found) < len(asked) and answer.question == asked[len(found)].text
            if is_next and answer.session_id in sessions:
                found.append(answer)
        return found

    def due(self) -> list[tuple[Arm, int]]:
        """The arms to ask next, each with the index of its question; empty at the end."""
        arms = self.arms()
        for is_second in (False, True):
            counts: dict[Arm, int] = {arm: len(self.answers(arm)) for arm in arms if (arm == "without") == is_second}
            if counts and (least := min(counts.values())) < QUESTIONS:
                return [(arm, least) for arm, reached in counts.items() if reached == least]
        return []

    def remaining(self) -> int:
        """The number of questions that are still to be asked, over all arms."""
        return sum(QUESTIONS - len(self.answers(arm)) for arm in self.arms())

    def can_take_away(self) -> bool:
        """Whether all was learned and nothing was taken away yet."""
        return self.arms() == ["learning", "empty"] and not self.due()

    def sessions(self, arm: Arm) -> list[str]:
        """The ids of an arm's sessions, which need not exist. A playbook made anew has other ones."""
        infos = self._infos()
        if "learning" not in infos:
            return []
        made = int(infos["learning"].created_at * 1000)
        slug = self.name.replace(" ", "-")
        return [f"{slug}-{made:x}-{arm}-{number}" for number in range(1, -(-QUESTIONS // PER_SESSION) + 1)]

    def ask(self, arm: Arm, index: int, model: str | None) -> Run:
        """Starts the run of a question; in its arm's next session, which is made if it does not exist.

        Raises:
            PlaygroundError: The run cannot be started.
        """
        session = self.sessions(arm)[index // PER_SESSION]
        message = as_message(self.questions[index])
        with suppress(SessionNotFoundError):
            return self.manager.start(PIPELINE, message, session_id=session, model=model, simulated_speed=0)
        self._make_session(arm, session, index)
        return self.manager.start(PIPELINE, message, session_id=session, model=model, simulated_speed=0)

    def take_away(self) -> None:
        """Copies the learned playbook without the bullets that its answers cited, and freezes the copy.

        May be called again: what is done already stays.
        """
        learned, copy = self.store("learning"), self.store("without")
        cited = {id_ for record in learned.history() for id_ in record.cited or ()}
        with suppress(PlaybookExistsError):
            learned.copy_to(copy.name)
        if copy.frozen:
            return
        there = copy.playbook()
        removed = [Remove(bullet_id=id_) for id_ in sorted(cited) if id_ in there]
        if removed:
            copy.commit(DeltaBatch(reasoning=_TAKEN, operations=list[Any](removed), by=BY_USER))
        copy.freeze()

    def remove(self) -> None:
        """Deletes the playbooks and the sessions; `restore` brings them back."""
        for session in self._all_sessions():
            if self.manager.sessions.find(PIPELINE, session) is not None:
                self.manager.sessions.delete(PIPELINE, session)
        for arm in self.arms():
            self.store(arm).delete()

    def restore(self) -> bool:
        """Undoes `remove`; False if there is nothing to restore.

        Raises:
            PlaybookExistsError: Another playbook has taken one of the names.
        """
        restored = [self.store(arm).restore() for arm in ARMS]
        for session in self._all_sessions():
            self.manager.sessions.restore(PIPELINE, session)
        return any(restored)

    def _infos(self) -> dict[Arm, PlaybookInfo]:
        by_name = {info.name: info for info in self.manager.playbooks(PIPELINE).names()}
        return {arm: by_name[name] for arm in ARMS if (name := self.playbook(arm)) in by_name}

    def _all_sessions(self) -> Iterator[str]:
        return (session for arm in ARMS for session in self.sessions(arm))

    def _make_session(self, arm: Arm, session: str, index: int) -> None:
        first = index // PER_SESSION * PER_SESSION + 1
        title = f"{self.name}, {LABELS[arm]}, questions {first}–{first + PER_SESSION - 1}"
        make_session(self.manager, session, title, {"playbook_name": self.playbook(arm)})


def new_watch(manager: RunManager) -> Watch:
    """Makes a watch with two empty playbooks, by the first free name of "learning 1", "learning 2" …."""
    while True:
        watch = Watch(manager, new_playbook(manager, _PREFIX, lambda name: [*map(Watch(manager, name).playbook, ARMS)]))
        with suppress(PlaybookExistsError):  # another process was faster
            watch.store("empty").freeze()
            return watch


@cache
def questions(seed: int) -> tuple[Question, ...]:
    """`QUESTIONS` questions of `KINDS` kinds that can be learned."""
    kinds = dict.fromkeys(question.family for question in draw_questions(seed, QUESTIONS) if question.learnable)
    return tuple(draw_questions(seed, QUESTIONS, tuple(islice(kinds, KINDS))))
