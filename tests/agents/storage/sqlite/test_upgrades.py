"""Upgrades: from every schema that there was, with content; back they are refused; and what a version before reads on."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest
from sqlite_utils import Database

from agents.errors import DatabaseError
from agents.storage.sessions import SqliteSessionService
from agents.storage.sqlite import migrations
from agents.storage.sqlite.migrations import VERSION
from agents.storage.stores import copy_database
from tests.agents.storage.contents import contents, revisions
from tests.compat.test_stored_databases import DATABASES, unpacked

KEPT = {int(path.name.split("-")[1].split(".")[0]): path.name for path in DATABASES.iterdir()}
"""The files that earlier versions wrote, by their schema."""

TO_BE_STOPPED = {
    14: "what playbooks kept in parts is in their bodies",
    15: "entries are numbered in each session",
    16: "claims have an epoch",
}
"""Steps after which servers of the version before cannot go on, with the reason."""

pytestmark = pytest.mark.anyio


def bring(conn, version):
    """Takes a database some steps further, as the version with that schema did."""
    migrations._steps().apply(Database(conn), **({"stop_before": str(version + 1)} if version < VERSION else {}))
    conn.execute(f"PRAGMA user_version = {version}")


@pytest.mark.parametrize("version", range(min(KEPT), VERSION))
async def test_every_schema_with_content_is_upgraded_and_read_as_before(tmp_path, version):
    oldest = max(kept for kept in KEPT if kept <= version)
    path = unpacked(KEPT[oldest], tmp_path)
    straight = shutil.copy(path, tmp_path / "straight.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        bring(conn, version)
        assert conn.execute("PRAGMA user_version").fetchone() == (version,)
    found = await contents(path)
    assert found
    assert found == await contents(straight)
    assert revisions(path) == revisions(straight)
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []


async def test_the_way_back_is_refused_with_a_sentence_and_changes_nothing(tmp_path):
    path = unpacked(KEPT[max(KEPT)], tmp_path)
    await contents(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    told = f"schema version {VERSION + 1}, made by a newer Agent Playground; this one knows versions up to {VERSION}. Update"
    with pytest.raises(DatabaseError, match=told):
        await SqliteSessionService(path).summaries()
    with pytest.raises(DatabaseError, match=told):
        copy_database(path, tmp_path / "copy.db", lambda *_: None)
    assert path.read_bytes() == before


def shape(version):
    """Columns by table, and what makes rows of a table unique, of a schema."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        bring(conn, version)
        names = [name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {name: {row[1]: row[2:5] for row in conn.execute(f"PRAGMA table_info({name})")} for name in names}
        unique = {name: sum(row[2] for row in conn.execute(f"PRAGMA index_list({name})")) for name in names}
    return columns, unique


def broken_by(step):
    """What servers of the schema before a step can no longer do after it."""
    (before, unique), (after, unique_after) = shape(step - 1), shape(step)
    found = [f"{table} is gone" for table in before if table not in after]
    for table in before.keys() & after.keys():
        for column, described in before[table].items():
            if after[table].get(column) != described:
                found.append(f"{table}.{column} changed")
        for column in after[table].keys() - before[table].keys():
            _type, needed, default = after[table][column]
            if needed and default is None:
                found.append(f"{table}.{column} has to be given")
        if unique_after[table] > unique[table]:
            found.append(f"{table} has to be unique in more")
    return found


@pytest.mark.parametrize("step", range(2, VERSION + 1))
def test_a_step_lets_servers_of_the_version_before_go_on_or_says_that_they_are_to_be_stopped(step):
    found = broken_by(step)
    assert bool(found) is (step in TO_BE_STOPPED), found
