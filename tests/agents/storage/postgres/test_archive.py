"""A copy from SQLite to PostgreSQL and back: all of it, again after an interruption, never over other content."""

from __future__ import annotations

from contextlib import closing

import pytest

from agents.errors import DatabaseError
from agents.storage.address import PostgresAddress
from agents.storage.archive import KINDS
from agents.storage.postgres.archive import kept_archive
from agents.storage.postgres.connection import SCHEMA
from agents.storage.postgres.pool import Pool
from agents.storage.sqlite import archive as sqlite
from agents.storage.stores import copy_database, open_store
from agents.storage.tables.archive import SHAPES
from tests.agents.storage.conftest import NAMES
from tests.agents.storage.contents import contents
from tests.agents.storage.test_archive import STOPPED, added, filled, silent

pytestmark = pytest.mark.anyio

MADE_ANEW = {"session_texts", "session_sizes"}
OF_ONE_DATABASE = {"runs", "places", "schema_version"}


@pytest.fixture
async def source(tmp_path, anyio_backend):
    return await filled(tmp_path / "playground.db")


@pytest.fixture
def target(postgres):
    return PostgresAddress(postgres)


def records(archive):
    return {kind: {name: archive.read(kind, name) for name in archive.names(kind)} for kind in KINDS}


def test_every_table_is_copied_made_anew_or_of_one_database(postgres):
    query = "SELECT table_name FROM information_schema.tables WHERE table_schema = ?"
    with closing(Pool(postgres)) as pool, pool.reading() as conn:
        tables = {name for (name,) in conn.execute(query, (SCHEMA,))}
    copied = {table for shape in SHAPES.values() for table in (shape.table, *shape.parts)}
    assert tables == copied | MADE_ANEW | OF_ONE_DATABASE


async def test_there_and_back_everything_is_the_same(source, target, tmp_path):
    copied = copy_database(source, target, silent)
    assert added(copied) == added(copy_database(target, tmp_path / "back.db", silent))
    assert added(copied)["sessions"] == 4
    assert await contents(tmp_path / "back.db") == await contents(source)


async def test_both_have_the_same_records(source, target):
    copy_database(source, target, silent)
    with sqlite.copied_archive(source) as one, kept_archive(target) as other:
        assert records(one) == records(other)
        assert [*records(one)["sessions"]] == [*records(other)["sessions"]]


@pytest.mark.parametrize("stopped", STOPPED)
async def test_an_interrupted_copy_goes_on(source, target, stopped):
    def interrupt(kind: str, done: int, total: int) -> None:
        if (kind, done) == (stopped, 1):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_database(source, target, interrupt)
    copied = {one.kind: one for one in copy_database(source, target, silent)}
    assert copied[stopped].found == 1
    with sqlite.copied_archive(source) as one, kept_archive(target) as other:
        assert records(one) == records(other)


async def test_other_content_of_the_same_name_is_refused_and_nothing_is_copied(source, target, tmp_path):
    store = open_store(tmp_path / "other.db")
    await store.sessions.create_session(**NAMES, session_id="s1")
    await store.close()
    copy_database(tmp_path / "other.db", target, silent)
    with kept_archive(target) as archive:
        before = records(archive)
        with pytest.raises(DatabaseError, match=r"other content .* in its sessions: .* Nothing was copied"):
            copy_database(source, target, silent)
        assert records(archive) == before


async def test_a_character_that_postgresql_has_no_text_with_is_copied(target, tmp_path):
    path = tmp_path / "nul.db"
    store = open_store(path)
    await store.sessions.create_session(app_name="app", user_id="user", session_id="s1", state={"app:\0": 1})
    await store.close()
    first = copy_database(path, target, silent)
    again = copy_database(path, target, silent)
    assert [one.added for one in first] == [one.found for one in again]
    with kept_archive(target) as archive:
        assert archive.names("app state") == [("app", "app:\0")]


async def test_a_database_is_not_copied_to_itself(target):
    with pytest.raises(DatabaseError, match="are the same database"):
        copy_database(target, target, silent)
