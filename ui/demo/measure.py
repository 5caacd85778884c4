"""Measures the effect of a playbook: answers a stream of questions while learning, and again with parts of it removed.

Each question is a sample of the Lab, worked on by the whole pipeline with the simulated model. Nothing is stored, and the
figures depend only on the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

from agents.ace import Playbook
from agents.lab import Outcome, Sample, Scorer, Task, make_scorer, open_data, run_sample
from agents.models import SIMULATED
from agents.pipelines import made_wrong

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
FAMILIES, RUBRIC = make_scorer({"kind": "families"}), make_scorer({"kind": "rubric"})


class Share(NamedTuple):
    """The number of right answers to questions that can be learned, and of all answers to them."""

    right: int
    of: int

    @property
    def percent(self) -> float:
        """From 0 to 100."""
        return 100 * self.right / self.of if self.of else 0.0

    def __str__(self) -> str:
        """E.g. `57 of 58 (98.3 %)`."""
        return f"{self.right} of {self.of} ({self.percent:.1f} %)"


class Played(NamedTuple):
    """An answered stream, and the playbook after it."""

    samples: Sequence[Sample]
    outcomes: Sequence[Outcome]
    playbook: Playbook

    @property
    def all(self) -> Share:
        """The share of right answers."""
        return self._share(slice(None))

    @property
    def start(self) -> Share:
        """The share of right answers at the start."""
        return self._share(slice(_part(len(self.samples), START)))

    @property
    def end(self) -> Share:
        """The share of right answers at the end."""
        return self._share(slice(-_part(len(self.samples), END), None))

    def _share(self, part: slice) -> Share:
        pairs = zip(self.samples[part], self.outcomes[part], strict=True)
        learnable = [outcome.is_right for sample, outcome in pairs if sample.labels["learnable"]]
        return Share(sum(learnable), len(learnable))

    @property
    def criteria(self) -> tuple[int, int]:
        """The number of rubric criteria that the answers meet, and of all criteria."""
        scores = [outcome.score for outcome in self.outcomes if outcome.score is not None]
        return sum(score.right for score in scores), sum(score.of for score in scores)

    def cited(self, last: int) -> set[str]:
        """The bullets that the last answers cite."""
        return {id_ for outcome in self.outcomes[-last:] for id_ in outcome.cited}


class Figures(NamedTuple):
    """The figures of one stream.

    Attributes:
        seed: Seed of the questions.
        learned: The stream, while learning.
        frozen: The stream, with the playbook frozen empty.
        unchecked: The stream, while learning without any feedback.
        kept: The end once more, with the learned playbook, frozen.
        removed: The same without the bullets that those answers rested on.
        wrong: The same with the formulas of those bullets replaced by wrong ones.
        advice: Rubric criteria that answers to free questions meet, and all: with an empty playbook; after each was asked
            `ROUNDS` times; and without the bullets that those answers cite.
    """

    seed: int
    learned: Played
    frozen: Played
    unchecked: Played
    kept: Played
    removed: Played
    wrong: Played
    advice: tuple[tuple[int, int], ...]

    def lines(self) -> list[str]:
        """The figures as lines of text."""
        before, after, removed = (f"{met} of {of}" for met, of in self.advice)
        rows = (
            ("learning", f"{self.learned.start} at the start, {self.learned.end} at the end"),
            ("playbook frozen empty", f"{self.frozen.start} at the start, {self.frozen.end} at the end"),
            ("learning without feedback", f"{self.unchecked.end} at the end"),
            ("end, learned playbook frozen", f"{self.kept.all}"),
            ("end, needed bullets removed", f"{self.removed.all}"),
            ("end, needed formulas made wrong", f"{self.wrong.all}"),
            ("advice, rubric score", f"{before} before, {after} after, {removed} with the bullets removed"),
        )
        width = max(len(name) for name, _ in rows)
        bullets = f"{len(self.learned.playbook)} bullets learned"
        head = f"{len(self.learned.samples)} questions, seed {self.seed}, simulated model; {bullets}"
        return [head, *(f"  {name:{width}}  {said}" for name, said in rows)]


async def measure(seed: int = 1, count: int = 240, *, tell: Callable[[str], None] = lambda _: None) -> Figures:
    """Measures all figures of one stream.

    Args:
        seed: Seed of the questions.
        count: Number of questions; about a hundred at least, so that each kind comes more than twice.
        tell: Called with what is being measured.
    """
    questions = list(open_data({"generate": "formulas", "seed": seed, "count": count}).samples("train"))
    last = questions[-_part(count, END) :]
    tell("Learning from every answer")
    learned = await play(questions)
    needed = learned.cited(len(last))
    tell("With the playbook frozen empty")
    frozen = await play(questions, frozen=True)
    tell("Learning without feedback")
    unchecked = await play(questions, feedback="none")
    tell("The end again: with the learned playbook, without what it rests on, and with wrong formulas")
    kept = await play(last, playbook=learned.playbook, frozen=True)
    removed = await play(last, playbook=without(learned.playbook, needed), frozen=True)
    wrong = await play(last, playbook=made_wrong(learned.playbook, needed), frozen=True)
    tell("Free questions, by the rubric")
    return Figures(seed, learned, frozen, unchecked, kept, removed, wrong, await _advice())


async def _advice() -> tuple[tuple[int, int], ...]:
    """Asks free questions, in new sessions and without a right answer, before and after learning."""
    questions = [Sample(id=text, question=text) for text in ADVICE]
    learned = (await play(questions * ROUNDS, scorer=RUBRIC)).playbook
    before = await play(questions, scorer=RUBRIC, frozen=True)
    after = await play(questions, scorer=RUBRIC, playbook=learned, frozen=True)
    kept = without(learned, after.cited(len(questions)))
    removed = await play(questions, scorer=RUBRIC, playbook=kept, frozen=True)
    return before.criteria, after.criteria, removed.criteria


async def play(
    samples: Sequence[Sample],
    *,
    playbook: Playbook | None = None,
    frozen: bool = False,
    feedback: Literal["truth", "none"] = "truth",
    scorer: Scorer = FAMILIES,
) -> Played:
    """Answers questions in order: predict, score, learn.

    Args:
        samples: The questions.
        playbook: The playbook at the start; None for an empty one.
        frozen: Whether the playbook is read-only.
        feedback: The reflector's feedback. The score always uses the right answer.
        scorer: Scores the answers.
    """
    # An unnamed playbook would be changed in place.
    playbook, outcomes = (playbook or Playbook()).replace(name="measured"), list[Outcome]()
    how: dict[str, Any] = {"scorer": scorer, "learner": "nothing" if frozen else "cycle", "feedback": feedback}
    for sample in samples:
        outcome = await run_sample(Task(sample=sample, playbook=playbook, pipeline="ace", model=SIMULATED, **how))
        outcomes.append(outcome)
        for batch in () if frozen else outcome.batches:
            playbook = playbook.apply_delta(batch)
    return Played(samples, outcomes, playbook)


def without(playbook: Playbook, ids: Iterable[str]) -> Playbook:
    """A playbook without the bullets with these ids."""
    for id_ in ids:
        if id_ in playbook:
            playbook = playbook.without(id_)
    return playbook


def _part(count: int, parts: int) -> int:
    """The size of one of `parts` equal parts of `count`; at least 1."""
    return max(1, count // parts)
