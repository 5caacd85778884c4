"""The two kinds of databases, and working files of their own."""

from __future__ import annotations

import pytest

from tests.agents.own_files import own_files
from tests.agents.sharing.stage import opened

__all__ = ["own_files"]


@pytest.fixture(params=["memory", "sqlite"])
async def place(request, tmp_path, anyio_backend):
    async with opened(None if request.param == "memory" else tmp_path / "here.db") as found:
        yield found


@pytest.fixture(params=["memory", "sqlite"])
async def other(request, tmp_path, anyio_backend):
    async with opened(None if request.param == "memory" else tmp_path / "there.db") as found:
        yield found
