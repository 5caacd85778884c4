"""`ClassState`: what the entries of a class's journal add up to. Applying them decides nothing and checks nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.storage.journal import JournalEntry


@dataclass(slots=True)
class Learner:
    """Who takes part.

    Attributes:
        id: Their user id.
        nickname: What others see; no two learners of a class have the same.
        answered: How many questions they answered that were revealed.
        right: How many of these they answered as the log does.
    """

    id: str
    nickname: str
    answered: int = 0
    right: int = 0


@dataclass(frozen=True, slots=True)
class Vote:
    """A learner's answer: the number of the choice, and why, "" for no reason."""

    choice: int
    reason: str


@dataclass(slots=True)
class Question:
    """A question to the class.

    Attributes:
        id: The number of its entry.
        text: What is asked.
        choices: What can be answered.
        about: What the answer is read from: `{"take": "next", "after": seq}`, or a lesson's step `{"step": id}`; empty if
            only the teacher knows it.
        votes: By the learners' ids; those of earlier questions are not kept here.
        counts: How many chose each.
        is_open: Whether it can be answered.
        right: The number of the right choice; None until it is revealed, or if there is none.
    """

    id: int
    text: str
    choices: tuple[str, ...]
    about: Mapping[str, Any]
    votes: dict[str, Vote] = field(default_factory=dict[str, Vote])
    counts: list[int] = field(default_factory=list[int])
    is_open: bool = True
    right: int | None = None


@dataclass(slots=True)
class Staged:
    """The session on the wall.

    Attributes:
        pipeline: Its pipeline.
        session: Its id.
        by: The user id whose session it is.
        at: `seq` of the last entry that is shown.
        roles: Who plays which agent, by the agent's name: a learner's id.
    """

    pipeline: str
    session: str
    by: str
    at: int = 0
    roles: dict[str, str] = field(default_factory=dict[str, str])

    def shows(self, seq: int) -> bool:
        """Whether an entry is shown: up to where the teacher is; while learners play agents, all that there is."""
        return bool(self.roles) or seq <= self.at


@dataclass(slots=True)
class Hunt:
    """The hunt for a bullet that was made wrong.

    Attributes:
        began: When, in seconds since the epoch.
        seconds: How long it may take.
        target: How many answers are right without the wrong bullet.
        found: When all of these answers were right again; None until then.
    """

    began: float
    seconds: float
    target: int
    found: float | None = None


@dataclass(slots=True)
class ClassState:
    """A class at one moment.

    Attributes:
        seq: Number of the last entry.
        code: With it learners join.
        learners: By their user ids, in the order in which they joined.
        question: The last question; None before the first.
        staged: What is on the wall; None for nothing.
        playbook: Name of the playbook that the class writes; "" for none.
        score: How many of the check's questions were answered rightly last, and of how many; None before the first check.
        hunt: The hunt; None before it begins.
        reasons_taken: The question whose reasons are in the playbook.
        asked_steps: The lesson's steps that were asked about the session on the wall.
        focus: What the wall shows large: "question", "stage", "book"; "" before anything.
    """

    seq: int = 0
    code: str = ""
    learners: dict[str, Learner] = field(default_factory=dict[str, Learner])
    question: Question | None = None
    staged: Staged | None = None
    playbook: str = ""
    score: tuple[int, int] | None = None
    hunt: Hunt | None = None
    reasons_taken: int = 0
    asked_steps: set[str] = field(default_factory=set[str])
    focus: str = ""

    def apply(self, entry: JournalEntry) -> None:
        """Takes in the next entry. Kinds that are not known, e.g. of a later version, are passed over."""
        self.seq = entry.seq
        kind = str(entry.body.get("kind"))
        if (apply := _KINDS.get(kind)) is not None:
            apply(self, entry)
        self.focus = _FOCUS.get(kind, self.focus)


def _opened(state: ClassState, entry: JournalEntry) -> None:
    state.code = entry.body["code"]


def _joined(state: ClassState, entry: JournalEntry) -> None:
    who = entry.body["learner"]
    if (known := state.learners.get(who)) is not None:
        known.nickname = entry.body["nickname"]
    else:
        state.learners[who] = Learner(who, entry.body["nickname"])


def _asked(state: ClassState, entry: JournalEntry) -> None:
    choices = tuple(entry.body["choices"])
    state.question = Question(entry.seq, entry.body["text"], choices, entry.body["about"], counts=[0] * len(choices))
    if "step" in state.question.about:
        state.asked_steps.add(str(state.question.about["step"]))


def _voted(state: ClassState, entry: JournalEntry) -> None:
    question, who = state.question, entry.body["learner"]
    if question is None or question.id != entry.body["question"]:
        return
    if (before := question.votes.get(who)) is not None:
        question.counts[before.choice] -= 1
    question.votes[who] = vote = Vote(entry.body["choice"], entry.body["reason"])
    question.counts[vote.choice] += 1


def _revealed(state: ClassState, entry: JournalEntry) -> None:
    question = state.question
    if question is None or question.id != entry.body["question"]:
        return
    question.is_open, question.right = False, entry.body["right"]
    for who, vote in question.votes.items():
        state.learners[who].answered += 1
        state.learners[who].right += vote.choice == question.right


def _staged(state: ClassState, entry: JournalEntry) -> None:
    body = entry.body
    state.asked_steps.clear()
    state.staged = Staged(body["pipeline"], body["session"], body["by"], roles=dict(body["roles"]))


def _moved(state: ClassState, entry: JournalEntry) -> None:
    if state.staged is not None:
        state.staged.at = entry.body["at"]


def _cast(state: ClassState, entry: JournalEntry) -> None:
    if state.staged is not None:
        state.staged.roles[entry.body["agent"]] = entry.body["learner"]


def _wrote(state: ClassState, entry: JournalEntry) -> None:
    state.playbook, state.hunt, state.score = entry.body["playbook"], None, None


def _took_reasons(state: ClassState, entry: JournalEntry) -> None:
    state.reasons_taken = entry.body["question"]


def _checked(state: ClassState, entry: JournalEntry) -> None:
    state.score = entry.body["right"], entry.body["of"]
    if (hunt := state.hunt) is None or hunt.found is not None:
        return
    if entry.body["right"] >= hunt.target and entry.at <= hunt.began + hunt.seconds:
        hunt.found = entry.at


def _hunted(state: ClassState, entry: JournalEntry) -> None:
    state.hunt = Hunt(entry.at, entry.body["seconds"], entry.body["target"])


_KINDS: Mapping[str, Callable[[ClassState, JournalEntry], None]] = {
    "opened": _opened,
    "joined": _joined,
    "asked": _asked,
    "voted": _voted,
    "revealed": _revealed,
    "staged": _staged,
    "moved": _moved,
    "cast": _cast,
    "wrote": _wrote,
    "took_reasons": _took_reasons,
    "checked": _checked,
    "hunted": _hunted,
}
_FOCUS: Mapping[str, str] = {
    **dict.fromkeys(("asked", "revealed"), "question"),
    **dict.fromkeys(("staged", "moved", "cast"), "stage"),
    **dict.fromkeys(("wrote", "took_reasons", "checked", "hunted"), "book"),
}
