"""The lab runs of the demos, each done once; and a database of its own for pages."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agents.lab import Lab, LabRun, lab_folder
from agents.runs import folder_beside
from agents.workspace import Workspace
from ui.demo import opening
from ui.demo.lab.demos import LAB_DEMOS
from ui.state import runs


@pytest.fixture(scope="session")
def done(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of the run of a demo; the run is done when it is first asked for."""
    folder, there = tmp_path_factory.mktemp("demos"), set[str]()

    def find(name: str) -> Path:
        if name not in there:
            demo = LAB_DEMOS[name]
            asyncio.run(Lab(folder).begin(demo.description, parts=demo.parts()).run()).close()
            there.add(name)
        return folder / f"demo {name}"

    return find


@pytest.fixture
def run_of(done: Callable[[str], Path], tmp_path: Path) -> Iterator[Callable[[str], LabRun]]:
    """A run of a demo; a copy, which a test may change."""
    opened: list[LabRun] = []

    def find(name: str) -> LabRun:
        shutil.copytree(done(name), tmp_path / "runs" / f"demo {name}")
        opened.append(Lab(tmp_path / "runs").open(f"demo {name}"))
        return opened[-1]

    yield find
    for run in opened:
        run.close()


@pytest.fixture
def lab(quiet_world, tmp_path: Path) -> Iterator[Lab]:
    """The Lab of a playground, in which nothing goes on after the test; the process is for no demo."""
    runs.configure(database=tmp_path / "lab.db")
    runs.adopt(Workspace(tmp_path / "lab.db"))
    yield runs.workspace().lab
    for name in runs.workspace().lab.names():
        if (work := runs.workspace().lab_jobs.of(name)) is not None:
            work.stop()
            work.wait()
    opening.begin(None)
    runs.close()
    runs.configure()


@pytest.fixture
def kept(lab: Lab, done: Callable[[str], Path]) -> Callable[[str], str]:
    """Puts the run of a demo into the Lab, as it is after its end, and returns its name."""

    def keep(name: str) -> str:
        shutil.copytree(done(name), lab_folder(folder_beside(runs.database())) / f"demo {name}")
        return f"demo {name}"

    return keep
