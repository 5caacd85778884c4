"""`Task` and `Outcome`: what a worker is given for one sample, and what it gives back. Values that can be pickled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from agents.ace.playbook import Playbook
from agents.lab.sample import Sample
from agents.lab.scorer import Score, Scorer
from agents.model import BaseLlm

Learner = Literal["nothing", "cycle", "rewriting", "edits", "transcript"]
"""Who learns from an answer: nobody, the pipeline itself, a model that rewrites the whole text after each answer or after
each wrong one; or question and right answer are only noted."""
Feedback = Literal["truth", "execution", "none"]
"""What the learner is told of an answer: the right answer, whether a check passed, or nothing."""
Keep = Literal["all", "wrong", "none"]
"""Whose logs are kept: of all samples, of those that are not right, of none."""
Answerer = Callable[[Sample], Awaitable[str]]
"""A Python callable in place of a pipeline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One sample to work on.

    Attributes:
        sample: The sample.
        playbook: The playbook that it is worked on with; its name and revision stand in the log.
        pipeline: The pipeline's name.
        model: The model's name, or a model.
        models: Names of the models of single agents, by the agent's name.
        temperature: How freely they choose their words; None leaves it to each.
        scorer: Scores the answer.
        agents_dir: A folder with more pipelines.
        version: Of the pipeline; with another one it is loaded anew.
        settings: State that the session begins with, e.g. fields of `AceSettings`.
        learner: Who learns.
        feedback: What the learner is told.
        told: The right answer that the learner is told instead of the sample's own.
        limits: What the model that rewrites the whole text is told to keep to; "" for nothing.
        window: Most tokens of a transcript.
        reflects: Whether there is a reflector; without one the curator gets the plain feedback.
        most_calls: Model calls that it may make; None for the pipeline's usual limit.
        keep: Whether its log is given back.
        answerer: Answers instead of the pipeline.
    """

    sample: Sample
    playbook: Playbook
    pipeline: str
    model: str | BaseLlm
    scorer: Scorer
    agents_dir: Path | None = None
    version: str = ""
    models: Mapping[str, str] = field(default_factory=dict[str, str])
    temperature: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    learner: Learner = "nothing"
    feedback: Feedback = "truth"
    told: str | None = None
    limits: str = ""
    window: int = 0
    reflects: bool = True
    most_calls: int | None = None
    keep: Keep = "none"
    answerer: Answerer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What model calls used.

    Attributes:
        calls: Number of calls, failed ones included.
        input: Tokens sent.
        output: Tokens received, thoughts included.
        cost: US dollars; None if a model has no price.
        seconds: Seconds that models took.
    """

    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Both together."""
        return Usage(
            calls=self.calls + other.calls,
            input=self.input + other.input,
            output=self.output + other.output,
            cost=None if self.cost is None or other.cost is None else self.cost + other.cost,
            seconds=self.seconds + other.seconds,
        )

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.input + self.output


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleLog:
    """The log of a sample's session.

    Attributes:
        entries: Kind and body as JSON of each entry; the first has the `seq` 1.
        texts: The texts that entries refer to, by hash.
    """

    entries: tuple[tuple[str, str], ...]
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a sample.

    Attributes:
        sample: The sample's id.
        answer: The final answer; "" if there is none.
        cited: Ids of the bullets that the answer cites.
        score: None if the answer could not be scored, or there is none because of an error: the sample failed, and counts
            as wrong.
        error: What went wrong, by role if known; "" for nothing. Learning may fail after an answer that is scored.
        batches: The operations on the playbook, as JSON in the order of submission. They are not committed.
        usage: What each agent's model calls used, by the agent's name.
        seconds: Seconds that the sample took.
        log: The session's log, if it is to be kept.
    """

    sample: str
    answer: str = ""
    cited: tuple[str, ...] = ()
    score: Score | None = None
    error: str = ""
    batches: tuple[dict[str, Any], ...] = ()
    usage: Mapping[str, Usage] = field(default_factory=dict[str, Usage])
    seconds: float = 0.0
    log: SampleLog | None = None

    @property
    def total(self) -> Usage:
        """What all agents used."""
        return sum(self.usage.values(), Usage())

    @property
    def is_right(self) -> bool:
        """Whether it counts as right."""
        return self.score is not None and self.score.is_right


class Said(NamedTuple):
    """A piece of what a model says while a sample is worked on.

    Attributes:
        sample: The sample.
        agent: Whose model; "" when the work begins.
        text: The piece.
    """

    sample: Sample
    agent: str = ""
    text: str = ""


Execute = Callable[[Task], Awaitable[Outcome]]
"""Works on a task somewhere: by default in this process's event loop, see `agents.lab.work.worker.run_sample`."""
