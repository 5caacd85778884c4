"""The arm *gepa*: what it measures, what it is charged, and that nothing is lost when it ends at any moment."""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from agents.errors import LabError, ProviderError
from agents.lab import ActiveRun, Lab, Task, run_sample
from agents.lab.results.lab_run import LabRun
from agents.model import LlmRequest
from tests.agents.lab.stage import ByAgent, Drawn, aborted_at_every_step, contents, description, finished, outcome_of, parts

pytestmark = pytest.mark.anyio

ARM = '[[arms]]\nkind = "gepa"\nevaluations = 60\n'
SAMPLES = 6


def rows_of(run: LabRun, *, phase: str = "") -> list[Any]:
    return [row for row in run.results("gepa", 0) if phase in ("", row.phase)]


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "gepa"]


async def test_the_notes_that_did_best_in_a_validation_are_tested(tmp_path: Path):
    run = await finished(tmp_path, description('[[arms]]\nkind = "gepa"\nevaluations = 400\n'), data=Drawn(20))
    validated: dict[int, list[bool]] = {}
    for row in rows_of(run, phase="validation"):
        validated.setdefault(row.before, []).append(row.is_right)
    accuracies = {revision: sum(found) / len(found) for revision, found in validated.items()}
    assert {len(found) for found in validated.values()} == {20}
    assert len(accuracies) >= 3
    standing = run.standing("gepa", 0)
    assert standing.best == (max(accuracies, key=lambda revision: accuracies[revision]), max(accuracies.values()))
    assert standing.best[1] > accuracies[0]
    tested = rows_of(run, phase="test")
    assert [row.sample for row in tested] == [f"test:{place}" for place in range(20)]
    assert {row.before for row in tested} == {standing.best[0]}
    assert (run.summary("gepa").of, run.status) == (20, "finished")
    assert 400 - 46 < len(rows_of(run)) - 20 <= 400
    assert {row.sample for row in rows_of(run, phase="train")} <= {f"train:{place}" for place in range(20)}


async def test_gepas_own_prompt_has_all_answers_of_a_minibatch_and_its_block_becomes_the_notes(tmp_path: Path):
    prompts: list[str] = []

    def write(request: LlmRequest) -> str:
        prompts.append(request.contents[0].parts[0].text)
        return f"Here it is:\n```\nnote {len(prompts)}\n\nanother line\n```"

    arm = ARM + 'reflection = "gepa"\n'
    run = await finished(tmp_path, description(arm), data=Drawn(SAMPLES), model=ByAgent(answers={"Rewriter": write}))
    assert run.status == "finished"
    assert {prompt.count("## Inputs") for prompt in prompts} == {3}
    assert all(prompt.count("The right answer is: ") == 3 for prompt in prompts)
    assert {"another line"} <= contents(run, "gepa")
    proposed = [row for row in rows_of(run, phase="train") if "Rewriter" in row.roles]
    assert [row.roles["Rewriter"][0] for row in proposed] == [1] * len(prompts)


def test_the_simulated_model_is_not_given_gepas_own_prompt(tmp_path: Path):
    with pytest.raises(LabError, match="cannot answer GEPA's own prompt"):
        Lab(tmp_path).begin(description(ARM + 'reflection = "gepa"\n'), parts=parts(data=Drawn(SAMPLES)))
    assert not list(tmp_path.iterdir())


async def test_each_call_of_each_role_is_charged(tmp_path: Path):
    calls = {"Generator": 0, "Rewriter": 0}

    def counted(agent: str, answer: Any) -> Any:
        def work(_: Any) -> Any:
            calls[agent] += 1
            return answer(calls[agent])

        return work

    wrong = {"reasoning": ["a"], "bullet_ids": [], "final_answer": "nothing"}
    answers = {"Generator": counted("Generator", lambda _: wrong), "Rewriter": counted("Rewriter", "note {}".format)}
    run = await finished(tmp_path, description(ARM), data=Drawn(SAMPLES), model=ByAgent(answers=answers))
    assert calls["Rewriter"] >= 9
    assert run.standing("gepa", 0).calls == sum(calls.values())
    assert run.summary("gepa").tokens == 10 * sum(calls.values())
    assert sum(row.roles.get("Rewriter", (0, 0))[0] for row in rows_of(run)) == calls["Rewriter"]
    assert len(contents(run, "gepa")) == 1  # a rewrite replaces the whole text


async def test_a_run_that_is_aborted_at_every_step_ends_like_one_that_is_not(tmp_path: Path):
    text = description(ARM + "minibatch = 2\n", seeds=[0, 3])
    expected = outcome_of(await finished(tmp_path / "one", text, data=Drawn(SAMPLES)))

    def no_thread_is_left() -> None:
        assert not threads()

    run, aborts = await aborted_at_every_step(tmp_path / "two", text, Drawn(SAMPLES), each=no_thread_is_left)
    assert aborts > 60
    assert outcome_of(run) == expected


