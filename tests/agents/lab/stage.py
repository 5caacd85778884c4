"""What lab runs need in tests: a drawn data set, a scorer, models, and the comparable part of a run's results."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from agents.lab import Lab, LabRun, Outcome, Parts, Progress, Sample, Score, Task, run_sample
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.answer import content_of
from agents.pipelines import draw_questions


class Drawn:
    """Questions of the families; of `per_split`, each split has other ones."""

    name = "drawn"

    def __init__(self, per_split: int = 12, *, fingerprint: str = "first") -> None:
        self.fingerprint = fingerprint
        self.opened = 0
        self._samples = {
            split: [
                Sample(id=f"{split}:{place}", question=one.text, truth=one.answer, labels={"family": one.family})
                for place, one in enumerate(draw_questions(seed, per_split))
            ]
            for seed, split in enumerate(("train", "validation", "test"), start=1)
        }

    def count(self, split: str) -> int:
        return len(self._samples[split])

    def samples(self, split: str) -> Iterator[Sample]:
        self.opened += 1
        return iter(self._samples[split])


class SameText:
    """An answer is right if it has the text of the right one."""

    async def score(self, answer: str, sample: Sample) -> Score:
        is_right = answer.strip() == sample.truth
        return Score(value=float(is_right), is_right=is_right, right=int(is_right))


GENERATED = {"reasoning": ["a"], "bullet_ids": [], "final_answer": "4"}
REFLECTED = {
    "reasoning": ["a"],
    "error_identification": "It was wrong.",
    "root_cause_analysis": "x",
    "correct_approach": "y",
    "key_insight": "z",
    "bullet_tags": [],
}
CURATED: dict[str, Any] = {"reasoning": "r", "operations": []}


class ByAgent(BaseLlm):
    """Answers each agent by a function of the request; every call costs ten tokens."""

    model: str = "by-agent"
    answers: Mapping[str, Callable[[LlmRequest], Any]] = Field(default_factory=dict)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        agent = (llm_request.config.labels or {}).get("adk_agent_name", "")
        usual = {"Generator": GENERATED, "ReflectorModel": REFLECTED, "CuratorModel": CURATED}
        answer = self.answers[agent](llm_request) if agent in self.answers else usual[agent]
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(answer)
        usage = {"prompt_token_count": 8, "candidates_token_count": 2}
        yield LlmResponse(content=content_of(text), stop_reason="end_turn", usage_metadata=usage)


def description(arms: str, **more: Any) -> str:
    """A description's TOML."""
    values = {"name": "run", "data": "drawn", **more}
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items()) + arms


def parts(**more: Any) -> Parts:
    """The parts that all runs here share."""
    return Parts(**{"data": Drawn(), "scorer": SameText(), **more})


async def finished(folder: Path, text: str, **more: Any) -> LabRun:
    """A run that was worked on to its end."""
    return await Lab(folder).begin(text, parts=parts(**more)).run()


class AbortedError(Exception):
    """Ends a run between two steps."""


async def aborted_at_every_step(
    folder: Path, text: str, data: Drawn, *, each: Callable[[], None] = lambda: None
) -> tuple[LabRun, int]:
    """A run that is resumed to its end, each time after a single step, and how often it was aborted.

    Args:
        folder: The folder of runs.
        text: The description.
        data: The data set.
        each: Called after each abort.
    """
    steps = aborts = 0

    async def execute(task: Task) -> Outcome:
        if steps:
            raise AbortedError
        return await run_sample(task)

    def tell(_: Progress) -> None:
        nonlocal steps
        steps += 1

    chosen = parts(data=data, execute=execute)
    active = Lab(folder).begin(text, parts=chosen)
    while True:
        steps = 0
        try:
            return await active.run(tell), aborts
        except AbortedError:
            aborts += 1
            each()
            active = Lab(folder).resume("run", parts=chosen)


_COMPARED = (
    *("number", "phase", "sample", "answer", "is_right", "failed", "error", "cited", "before", "revision", "bullets"),
    *("playbook_tokens", "calls", "tokens", "lost"),
)


def outcome_of(run: LabRun) -> Any:
    """What a run came to, without times."""
    found: dict[str, Any] = {}
    for one in run.standings():
        rows = [tuple(getattr(row, name) for name in _COMPARED) for row in run.results(one.arm, one.seed)]
        playbook = run.playbook(one.arm, one.seed).playbook()
        bullets = [(b.id, b.section, b.content, b.helpful, b.harmful, b.neutral) for b in playbook.bullets]
        found[f"{one.arm} {one.seed}"] = (one.status, one.best, rows, bullets, playbook.revision, playbook.queries)
    return found


def contents(run: LabRun, arm: str, seed: int = 0) -> set[str]:
    """The texts of an arm's bullets."""
    return {bullet.content for bullet in run.playbook(arm, seed).playbook().bullets}
