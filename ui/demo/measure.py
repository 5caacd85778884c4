"""Measures the effect of a playbook: answers a stream of questions while learning, and again with parts of it removed.

Each question is one run of the whole pipeline in its own session, in memory, with the simulated model. The figures depend
only on the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple

from google.genai import types

from agents import InMemorySessionService, RunConfig, Runner
from agents.ace import Playbook, PlaybookStore
from agents.models import SimulatedLlm
from agents.pipelines import (
    FREE_FAMILY,
    Question,
    as_message,
    draw_questions,
    is_right,
    load_built_in,
    made_wrong,
    rubric_score,
)

ADVICE = (
    "Tell me about efficient task management",
    "How can I sleep better?",
    "効率的なタスク管理について教えてください",
    "請告訴我如何有效管理任務",
)
"""The free questions that are measured."""
ROUNDS = 3
"""How often each free question is asked while learning."""
START, END = 10, 4
"""The start of a stream is its first 1/10, the end its last 1/4."""

_APP, _USER = "ace", "measure"


class Result(NamedTuple):
    """A question, its answer, the cited bullets, and whether the answer was right."""

    question: Question
    answer: str
    cited: tuple[str, ...]
    is_right: bool


class Share(NamedTuple):
    """The number of right answers to questions that can be learned, and of all answers to them."""

    right: int
    of: int

    @classmethod
    def among(cls, results: Iterable[Result]) -> Share:
        """The share of right answers. Questions that cannot be learned do not count."""
        learnable = [result for result in results if result.question.learnable]
        return cls(sum(result.is_right for result in learnable), len(learnable))

    @property
    def percent(self) -> float:
        """From 0 to 100."""
        return 100 * self.right / self.of if self.of else 0.0

    def __str__(self) -> str:
        """E.g. `57 of 58 (98.3 %)`."""
        return f"{self.right} of {self.of} ({self.percent:.1f} %)"


class Played(NamedTuple):
    """An answered stream, and the playbook after it."""

    results: tuple[Result, ...]
    playbook: Playbook

    @property
    def start(self) -> Share:
        """The share of right answers at the start."""
        return Share.among(self.results[: _part(len(self.results), START)])

    @property
    def end(self) -> Share:
        """The share of right answers at the end."""
        return Share.among(self.results[-_part(len(self.results), END) :])


class AdviceShare(NamedTuple):
    """The number of rubric criteria that the answers to free questions meet, and of all criteria."""

    met: int
    of: int

    def __str__(self) -> str:
        """E.g. `8 of 24`."""
        return f"{self.met} of {self.of}"


class AdviceFigures(NamedTuple):
    """Rubric scores of free questions.

    Attributes:
        before: With an empty playbook.
        after: After each question was asked `ROUNDS` times, in new sessions.
        removed: The same playbook without the bullets that those answers cite.
    """

    before: AdviceShare
    after: AdviceShare
    removed: AdviceShare


class Figures(NamedTuple):
    """The figures of one stream.

    Attributes:
        seed: Seed of the questions.
        questions: Number of questions.
        bullets: Number of learned bullets.
        start: At the start, while learning.
        end: At the end, while learning.
        frozen_start: At the start, with the playbook frozen empty.
        frozen_end: At the end, with the playbook frozen empty.
        kept: The end once more, with the learned playbook, frozen.
        removed: The same without the bullets that those answers rested on.
        wrong: The same with the formulas of those bullets replaced by wrong ones.
        unchecked: At the end, after learning without any feedback.
        advice: Scores of free questions.
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
        """The figures as lines of text."""
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
    """Measures all figures of one stream.

    Args:
        seed: Seed of the questions.
        count: Number of questions; about a hundred at least, so that each kind comes more than twice.
        tell: Called with what is being measured.
    """
    questions = list(draw_questions(seed, count))
    last = questions[-_part(len(questions), END) :]
    tell("Learning from every answer")
    learned = await play(questions)
    needed = {id_ for result in learned.results[-len(last) :] for id_ in result.cited}
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
        kept=Share.among(kept.results),
        removed=Share.among(removed.results),
        wrong=Share.among(wrong.results),
        unchecked=unchecked.end,
        advice=await measure_advice(tell=tell),
    )


async def measure_advice(*, tell: Callable[[str], None] = lambda _: None) -> AdviceFigures:
    """Measures free questions: each is asked `ROUNDS` times, in new sessions, without a right answer."""
    tell("Free questions, by the rubric")
    questions = [Question(text, "", FREE_FAMILY, learnable=False) for text in ADVICE]
    before = await play(questions, frozen=True)
    learned = await play(questions * ROUNDS)
    after = await play(questions, playbook=learned.playbook, frozen=True)
    cited = {id_ for result in after.results for id_ in result.cited}
    removed = await play(questions, playbook=without(learned.playbook, cited), frozen=True)
    return AdviceFigures(*(_by_rubric(played) for played in (before, after, removed)))


def _by_rubric(played: Played) -> AdviceShare:
    scores = [rubric_score(result.answer, result.question.text) for result in played.results]
    return AdviceShare(sum(met for met, _ in scores), sum(of for _, of in scores))


async def play(
    questions: Sequence[Question],
    *,
    playbook: Playbook | None = None,
    frozen: bool = False,
    feedback: str = "ground truth",
) -> Played:
    """Answers questions in order: predict, score, learn.

    Args:
        questions: The questions.
        playbook: The playbook at the start; None for an empty one.
        frozen: Whether the playbook is read-only.
        feedback: The reflector's feedback. The score always uses the right answer.
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
    results: list[Result] = []
    for question in questions:
        session = await service.create_session(app_name=_APP, user_id=_USER, state={"feedback_from": feedback})
        message = types.Content(role="user", parts=[types.Part(text=as_message(question))])
        run = runner.run_async(user_id=_USER, session_id=session.id, new_message=message, run_config=config)
        said: dict[str, Any] = {}
        async with aclosing(run) as events:
            async for event in events:
                said = event.actions.state_delta.get("generator_output") or said
        answer, cited = str(said.get("final_answer", "")), tuple(said.get("bullet_ids", ()))
        results.append(Result(question, answer, cited, is_right(answer, question.answer, question)))
        await service.delete_session(app_name=_APP, user_id=_USER, session_id=session.id)
    return Played(tuple(results), store.playbook())


def without(playbook: Playbook, ids: Iterable[str]) -> Playbook:
    """A playbook without the bullets with these ids."""
    for id_ in ids:
        if id_ in playbook:
            playbook = playbook.without(id_)
    return playbook


def _part(count: int, parts: int) -> int:
    """The size of one of `parts` equal parts of `count`; at least 1."""
    return max(1, count // parts)
