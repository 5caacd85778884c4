"""The two kinds of databases."""

from __future__ import annotations

import pytest

from tests.agents.experiments.sharing.stage import opened


@pytest.fixture(params=["memory", "sqlite"])
async def place(request, tmp_path, anyio_backend):
    async with opened(None if request.param == "memory" else tmp_path / "here.db") as found:
        yield found


@pytest.fixture(params=["memory", "sqlite"])
async def other(request, tmp_path, anyio_backend):
    async with opened(None if request.param == "memory" else tmp_path / "there.db") as found:
        yield found


@pytest.fixture(autouse=True)
def _folder_of_its_own(tmp_path, monkeypatch):
    """Sessions of other tests may have the same ids, and so the same files."""
    monkeypatch.setenv("PLAYGROUND_FILES", str(tmp_path / "files"))
