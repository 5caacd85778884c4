"""Runs on a Ray cluster of this machine, begun by `ray start`: workers that die, a cluster that is gone, no cluster."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from agents.errors import LabError
from agents.lab import Lab, LabRun, Sample, Score
from agents.lab.work.cluster.executor import RayExecutor
from tests.agents.lab.stage import Drawn, SameText, description, outcome_of, parts

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(find_spec("ray") is None, reason="The extra `ray` is not installed: uv sync --extra ray"),
]

WORKERS = 3
SAMPLES = 9
ARMS = f"""
[[arms]]
kind = "parallel"
workers = {WORKERS}
[[arms]]
kind = "rewriting"
"""
GONE = r"(is gone|cannot work on the run).*resume the run"
ADDRESS = re.compile(r"ray start --address='([^']+)'")


@dataclass(frozen=True)
class Deadly:
    """Scores, and notes which process did; the first processes that score a certain sample are killed."""

    folder: Path
    sample: str = ""
    deaths: int = 0

    async def score(self, answer: str, sample: Sample) -> Score:
        (self.folder / f"{sample.id}-{os.getpid()}").touch()
        if sample.id == self.sample and len(self.processes(sample.id)) <= self.deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        return await SameText().score(answer, sample)

    def processes(self, sample: str = "") -> set[str]:
        """The processes that have scored a sample; those of all samples."""
        return {path.name.rpartition("-")[2] for path in self.folder.glob(f"{sample}*")}


@dataclass(frozen=True)
class Cluster:
    """A cluster of one machine."""

    address: str
    process: subprocess.Popen[str]

    def end(self) -> None:
        """Kills all of its processes."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"  # one event loop for the module: the tests share a driver and its workers


@pytest.fixture(scope="module")
def token() -> Iterator[None]:
    """A secret that a cluster and its drivers share, in place of the one that Ray would keep in the user's folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex())
        yield


@pytest.fixture(scope="module")
def cluster(token: None) -> Iterator[Cluster]:
    folder = tempfile.mkdtemp(prefix="ray-")  # a short name: sockets are below it
    command = [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", "--port=0", f"--num-cpus={WORKERS}"]
    command += [
        "--include-dashboard=false",
        "--disable-usage-stats",
        f"--temp-dir={folder}",
        "--object-store-memory=80000000",
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True, bufsize=1
    )
    assert process.stdout is not None
    found = next((found for line in process.stdout if (found := ADDRESS.search(line))), None)
    assert found is not None, "Ray did not start."
    begun = Cluster(found[1], process)
    try:
        yield begun
    finally:
        begun.end()
        process.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
async def executor(cluster: Cluster) -> AsyncIterator[RayExecutor]:
    async with RayExecutor(cluster.address) as connected:
        yield connected


async def worked(folder: Path, scorer: Any = None, **more: Any) -> LabRun:
    chosen = parts(data=Drawn(SAMPLES), scorer=scorer or SameText(), **more)
    return await Lab(folder).begin(description(ARMS), parts=chosen).run()


async def test_a_run_whose_worker_is_killed_ends_like_one_in_this_process(tmp_path: Path, executor: RayExecutor):
    expected = outcome_of(await worked(tmp_path / "here"))
    (tmp_path / "scored").mkdir()
    scorer = Deadly(tmp_path / "scored", "train:4", deaths=1)
    run = await worked(tmp_path / "there", scorer, execute=executor)
    assert outcome_of(run) == expected
    assert len(scorer.processes("train:4")) >= 2
    assert str(os.getpid()) not in scorer.processes()


async def test_a_sample_that_kills_each_worker_has_failed_and_the_run_goes_on(tmp_path: Path, executor: RayExecutor):
    (tmp_path / "scored").mkdir()
    scorer = Deadly(tmp_path / "scored", "train:1", deaths=99)
    text = description('[[arms]]\nkind = "none"\n', workers=WORKERS)
    run = await Lab(tmp_path).begin(text, parts=parts(data=Drawn(4), scorer=scorer, execute=executor)).run()
    assert [(row.failed, row.error) for row in run.results("none", 0)] == [
        (False, ""),
        (True, "The worker process died each of 4 times that it worked on this sample."),
        (False, ""),
        (False, ""),
    ]
    assert run.status == "finished"


async def test_a_pipeline_that_is_another_one_on_the_worker_ends_the_run(tmp_path: Path, executor: RayExecutor):
    folder = tmp_path / "agents" / "mine"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "agent.py").write_text("from agents import LlmAgent\nroot_agent = LlmAgent(name='A', instruction='Answer.')\n")
    lab = Lab(tmp_path / "lab", agents_dir=tmp_path / "agents")
    active = lab.begin(description('[[arms]]\nkind = "none"\n', pipeline="mine"), parts=parts(execute=executor))
    (folder / "agent.py").write_text((folder / "agent.py").read_text() + "# other\n")
    with pytest.raises(LabError, match="other files of the pipeline 'mine'"):
        await active.run()


async def test_a_cluster_that_is_gone_ends_the_run_which_can_be_resumed(
    tmp_path: Path, cluster: Cluster, executor: RayExecutor
):
    expected = outcome_of(await worked(tmp_path / "here"))
    lab, done = Lab(tmp_path / "there"), 0

    def tell(progress: Any) -> None:
        nonlocal done
        done = progress.done
        if done == WORKERS:
            cluster.end()

    chosen = parts(data=Drawn(SAMPLES), execute=executor)
    with pytest.raises(LabError, match=GONE):
        await lab.begin(description(ARMS), parts=chosen).run(tell)
    with pytest.raises(LabError, match=GONE):
        await lab.resume("run", parts=chosen).run()
    assert done == WORKERS
    run = await lab.resume("run", parts=parts(data=Drawn(SAMPLES))).run()
    assert outcome_of(run) == expected


async def test_an_address_without_a_cluster_is_an_error():
    with pytest.raises(LabError, match="There is no Ray cluster at 'nowhere'"):
        async with RayExecutor("nowhere"):
            pass


def test_a_worker_with_another_version_of_the_playground_refuses_to_work():
    from agents.lab.work.cluster.worker import work_on

    with pytest.raises(LabError, match=r"and the run 0\.0\.0\. Install the same one there"):
        work_on(b"", "", [], "0.0.0")
