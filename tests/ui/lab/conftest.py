"""A Lab of its own: a database in a folder that is thrown away, and nothing that goes on after a test."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from functools import cache
from itertools import chain, count
from pathlib import Path

import pytest

from agents.lab import Lab
from agents.workspace import Workspace
from ui.state import runs

SMALL = """
name = "small"

[data]
generate = "formulas"
count = 8

[[arms]]
kind = "none"

[[arms]]
kind = "online"
"""


@pytest.fixture
def lab(quiet_world, tmp_path):
    runs.configure(database=tmp_path / "lab.db")
    runs.adopt(Workspace(tmp_path / "lab.db"))
    yield runs.workspace().lab
    for info in runs.workspace().lab.runs():
        if (work := runs.workspace().lab_jobs.of(info.name)) is not None:
            work.stop()
            work.wait()
    runs.close()
    runs.configure()


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a run that has ended, by its description; each is worked on once."""

    @cache
    def kept(description: str) -> Path:
        lab = Lab(tmp_path_factory.mktemp("kept"))
        active = lab.begin(description)
        asyncio.run(active.run()).close()
        return lab.folder / active.name

    return kept


@pytest.fixture
def done(lab: Lab, kept: Callable[[str], Path]) -> Callable[..., str]:
    """Puts a run that has ended into the Lab, and returns its name."""

    def done(description: str = SMALL) -> str:
        found = kept(description)
        names = chain([found.name], (f"{found.name}-{number}" for number in count(2)))
        name = next(name for name in names if not (lab.folder / name).exists())
        shutil.copytree(found, lab.folder / name, copy_function=shutil.copy)
        return name

    return done
