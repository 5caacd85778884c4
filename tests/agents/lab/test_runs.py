"""Whole runs: what each arm does, and that nothing is lost when a run ends at any moment."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import re
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest

from agents.ace import DeltaBatch, Playbook, PlaybookStore
from agents.errors import LabError
from agents.lab import Lab, Task, run_sample
from agents.lab.reports.page import report_page
from agents.lab.results.run_store import RunStore
from agents.storage.lab.run_database import RunTransaction
from tests.agents.lab.stage import (
    AbortedError,
    ByAgent,
    Drawn,
    aborted_at_every_step,
    contents,
    description,
    finished,
    outcome_of,
    parts,
)
from tests.processes import CLEAN

pytestmark = pytest.mark.anyio

ALL = """
[[arms]]
kind = "none"
[[arms]]
kind = "online"
batch = 2
[[arms]]
kind = "online"
name = "naive"
batch = 4
merge = "naive"
[[arms]]
kind = "offline"
epochs = 1
validate_every = 5
[[arms]]
kind = "rewriting"
[[arms]]
kind = "gepa"
evaluations = 30
"""
SMALL = description(ALL, seeds=[0, 3])
SAMPLES = 6


def small() -> Any:
    return parts(data=Drawn(SAMPLES))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What comes of a run that nothing disturbs."""
    return outcome_of(asyncio.run(Lab(tmp_path_factory.mktemp("undisturbed")).begin(SMALL, parts=small()).run()))


async def test_a_run_that_is_aborted_at_every_step_ends_like_one_that_is_not(tmp_path: Path, expected: Any):
    run, aborts = await aborted_at_every_step(tmp_path, SMALL, Drawn(SAMPLES))
    assert aborts > 60
    assert outcome_of(run) == expected


