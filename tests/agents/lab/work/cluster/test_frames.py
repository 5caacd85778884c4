"""What travels to another process: values and names, no models and no keys."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agents.ace import Playbook
from agents.ace.bullet import StoredBullet
from agents.errors import LabError
from agents.lab import Sample, Task
from agents.lab.scorers.judge import Judge
from agents.lab.work.cluster import executor
from agents.lab.work.cluster.executor import RayExecutor
from agents.lab.work.cluster.frames import frame, read_frame, task_bytes, task_of
from agents.models.registry import LLMRegistry
from tests.agents.lab.stage import ByAgent, SameText

KEY = "AIza-not-a-real-key"
PLAYBOOK = Playbook([StoredBullet("s-00001", "s", "Add them up.")], name="mine", revision=7)


def task(**more: Any) -> Task:
    values: dict[str, Any] = {
        "sample": Sample(id="1", question="What is 2 + 2?", truth="4"),
        "playbook": PLAYBOOK,
        "pipeline": "ace",
        "model": "simulated",
        "scorer": SameText(),
    }
    return Task(**{**values, **more})


async def _echo(sample: Sample) -> str:
    return sample.question


def test_a_task_arrives_as_it_was_and_its_playbook_travels_apart():
    asked = task(settings={"token_budget": 5}, told="効率 \U0001f44d")
    body = task_bytes(asked)
    arrived = task_of(body, PLAYBOOK)
    assert (arrived.sample, arrived.settings, arrived.told, arrived.playbook) == (
        asked.sample,
        asked.settings,
        asked.told,
        PLAYBOOK,
    )
    assert b"Add them up." not in body


def test_a_playbook_is_sent_once_for_all_tasks_of_a_revision_and_few_are_kept():
    executor = RayExecutor("nowhere")
    books = [Playbook((StoredBullet(f"s-{n}", "s", f"{n:0120}") for n in range(1000)), name=f"{m}") for m in range(20)]
    sent = [[len(executor._playbook_frames(book)) for _ in range(64)] for book in books]
    assert all(first > 100_000 and not any(rest) for first, *rest in sent)
    assert len(task_bytes(task(playbook=books[0]))) < 2_000
    assert executor._playbook_frames(books[-1]) == b""
    assert len(executor._playbook_frames(books[0])) > 100_000  # forgotten: it is sent again


def test_a_model_travels_by_its_name_without_the_key_that_it_has_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    judge = Judge(LLMRegistry.new_llm("gemini-flash-latest"), rubric="It is short.")
    body = task_bytes(task(model=judge.model, scorer=judge))
    assert KEY.encode() not in body
    arrived = task_of(body, PLAYBOOK)
    assert (arrived.model, arrived.scorer) == (judge.model, judge)


def test_a_model_that_was_made_in_python_is_not_sent():
    with pytest.raises(LabError, match="'by-agent' was made in Python, and may hold a key"):
        task_bytes(task(model=ByAgent()))


def test_a_function_of_a_module_is_sent_and_a_lambda_is_refused_with_the_cure():
    assert task_of(task_bytes(task(answerer=_echo)), PLAYBOOK).answerer is _echo
    with pytest.raises(
        LabError, match=r"'1' cannot be sent to another process.*functions and classes that stand in a module"
    ):
        task_bytes(task(answerer=lambda sample: sample))


@pytest.mark.anyio
async def test_frames_are_read_one_after_the_other_also_when_they_arrive_in_pieces():
    values = [("task", 1, b"x" * 70_000), ("gone", "日本"), ()]
    reader, sent = asyncio.StreamReader(), b"".join(map(frame, values))
    for start in range(0, len(sent), 977):
        reader.feed_data(sent[start : start + 977])
    reader.feed_eof()
    assert [await read_frame(reader) for _ in values] == values
    with pytest.raises(asyncio.IncompleteReadError):
        await read_frame(reader)


@pytest.mark.anyio
async def test_without_ray_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(executor, "find_spec", lambda name: None)
    with pytest.raises(LabError, match="`uv run --extra ray playground`"):
        await RayExecutor("local").__aenter__()
