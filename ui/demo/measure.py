"""Measures what a playbook is worth: answers a stream of questions while learning, and again with less of a playbook.

Each question runs through the whole pipeline in a session of its own, in memory, with the simulated model. The figures are
the same for the same seed, on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple

from google.genai import types

from agents import InMemorySessionService, RunConfig, Runner
from agents.ace import Playbook, PlaybookStore
from agents.models import SimulatedLlm
from agents.pipelines import FREE, Question, as_message, draw_questions, is_right, load_built_in, made_wrong, rubric_score

ADVICE = (
    "Tell me about efficient task management",
    "How can I sleep better?",
    "効率的なタスク管理について教えてください",
    "請告訴我如何有效管理任務",
)
"""Free questions that are measured."""
ROUNDS = 3
"""How often each is asked while learning."""
START, END = 10, 4
"""The start of a stream is its first tenth, the end its last quarter."""

_APP, _USER = "ace", "measure"


class Mark(NamedTuple):
    """A question, what was answered, which bullets that rests on, and whether it was right."""

    question: Question
    answer: str
    cited: tuple[str, ...]
    is_right: bool


class Share(NamedTuple):
    """Right answers among those to questions that can be learned."""

    right: int
    of: int

    @classmethod
    def among(cls, marks: Iterable[Mark]) -> Share:
        """The share of right answers; questions that nothing can be learned for do not count."""
        learnable = [mark for mark in marks if mark.question.learnable]
        return cls(sum(mark.is_right for mark in learnable), len(learnable))

    @property
    def percent(self) -> float:
        """From 0 to 100."""
        return 100 * self.right / self.of if self.of else 0.0

    def __str__(self) -> str:
        """E.g. `57 of 58 (98.3 %)`."""
        return f"{self.right} of {self.of} ({self.percent:.1f} %)"


class Played(NamedTuple):
    """A stream that was answered, and the playbook after it."""

    marks: tuple[Mark, ...]
    playbook: Playbook

    @property
    def start(self) -> Share:
        """Of the first part."""
        return Share.among(self.marks[: _part(len(self.marks), START)])

    @property
    def end(self) -> Share:
        """Of the last part."""
        return Share.among(self.marks[-_part(len(self.marks), END) :])


class AdviceShare(NamedTuple):
    """How many criteria of the rubric the answers to free questions meet, of how many."""

    met: int
    of: int

    def __str__(self) -> str:
        """E.g. `8 of 24`."""
        return f"{self.met} of {self.of}"


class AdviceFigures(NamedTuple):
    """What a playbook is worth for free questions, by the rubric.

    Attributes:
        before: With an empty playbook.
        after: After each was asked a few times, in new sessions.
        removed: The same without the bullets that those answers cite.
    """

    before: AdviceShare
    after: AdviceShare
    removed: AdviceShare


class Figures(NamedTuple):
    """What a playbook is worth.

    Attributes:
        seed: Of the questions.
        questions: How many there were.
        bullets: How many bullets were learned.
        start: At the start, while learning.
        end: At the end, while learning.
        frozen_start: At the start, with the playbook frozen empty.
        frozen_end: At the end, with the playbook frozen empty.
        kept: The end once more, with the learned playbook, frozen.
        removed: The same without the bullets that those answers rested on.
        wrong: The same with their formulas made wrong by hand.
        unchecked: At the end, after learning without any feedback.
        advice: Free questions, by the rubric.
    """

    seed: int
    questions: int
    bullets: int
    start: Share
    end: Share
    frozen_start: Share
    frozen_end: Share
    kept: Share
    removed: Share
    wrong: Share
    unchecked: Share
    advice: AdviceFigures

    def lines(self) -> list[str]:
        """The figures, ready to be printed."""
        rows = (
            ("learning", f"{self.start} at the start, {self.end} at the end"),
            ("playbook frozen empty", f"{self.frozen_start} at the start, {self.frozen_end} at the end"),
            ("learning without feedback", f"{self.unchecked} at the end"),
            ("end, learned playbook frozen", f"{self.kept}"),
            ("end, needed bullets removed", f"{self.removed}"),
            ("end, needed formulas made wrong", f"{self.wrong}"),
            (
                "advice, rubric score",
                f"{self.advice.before} before, {self.advice.after} after, {self.advice.removed} with the bullets removed",
            ),
        )
        width = max(len(name) for name, _ in rows)
        head = f"{self.questions} questions, seed {self.seed}, simulated model; {self.bullets} bullets learned"
        return [head, *(f"  {name:{width}}  {said}" for name, said in rows)]


async def measure(seed: int = 1, count: int = 240, *, tell: Callable[[str], None] = lambda _: None) -> Figures:
    """All figures of one stream.

    Args:
        seed: Of the questions.
        count: How many questions; each kind should come more than twice, so not much fewer than a hundred.
        tell: Told what is being measured.
    """
    questions = list(draw_questions(seed, count))
    last = questions[-_part(len(questions), END) :]
    tell("Learning from every answer")
    learned = await play(questions)
    needed = {id_ for mark in learned.marks[-len(last) :] for id_ in mark.cited}
    tell("With the playbook frozen empty")
    frozen = await play(questions, frozen=True)
    tell("Learning without feedback")
    unchecked = await play(questions, feedback="nothing")
    tell("The end again: with the learned playbook, without what it rests on, and with wrong formulas")
    kept = await play(last, playbook=learned.playbook, frozen=True)
    removed = await play(last, playbook=without(learned.playbook, needed), frozen=True)
    wrong = await play(last, playbook=made_wrong(learned.playbook, needed), frozen=True)
    return Figures(
        seed=seed,
        questions=count,
        bullets=len(learned.playbook),
        start=learned.start,
        end=learned.end,
        frozen_start=frozen.start,
        frozen_end=frozen.end,
        kept=Share.among(kept.marks),
        removed=Share.among(removed.marks),
        wrong=Share.among(wrong.marks),
        unchecked=unchecked.end,
        advice=await measure_advice(tell=tell),
    )


async def measure_advice(*, tell: Callable[[str], None] = lambda _: None) -> AdviceFigures:
    """The figures of free questions: each is asked a few times, in new sessions, without any right answer."""
    tell("Free questions, by the rubric")
    questions = [Question(text, "", FREE, learnable=False) for text in ADVICE]
    before = await play(questions, frozen=True)
    learned = await play(questions * ROUNDS)
    after = await play(questions, playbook=learned.playbook, frozen=True)
    cited = {id_ for mark in after.marks for id_ in mark.cited}
    removed = await play(questions, playbook=without(learned.playbook, cited), frozen=True)
    return AdviceFigures(*(_by_rubric(played) for played in (before, after, removed)))


def _by_rubric(played: Played) -> AdviceShare:
    scores = [rubric_score(mark.answer, mark.question.text) for mark in played.marks]
    return AdviceShare(sum(met for met, _ in scores), sum(of for _, of in scores))


async def play(
    questions: Sequence[Question],
    *,
    playbook: Playbook | None = None,
    frozen: bool = False,
    feedback: str = "ground truth",
) -> Played:
    """Answers questions one after the other: predict, score, learn.

    Args:
        questions: What is asked.
        playbook: What is known at the start; None for nothing.
        frozen: Whether nothing may be learned.
        feedback: What the reflector is told. The score always knows the right answer.
    """
    service = InMemorySessionService()
    store = PlaybookStore(service.tables, _APP)
    if playbook is not None:
        store.import_playbook(playbook)
    if frozen:
        store.freeze()
    pipeline = load_built_in("ace")
    runner = Runner(app_name=_APP, agent=pipeline.root_agent, session_service=service)
    config = RunConfig(model=SimulatedLlm(simulation=pipeline.card.simulation, words_per_second=0))
    marks: list[Mark] = []
    for question in questions:
        session = await service.create_session(app_name=_APP, user_id=_USER, state={"feedback_from": feedback})
        message = types.Content(role="user", parts=[types.Part(text=as_message(question))])
        run = runner.run_async(user_id=_USER, session_id=session.id, new_message=message, run_config=config)
        said: dict[str, Any] = {}
        async with aclosing(run) as events:
            async for event in events:
                said = event.actions.state_delta.get("generator_output") or said
        answer, cited = str(said.get("final_answer", "")), tuple(said.get("bullet_ids", ()))
        marks.append(Mark(question, answer, cited, is_right(answer, question.answer, question)))
        await service.delete_session(app_name=_APP, user_id=_USER, session_id=session.id)
    return Played(tuple(marks), store.playbook())


def without(playbook: Playbook, ids: Iterable[str]) -> Playbook:
    """A playbook without some of its bullets."""
    for id_ in ids:
        if id_ in playbook:
            playbook = playbook.without(id_)
    return playbook


def _part(count: int, parts: int) -> int:
    """How many of so many are one of so many parts: at least one."""
    return max(1, count // parts)
