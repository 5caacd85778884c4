"""Lab runs with a model that answers at once, of this project alone: what is left is the cost of the Lab and the runtime."""

from __future__ import annotations

import gc
import json
import shutil
import time
import tracemalloc
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

from agents.ace import Playbook
from agents.ace.bullet import StoredBullet
from agents.lab import Lab, Parts, Progress, Sample, Score, Task, run_sample
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.answer import content_of
from tests.benchmarks.playbooks import SECTIONS, id_of, sentences

BULLETS = 1000
PER_JOB = 128
CYCLE = '[[arms]]\nkind = "parallel"\nrounds = 1\nworkers = {}\n'
FIRST = 10
"""The memory is compared between the first 1/10 of a run and its end."""

_ANSWERS = {
    "Generator": {"reasoning": ["It is known."], "bullet_ids": [id_of(1)], "final_answer": "4"},
    "ReflectorModel": {
        "reasoning": ["It was compared."],
        "error_identification": "The wrong unit.",
        "root_cause_analysis": "It was not read.",
        "correct_approach": "Read it.",
        "key_insight": "Units matter.",
        "bullet_tags": [{"id": id_of(1), "tag": "helpful"}],
    },
    "CuratorModel": {"reasoning": "Nothing new.", "operations": []},
}
_TEXTS = {agent: json.dumps(answer) for agent, answer in _ANSWERS.items()}


class AtOnce(BaseLlm):
    """Answers each role at once, always the same."""

    model: str = "at-once"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """See `BaseLlm`."""
        text = _TEXTS[(llm_request.config.labels or {})["adk_agent_name"]]
        yield LlmResponse(content=content_of(text), stop_reason="end_turn")


class Always:
    """Every answer is right."""

    async def score(self, answer: str, sample: Sample) -> Score:
        """See `Scorer`."""
        return Score(value=1.0, is_right=True)


class Made:
    """Samples that are made as they are read."""

    name = fingerprint = "made"

    def __init__(self, size: int) -> None:
        self._size = size

    def count(self, split: str) -> int:
        """See `DataSet`."""
        return self._size

    def samples(self, split: str) -> Iterator[Sample]:
        """See `DataSet`."""
        for place in range(self._size):
            yield Sample(id=f"{place}", question=f"What is 2 + {place}?", truth="4")


async def seconds_of_sample(repeat: int) -> float:
    """CPU seconds of one sample with a thousand bullets, all roles, nothing stored."""
    texts = enumerate(sentences(BULLETS), start=1)
    playbook = Playbook((StoredBullet(id_of(n), SECTIONS[n % len(SECTIONS)], text) for n, text in texts), name="made")
    sample = Sample(id="1", question="What is 2 + 2?", truth="4")
    task = Task(
        sample=sample,
        playbook=playbook,
        pipeline="ace",
        model=AtOnce(),
        scorer=Always(),
        learner="cycle",
        settings={"reflector_rounds": 1},
    )
    outcome = await run_sample(task)
    assert outcome.is_right
    assert outcome.total.calls == len(_ANSWERS)
    gc.collect()
    began = time.process_time()
    for _ in range(repeat):
        await run_sample(task)
    return (time.process_time() - began) / repeat


async def seconds_of_run(folder: Path, workers: int) -> float:
    """CPU seconds of one sample of a run that stores everything, with so many workers."""
    await _run(folder, CYCLE.format(workers), workers, lambda _: None)
    began = time.process_time()
    await _run(folder, CYCLE.format(workers), PER_JOB, lambda _: None)
    return (time.process_time() - began) / PER_JOB


async def growth_of_memory(folder: Path, samples: int) -> float:
    """The memory of Python objects at the end of a run, divided by that after its first part."""
    held: list[int] = []

    def look(progress: Progress) -> None:
        if progress.done in (samples // FIRST, samples):
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])

    tracemalloc.start()
    try:
        await _run(folder, '[[arms]]\nkind = "none"\n', samples, look)
    finally:
        tracemalloc.stop()
    first, last = held
    return last / first


async def _run(folder: Path, arms: str, samples: int, tell: Any) -> None:
    text = f'name = "made"\ndata = "made"\n{arms}'
    active = Lab(folder / "lab").begin(text, parts=Parts(data=Made(samples), scorer=Always(), model=AtOnce()))
    (await active.run(tell)).close()
    shutil.rmtree(folder / "lab")