@pytest.mark.parametrize("workers", [1, 4])
async def test_a_run_that_is_stopped_at_every_step_answers_nothing_twice(tmp_path: Path, workers: int):
    text = description(ARM, workers=workers)
    whole = await finished(tmp_path / "one", text, data=Drawn(SAMPLES))
    answered = 0

    async def execute(task: Task) -> Any:
        nonlocal answered
        answered += 1
        return await run_sample(task)

    chosen = parts(data=Drawn(SAMPLES), execute=execute)

    async def step(active: ActiveRun) -> LabRun:
        return await active.run(lambda _: active.stop())

    run, stops = await step(Lab(tmp_path / "two").begin(text, parts=chosen)), 0
    while run.status != "finished":
        run, stops = await step(Lab(tmp_path / "two").resume("run", parts=chosen)), stops + 1
    assert stops > 12
    assert answered == len(rows_of(whole))
    assert outcome_of(run) == outcome_of(whole)


async def test_a_run_that_is_cancelled_ends_its_thread(tmp_path: Path):
    reached = asyncio.Event()

    async def execute(task: Task) -> Any:
        reached.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(finished(tmp_path, description(ARM), data=Drawn(SAMPLES), execute=execute))
    await reached.wait()
    assert threads()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not threads()


@pytest.mark.parametrize("calls", [1, 5, 20, 40, 80])
async def test_the_limit_of_calls_is_never_exceeded(tmp_path: Path, calls: int):
    run = await finished(tmp_path, description(ARM + f"[limits]\ncalls = {calls}\n"), data=Drawn(SAMPLES))
    standing = run.standing("gepa", 0)
    assert standing.calls <= calls
    assert standing.has_ended
    # from 40 on there is room for a search, and what the test needs is left
    assert run.summary("gepa").of == (SAMPLES if calls >= 40 else 0 if calls <= 5 else run.summary("gepa").of)


@pytest.mark.parametrize("error", [RuntimeError("no"), ProviderError("no")])
async def test_a_rewriter_that_fails_ends_nothing(tmp_path: Path, error: Exception):
    failing = ByAgent(answers={"Rewriter": lambda _: error})
    run = await finished(tmp_path, description(ARM), data=Drawn(SAMPLES), model=failing)
    assert run.status == "finished"
    assert contents(run, "gepa") == set()
    failed = [row for row in rows_of(run) if "The text was not rewritten: no" in row.error]
    assert len(failed) > 3
    assert {(row.phase, row.failed) for row in failed} == {("train", False)}
    assert sum(row.roles["Rewriter"][0] for row in failed) > len(failed)


@pytest.mark.parametrize(
    "text", ["", "日本語\n中文", "x" * 100_000, "\ud800", "<notes>", "\n".join(f"line {n}" for n in range(3000))]
)
async def test_whatever_a_rewriter_writes_is_tried(tmp_path: Path, text: str):
    model = ByAgent(answers={"Rewriter": lambda _: text})
    run = await finished(tmp_path, description(ARM), data=Drawn(SAMPLES), model=model)
    assert (run.status, run.summary("gepa").of) == ("finished", SAMPLES)
    resumed = await Lab(tmp_path).resume("run", parts=parts(data=Drawn(SAMPLES), model=model)).run()
    assert outcome_of(resumed) == outcome_of(run)


async def test_too_few_evaluations_are_refused_with_the_number_that_is_needed(tmp_path: Path):
    with pytest.raises(LabError, match=r"needs at least 46 evaluations.*It has 45"):
        await finished(tmp_path, description(ARM.replace("60", "45")), data=Drawn(20))


async def test_results_that_gepa_no_longer_asks_for_are_refused(tmp_path: Path):
    chosen = parts(data=Drawn(SAMPLES))
    active = Lab(tmp_path).begin(description(ARM), parts=chosen)
    await active.run(lambda progress: active.stop() if progress.done > 10 else None)
    changed = Drawn(SAMPLES)
    changed._samples["validation"].reverse()
    with pytest.raises(LabError, match="GEPA asks for other answers"):
        await Lab(tmp_path).resume("run", parts=parts(data=changed)).run()


def test_without_the_extra_the_command_that_installs_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "gepa", None)
    with pytest.raises(LabError, match="`uv run --extra lab playground`") as error:
        Lab(tmp_path).begin(description(ARM), parts=parts(data=Drawn(SAMPLES)))
    assert '`pip install "multi-agent-playground[lab]"`' in str(error.value)
    assert not list(tmp_path.iterdir())
    Lab(tmp_path).begin(description('[[arms]]\nkind = "none"\n'), parts=parts(data=Drawn(SAMPLES)))