def work_and_die(folder: str, at: int, moment: str) -> None:
    """Works on a run in a process that is killed at a certain sample, before or inside the commit or after it."""
    done = 0

    def die(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    async def execute(task: Task) -> Any:
        nonlocal done
        done += 1
        if done == at and moment == "before":
            die()
        return await run_sample(task)

    lab = Lab(Path(folder))
    chosen = parts(data=Drawn(SAMPLES), execute=execute)
    active = lab.resume("run", parts=chosen) if lab.runs() else lab.begin(SMALL, parts=chosen)
    write = RunTransaction.write_standing

    def write_standing(*given: Any) -> None:
        if done >= at and moment == "inside":
            die()
        write(*given)

    RunTransaction.write_standing = write_standing
    asyncio.run(active.run(lambda _: die() if done >= at and moment == "after" else None))


async def test_a_run_that_is_killed_at_random_steps_ends_like_one_that_is_not(tmp_path: Path, expected: Any):
    rng, killed = random.Random(20261122), 0
    for moment in ("before", "inside", "after", "before", "inside", "after"):
        process = CLEAN.Process(target=work_and_die, args=(str(tmp_path), rng.randint(1, 12), moment))
        process.start()
        await asyncio.to_thread(process.join)
        killed += process.exitcode == -signal.SIGKILL
    assert killed == 6
    run = await Lab(tmp_path).resume("run", parts=small()).run()
    assert outcome_of(run) == expected


async def test_a_stopped_run_goes_on_where_it_stopped(tmp_path: Path, expected: Any):
    lab = Lab(tmp_path)
    active = lab.begin(SMALL, parts=small())
    run = await active.run(lambda progress: active.stop() if progress.done >= 4 else None)
    assert run.status == "running"
    assert sum(one.number for one in run.standings()) < 10
    run = await lab.resume("run", parts=small()).run()
    assert (run.status, outcome_of(run)) == ("finished", expected)


async def test_arms_side_by_side_have_the_same_results(tmp_path: Path, expected: Any):
    run = await Lab(tmp_path).begin(SMALL, parts=small()).run(side_by_side=True)
    assert outcome_of(run) == expected


async def test_a_run_that_ends_with_an_error_leaves_no_open_file(tmp_path: Path):
    async def execute(task: Task) -> Any:
        raise AbortedError

    active = Lab(tmp_path).begin(SMALL, parts=parts(data=Drawn(SAMPLES), execute=execute))
    with pytest.raises(AbortedError):
        await active.run()
    assert not [file.path for file in psutil.Process().open_files() if Path(file.path).is_relative_to(tmp_path)]


async def test_progress_is_told_with_the_time_left(tmp_path: Path):
    told: list[Any] = []
    await Lab(tmp_path).begin(SMALL, parts=small()).run(told.append)
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert told[-1].done == told[-1].total
    assert (told[-1].seconds_left, told[0].seconds_left > 0) == (0, True)


# -- one process at a time, and nothing that changed


async def test_a_second_process_is_refused_while_one_works(tmp_path: Path):
    lab = Lab(tmp_path)
    active = lab.begin(SMALL, parts=small())
    refused: list[str] = []

    async def execute(task: Task) -> Any:
        if not refused:
            with pytest.raises(LabError) as error:
                await lab.resume("run", parts=small()).run()
            refused.append(str(error.value))
        return await run_sample(task)

    await active.run(lambda _: active.stop())
    await lab.resume("run", parts=parts(data=Drawn(SAMPLES), execute=execute)).run()
    assert "is being worked on by this process" in refused[0]


def hold(path: str, ready: Any, over: Any) -> None:
    RunStore(Path(path)).claim()
    ready.set()
    over.wait()


async def test_a_run_of_another_living_process_is_refused_and_of_a_dead_one_is_not(tmp_path: Path):
    lab = Lab(tmp_path)
    active = lab.begin(SMALL, parts=small())
    ready, over = CLEAN.Event(), CLEAN.Event()
    process = CLEAN.Process(target=hold, args=(str(tmp_path / "run" / "run.db"), ready, over))
    process.start()
    await asyncio.to_thread(ready.wait)
    with pytest.raises(LabError, match=f"worked on by process {process.pid}"):
        await active.run()
    process.kill()
    await asyncio.to_thread(process.join)
    assert (await active.run()).status == "finished"


async def test_a_run_is_not_resumed_with_other_data(tmp_path: Path):
    lab = Lab(tmp_path)
    lab.begin(SMALL, parts=small())
    with pytest.raises(LabError, match="since it began, the data changed"):
        lab.resume("run", parts=parts(data=Drawn(SAMPLES, fingerprint="other")))


async def test_a_run_is_not_resumed_with_an_edited_description(tmp_path: Path):
    lab = Lab(tmp_path)
    lab.begin(SMALL, parts=small())
    file = tmp_path / "run" / "run.toml"
    file.write_text(file.read_text().replace("epochs = 1", "epochs = 2"))
    with pytest.raises(LabError, match="its description changed"):
        lab.resume("run", parts=small())


async def test_a_run_is_not_resumed_with_another_playbook(tmp_path: Path):
    text = description('[[arms]]\nkind = "frozen"\nplaybook = { file = "it.txt" }\n')
    (tmp_path / "it.txt").write_text("## S\n[s-00001] helpful=0 harmful=0 :: One.\n")
    lab = Lab(tmp_path / "lab")
    lab.begin(text, beside=tmp_path, parts=small())
    lab.resume("run", parts=small())
    (tmp_path / "it.txt").write_text("## S\n[s-00001] helpful=0 harmful=0 :: Two.\n")
    with pytest.raises(LabError, match="the playbook of 'frozen' changed"):
        lab.resume("run", parts=small())


async def test_a_run_is_not_resumed_with_another_pipeline(tmp_path: Path):
    folder = tmp_path / "agents" / "mine"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    source = "from agents import LlmAgent\nroot_agent = LlmAgent(name='A', instruction='Answer{}')\n"
    (folder / "agent.py").write_text(source.format("."))
    text = description('[[arms]]\nkind = "none"\n', pipeline="mine")
    lab = Lab(tmp_path / "lab", agents_dir=tmp_path / "agents")
    lab.begin(text, parts=small())
    (folder / "agent.py").write_text(source.format(" well."))
    with pytest.raises(LabError, match="the pipeline's files changed"):
        lab.resume("run", parts=small())


async def test_a_run_of_a_changed_pipeline_uses_the_changed_one(tmp_path: Path):
    folder = tmp_path / "agents" / "changing"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    source = (
        "from agents import LlmAgent\n"
        "root_agent = LlmAgent(name='A', instruction='Answer.')\n"
        "SIMULATION = {{'A': lambda request: 'version {}'}}\n"
    )
    lab = Lab(tmp_path / "lab", agents_dir=tmp_path / "agents")
    for version in (1, 22):  # of another length, since byte code is cached by time and size
        (folder / "agent.py").write_text(source.format(version))
        text = description('[[arms]]\nkind = "none"\n', name=f"run{version}", pipeline="changing")
        run = await lab.begin(text, parts=parts(data=Drawn(1))).run()
        assert next(run.results("none", 0)).answer == f"version {version}"


def test_runs_of_one_name_get_folders_of_their_own(tmp_path: Path):
    lab = Lab(tmp_path)
    names = [lab.begin(SMALL, parts=small()).name for _ in range(3)]
    assert (names, [one.name for one in lab.runs()]) == (["run", "run-2", "run-3"],) * 2
    assert (tmp_path / "run" / "run.toml").read_text().startswith(SMALL)
    with pytest.raises(LabError, match="There are: run, run-2, run-3"):
        lab.open("../run")


# -- what the arms do


async def test_learning_helps_and_each_role_is_charged(tmp_path: Path):
    run = await finished(tmp_path, description('[[arms]]\nkind = "none"\n[[arms]]\nkind = "online"\n'), data=Drawn(110))
    none, online = run.summaries()
    assert online.right > none.right + 20
    assert (none.calls, none.bullets) == (110, 0)
    assert online.calls > 3 * 110
    roles = {agent for row in run.results("online", 0) for agent in row.roles}
    assert roles == {"Generator", "ReflectorModel", "CuratorModel"}
    found = run.compare("online", "none")
    assert (found.pairs, found.only_other) == (110, 0)
    assert found.p is not None
    assert found.p < 1e-6


async def test_a_frozen_playbook_is_used_and_stays(tmp_path: Path):
    learned = await finished(tmp_path, description('[[arms]]\nkind = "online"\n'), data=Drawn(60))
    playbook = learned.playbook("online", 0).playbook()
    text = description('[[arms]]\nkind = "frozen"\nplaybook = { name = "it" }\n')
    run = await finished(tmp_path, text, data=Drawn(60), playbooks={"frozen": playbook})
    assert run.summary("frozen").right > 40
    assert contents(run, "frozen") == contents(learned, "online")
    assert {row.revision for row in run.results("frozen", 0)} == {1}


async def test_a_playbook_of_the_database_is_taken_at_a_revision(tmp_path: Path):
    with PlaybookStore(tmp_path / "play.db", "mine") as store:
        for text in ("One.", "Two."):
            store.commit(DeltaBatch(operations=[{"type": "ADD", "section": "s", "content": text}]))
    lab = Lab(tmp_path / "lab", database=tmp_path / "play.db")
    text = description('[[arms]]\nkind = "frozen"\nplaybook = { name = "mine", revision = 1 }\n')
    run = await lab.begin(text, parts=parts(data=Drawn(1))).run()
    assert contents(run, "frozen") == {"One."}
    with pytest.raises(LabError, match="There is no playbook 'other'"):
        lab.begin(text.replace("mine", "other"), parts=parts(data=Drawn(1)))


@pytest.mark.parametrize("workers", [8, 16])
async def test_many_workers_end_with_the_serial_bullets(tmp_path: Path, workers: int):
    arms = f'[[arms]]\nkind = "online"\n[[arms]]\nkind = "parallel"\nworkers = {workers}\n'
    delays = random.Random(7)

    async def execute(task: Task) -> Any:
        for _ in range(delays.randint(0, 5)):  # workers end in any order
            await asyncio.sleep(0)
        return await run_sample(task)

    run = await finished(tmp_path, description(arms), data=Drawn(60), execute=execute)
    assert contents(run, "parallel") == contents(run, "online")
    assert len(contents(run, "online")) > 40
    assert run.summary("parallel").lost == 0


async def test_naive_merging_loses_what_others_learned(tmp_path: Path):
    arms = '[[arms]]\nkind = "parallel"\n[[arms]]\nkind = "parallel"\nname = "naive"\nmerge = "naive"\n'
    run = await finished(tmp_path, description(arms), data=Drawn(48))
    kept, naive = run.summaries()
    assert (kept.lost, naive.lost > 30) == (0, True)
    assert naive.bullets < kept.bullets / 3


async def test_offline_keeps_the_playbook_that_validated_best(tmp_path: Path):
    arms = '[[arms]]\nkind = "offline"\nepochs = 2\nvalidate_every = 30\n'
    run = await finished(tmp_path, description(arms), data=Drawn(60))
    rows = list(run.results("offline", 0))
    assert [row.phase for row in rows].count("train") == 120
    assert [row.phase for row in rows].count("validation") == 240
    validated: dict[int, list[bool]] = {}
    for row in rows:
        if row.phase == "validation":
            validated.setdefault(row.part, []).append(row.is_right)
    best = max(sum(found) / len(found) for found in validated.values())
    standing = run.standing("offline", 0)
    assert standing.best is not None
    assert standing.best[1] == best
    assert {row.before for row in rows if row.phase == "test"} == {standing.best[0]}
    assert run.summary("offline").of == 60
    assert {row.sample.split(":")[0] for row in rows if row.phase == "test"} == {"test"}


async def test_all_arms_of_a_seed_see_one_order_and_seeds_another(tmp_path: Path):
    arms = '[[arms]]\nkind = "none"\n[[arms]]\nkind = "parallel"\n'
    run = await finished(tmp_path, description(arms, seeds=[0, 1]), data=Drawn(20))
    orders = {(arm, seed): [r.sample for r in run.results(arm, seed)] for arm in ("none", "parallel") for seed in (0, 1)}
    assert orders["none", 0] == [f"train:{place}" for place in range(20)]
    assert orders["none", 1] == orders["parallel", 1]
    assert orders["none", 1] != orders["none", 0]
    assert sorted(orders["none", 1]) == sorted(orders["none", 0])


async def test_the_rewriter_replaces_the_whole_text_and_is_charged(tmp_path: Path):
    texts = iter(["one\n- two\n", "two\nthree", ""])
    model = ByAgent(answers={"Rewriter": lambda _: next(texts)})
    run = await finished(tmp_path, description('[[arms]]\nkind = "rewriting"\n'), data=Drawn(3), model=model)
    store = run.playbook("rewriting", 0)
    assert [{b.content for b in store.at(r).bullets} for r in (1, 2, 3)] == [{"one", "two"}, {"two", "three"}, set()]
    assert [row.roles["Rewriter"][0] for row in run.results("rewriting", 0)] == [1, 1, 1]


async def test_a_callable_answers_in_place_of_the_pipeline(tmp_path: Path):
    async def truth(sample: Any) -> str:
        if sample.id == "train:1":
            raise ValueError("no idea")
        return sample.truth

    text = description('[[arms]]\nkind = "callable"\nname = "mine"\n')
    run = await finished(tmp_path, text, data=Drawn(4), answerers={"mine": truth})
    assert [(row.is_right, row.error) for row in run.results("mine", 0)] == [
        (True, ""),
        (False, "no idea"),
        (True, ""),
        (True, ""),
    ]
    with pytest.raises(LabError, match="'mine' is a Python callable"):
        Lab(tmp_path).resume("run", parts=parts(data=Drawn(4)))


# -- limits


async def test_the_limit_of_calls_is_never_exceeded(tmp_path: Path):
    arms = '[[arms]]\nkind = "online"\n[[arms]]\nkind = "parallel"\n[[arms]]\nkind = "online"\nname = "checked"\n'
    text = description(arms + 'feedback = "execution"\n[[arms]]\nkind = "rewriting"\n[limits]\ncalls = 23\n')
    run = await finished(tmp_path, text, data=Drawn(30))
    for one in run.standings():
        assert 15 <= one.calls <= 23
        assert (one.status, "calls is reached" in one.why) == ("limit", True)
        assert one.number < 30
    assert run.status == "finished"


async def test_the_limit_of_tokens_ends_an_arm_before_it_is_exceeded(tmp_path: Path):
    text = description('[[arms]]\nkind = "parallel"\n[limits]\ntokens = 1000\n')
    run = await finished(tmp_path, text, data=Drawn(100), model=ByAgent())
    one = run.standing("parallel", 0)
    assert (one.status, one.tokens <= 1000, one.tokens > 900) == ("limit", True, True)


async def test_a_limit_of_dollars_needs_a_price(tmp_path: Path):
    text = description('[[arms]]\nkind = "none"\n[limits]\ndollars = 1\n')
    run = await finished(tmp_path, text, data=Drawn(5), model=ByAgent())
    one = run.standing("none", 0)
    assert (one.status, one.number) == ("limit", 1)
    assert "cost of its model is not known" in one.why


async def test_the_limit_of_samples_holds_for_each_split(tmp_path: Path):
    text = description('[[arms]]\nkind = "offline"\nepochs = 1\n[limits]\nsamples = 3\n')
    run = await finished(tmp_path, text, data=Drawn(9))
    assert [row.phase for row in run.results("offline", 0)] == ["train"] * 3 + ["validation"] * 3 + ["test"] * 3


async def test_an_empty_split_is_refused(tmp_path: Path):
    with pytest.raises(LabError, match="'train' of the data has no samples"):
        await finished(tmp_path, description('[[arms]]\nkind = "none"\n'), data=Drawn(0))


def test_a_description_made_in_python_is_kept_as_toml(tmp_path: Path):
    from agents.lab import LabDescription
    from agents.lab.description.arms import Online

    made = LabDescription(name="run", data={"file": "日本\x7f.csv"}, arms=[Online(rounds=5)], seeds=[2])
    Lab(tmp_path).begin(made, parts=small())
    with Lab(tmp_path).open("run") as run:
        assert run.description == made
        assert run.summary("online").of == 0


async def test_a_harmful_reflector_is_told_the_truth_of_the_sample_before(tmp_path: Path):
    tasks: list[Task] = []

    async def execute(task: Task) -> Any:
        tasks.append(task)
        return await run_sample(task)

    text = description('[[arms]]\nkind = "online"\nharmful_every = 3\nbatch = 2\n')
    await finished(tmp_path, text, data=Drawn(6), execute=execute)
    assert [task.told for task in tasks] == [None, None, tasks[1].sample.truth, None, None, tasks[4].sample.truth]
    assert isinstance(tasks[0].playbook, Playbook)


async def test_others_in_the_event_loop_have_their_turn_after_each_step(tmp_path: Path):
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    await finished(tmp_path, description('[[arms]]\nkind = "none"\n'), data=Drawn(20), model=ByAgent())
    task.cancel()
    assert turns >= 20


def test_a_long_run_holds_no_more_memory_than_a_short_one(tmp_path: Path):
    held: dict[int, int] = {}

    def look(progress: Any) -> None:
        if progress.done in (50, 250):
            gc.collect()
            held[progress.done] = len(gc.get_objects())

    active = Lab(tmp_path).begin(description('[[arms]]\nkind = "none"\n'), parts=parts(data=Drawn(250), model=ByAgent()))
    asyncio.run(active.run(look))
    assert held[250] < held[50] + 500


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("/etc/passwd", "outside of"),
        ("../secret.txt", "outside of"),
        ("link.txt", "outside of"),
        ("/dev/zero", "outside of"),
        ("pipe.txt", "a device or a pipe, not a file"),
        ("folder", "Is a directory"),
        ("none.txt", "There is no 'none.txt'"),
        ("\\u0000", "no name of a file"),
        ("archive.zip", "a ZIP archive"),
    ],
)
def test_the_playbook_of_an_arm_is_a_file_beside_the_description(tmp_path: Path, file: str, told: str):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "folder").mkdir()
    (tmp_path / "secret.txt").write_text("[x-1] helpful=0 harmful=0 :: secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "archive.zip").write_bytes(b"PK\x03\x04")
    os.mkfifo(folder / "pipe.txt")
    text = description(f'[[arms]]\nkind = "frozen"\nplaybook = {{ file = "{file}" }}\n')
    with pytest.raises(LabError, match=f"^The playbook .* cannot be read: .*{re.escape(told)}"):
        Lab(tmp_path / "lab").begin(text, beside=folder, parts=parts())


async def test_repeats_answer_the_same_questions_in_the_same_order(tmp_path: Path):
    run = await finished(tmp_path, description('[[arms]]\nkind = "online"\n', repeats=2), data=Drawn(SAMPLES))
    first, second = ([one.sample for one in run.results("online", seed)] for seed in (0, 1))

    assert first == second == [one.id for one in Drawn(SAMPLES).samples("train")]
    assert run.summary("online").questions == SAMPLES
    assert "<dt>repeats</dt><dd>2</dd>" in report_page(Lab(tmp_path), "run")
