"""Databases that earlier versions wrote have the same content when they are opened, and when they are copied."""

from __future__ import annotations

import shutil

import pytest

from agents.storage.stores import copy_database
from tests.agents.storage.contents import contents, revisions
from tests.compat.test_stored_databases import DATABASES, unpacked

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", sorted(path.name for path in DATABASES.iterdir()))
async def test_a_copy_has_what_the_database_has(tmp_path, name):
    path = unpacked(name, tmp_path)
    before, target = path.read_bytes(), tmp_path / "copy.db"
    added = [one.added for one in copy_database(path, target, lambda *_: None)]
    again = copy_database(path, target, lambda *_: None)

    assert path.read_bytes() == before
    assert [(one.added, one.found) for one in again] == [(0, one) for one in added]
    assert sum(added) > 0
    in_place = shutil.copy(path, tmp_path / "opened.db")
    assert await contents(target) == await contents(in_place)
    assert revisions(target) == revisions(in_place)
