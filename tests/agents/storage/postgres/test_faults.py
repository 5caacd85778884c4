"""What goes wrong with PostgreSQL: a readable error without the password, nothing half stored, a service that works on."""

from __future__ import annotations

import asyncio
import os
import signal
import traceback
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from agents.errors import DatabaseError, RunEndedError, SessionExistsError
from agents.log import TraceRecord
from agents.storage.postgres.connection import Connection
from agents.storage.postgres.pool import Pool
from agents.storage.tables.use import add_use
from agents.storage.use.store import ModelUse
from tests.agents.storage.conftest import NAMES, S1, delta, said, service_at
from tests.agents.storage.postgres_server import a_server, embedded, new_database

pytestmark = pytest.mark.anyio
SECRET = "hunter2/@:?"


async def refused(address: str, **how) -> str:
    """What a service says that cannot use a database; never its password."""
    service = service_at(address, **how)
    with pytest.raises(DatabaseError) as caught:
        await service.open()
    await service.close()
    assert "hunter2" not in "".join(traceback.format_exception(caught.value))
    return str(caught.value)


def with_user(address: str, user: str, password: str = SECRET) -> str:
    return address.replace("postgres:@", f"{user}:{quote(password, safe='')}@")


@pytest.fixture
def locked_out(postgres_server, postgres):
    """The address of a database for a user with another password."""
    rules = Path(postgres_server.pgdata, "pg_hba.conf")
    before = rules.read_text()
    with psycopg.connect(postgres, autocommit=True) as conn:
        conn.execute("CREATE ROLE locked LOGIN PASSWORD 'another'")
        rules.write_text(f"local all locked scram-sha-256\n{before}")
        conn.execute("SELECT pg_reload_conf()")
        yield with_user(postgres, "locked")
        rules.write_text(before)
        conn.execute("SELECT pg_reload_conf()")
        conn.execute("DROP ROLE locked")


async def test_a_wrong_password_is_said_at_once_and_not_shown(locked_out, caplog):
    message = await refused(locked_out)
    assert 'password authentication failed for user "locked"' in message
    assert "Nothing was stored. Check the user, the password and the name of the database in its address." in message
    assert "hunter2" not in caplog.text


async def test_a_database_that_is_not_there_is_said_at_once(postgres):
    message = await refused(with_user(postgres, "postgres").replace("/test_", "/nothing_"))
    assert 'database "nothing_' in message
    assert "does not exist" in message


async def test_nobody_who_answers_is_waited_for_and_said(caplog):
    service = service_at(f"postgresql://me:{quote(SECRET, safe='')}@127.0.0.1:1/db", wait=1.5)
    told: list[str | None] = []
    service.add_waiting_listener(told.append)
    with pytest.raises(DatabaseError, match=r"postgresql://me@127\.0\.0\.1:1/db cannot be reached: .*refused") as caught:
        await service.open()
    assert told == ["Waiting for the PostgreSQL database postgresql://me@127.0.0.1:1/db.", None]
    assert "hunter2" not in caplog.text + "".join(traceback.format_exception(caught.value))
    with pytest.raises(DatabaseError):  # and not once more
        await asyncio.wait_for(service.get_session(**S1), 1.0)
    await service.close()


@pytest.mark.parametrize("address", ["postgresql://me:hunter2%zz@host/db", "postgresql://me:hunter2@host:port/db"])
async def test_an_address_that_is_none_is_refused_without_its_text(address):
    assert "hunter2" not in await refused(address, wait=0.1)


async def test_a_full_pool_says_so(postgres):
    pool = Pool(postgres, wait=0.1, most=1)
    with (
        pool.reading(),
        pytest.raises(DatabaseError, match=r"All 1 connections .* in use for more than 0\.1 s"),
        pool.writing(),
    ):
        pass
    with pool.writing() as conn:
        conn.execute("INSERT INTO texts VALUES ('a', 'b')")
    pool.close()


async def test_a_newer_schema_is_refused_unless_this_version_can_use_it(postgres):
    with psycopg.connect(postgres, autocommit=True) as conn:
        conn.execute("UPDATE playground.schema_version SET version = 99")
        service = service_at(postgres)
        await service.create_session(**S1)
        await service.close()
        conn.execute("UPDATE playground.schema_version SET usable_from = 99")
    message = await refused(postgres)
    assert "has schema version 99, made by a newer Agent Playground; this one knows versions up to" in message


async def test_a_database_of_another_encoding_is_refused(postgres_server):
    with psycopg.connect(postgres_server.get_uri(), autocommit=True) as conn:
        conn.execute("CREATE DATABASE odd ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
        message = await refused(postgres_server.get_uri("odd"))
        conn.execute("DROP DATABASE odd WITH (FORCE)")
    assert "keeps texts as SQL_ASCII" in message


async def test_a_user_who_may_not_make_tables_is_told_what_is_missing(postgres_server):
    with new_database(postgres_server, empty=True) as address, psycopg.connect(address, autocommit=True) as conn:
        conn.execute("CREATE ROLE guest LOGIN")
        message = await refused(with_user(address, "guest"))
        conn.execute("DROP ROLE guest")
    assert "permission denied for database" in message
    assert "GRANT CREATE ON DATABASE" in message


def end_connections(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid != pg_backend_pid() AND datname = current_database()"
        )


def kill_a_process(address: str) -> None:
    """The whole database starts anew after that."""
    with psycopg.connect(address, autocommit=True) as conn:
        [(pid,)] = conn.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'playground' ORDER BY backend_start LIMIT 1"
        ).fetchall()
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("how", ["connections", "process", "restart"])
async def test_appends_go_on_through_a_fault_and_each_is_stored_once(how):
    with a_server() as server:
        service = service_at(server.get_uri(), wait=60)
        sessions = [await service.create_session(**NAMES, session_id=f"s{n}") for n in range(4)]

        async def append(session) -> None:
            async with service.claim(session, "i1"):
                for number in range(60):
                    await service.append_event(session, delta(n=number))

        tasks = [asyncio.create_task(append(session)) for session in sessions]
        for _ in range(3):
            seen = sum(session.last_seq for session in sessions)
            while sum(session.last_seq for session in sessions) < seen + 20:
                await asyncio.sleep(0.001)
            match how:
                case "connections":
                    await asyncio.to_thread(end_connections, server.get_uri())
                case "process":
                    await asyncio.to_thread(kill_a_process, server.get_uri())
                case _:
                    stop = ["restart", "-m", "immediate", "-w", "-l", str(server.log)]
                    await asyncio.to_thread(embedded().pg_ctl, stop, pgdata=server.pgdata, user=server.system_user)
        await asyncio.gather(*tasks)
        for session in sessions:
            read = await service.get_session(app_name="app", user_id="user", session_id=session.id)
            assert [event.actions.state_delta["n"] for event in read.events] == list(range(60))
            assert [event.seq for event in read.events] == [event.seq for event in session.events] == list(range(2, 62))
        await service.close()


class LostAsItEnds:
    """Loses the connection as statements that match are done, once: they are stored, and nobody learns it."""

    def __init__(self, monkeypatch, matches) -> None:
        self.lost = 0
        execute = psycopg.Connection.execute

        def losing(conn, query, *args, **options):
            result = execute(conn, query, *args, **options)
            if not self.lost and matches(query):
                self.lost += 1
                conn.close()
                raise psycopg.OperationalError("server closed the connection unexpectedly")
            return result

        monkeypatch.setattr(psycopg.Connection, "execute", losing)


@pytest.mark.parametrize("statement", ["COMMIT", "WITH held"])
async def test_an_append_whose_answer_is_lost_is_stored_once(postgres, monkeypatch, statement):
    service = service_at(postgres)
    session = await service.create_session(**S1)
    await service.append_event(session, said("first"))  # its row is known from now on
    big = statement == "COMMIT"
    loses = LostAsItEnds(monkeypatch, lambda query: str(query).startswith(statement))
    await service.append(session, [said("x" * 60_000 if big else "second"), TraceRecord("note")])
    await service.append_event(session, said("third"))
    assert loses.lost == 1
    read = await service.get_session(**S1)
    assert [len(event.text) for event in read.events] == [5, 60_000 if big else 6, 5]
    assert read.events == session.events
    assert [entry.seq for entry in await service.read_log(**S1)] == [1, 2, 3, 4, 5]
    await service.close()


async def test_a_session_whose_creation_was_stored_unheard_is_made_once(postgres, monkeypatch):
    service = service_at(postgres)
    await service.open()
    loses = LostAsItEnds(monkeypatch, lambda query: query == "COMMIT")
    await service.create_session(**S1)
    assert loses.lost == 1
    with pytest.raises(SessionExistsError):
        await service.create_session(**S1)
    await service.close()


async def test_whether_a_change_is_stored_may_stay_unknown_and_is_said(postgres, monkeypatch):
    service = service_at(postgres, wait=0.1)
    session = await service.create_session(**S1)
    LostAsItEnds(monkeypatch, lambda query: query == "COMMIT")
    begin = Connection.begin

    def refuse(conn, *, writes):
        if not writes:
            raise psycopg.OperationalError("the database is down")
        begin(conn, writes=writes)

    monkeypatch.setattr(Connection, "begin", refuse)
    with pytest.raises(DatabaseError, match="whether that is stored is not known"):
        await service.append_event(session, said("x" * 60_000))
    await service.close()


@pytest.mark.parametrize("in_a_pipeline", [False, True])
async def test_a_process_that_stands_still_in_a_transaction_fails_nobody_else(postgres, in_a_pipeline):
    service = service_at(postgres)
    session = await service.create_session(**S1)
    pool = Pool(postgres, wait=1.0, most=1)
    kept: list[str] = []

    async def stand_still() -> None:
        with pool.writing() as conn:
            kept.append(conn.execute("SHOW idle_in_transaction_session_timeout").fetchone()[0])
            conn.execute("SET LOCAL idle_in_transaction_session_timeout = '200ms'")
            conn.execute("UPDATE sessions SET title = 'never stored'")
            if in_a_pipeline:
                conn.executemany("INSERT INTO texts VALUES (?, ?)", [("a", "b"), ("c", "d")])
            await service.append_event(session, said("stored"))  # PostgreSQL ends the transaction that does nothing
            conn.execute("UPDATE sessions SET title = 'never stored'")

    with pytest.raises(DatabaseError):
        await stand_still()
    found = await service.get_session(**S1)
    assert [event.text for event in found.events] == ["stored"]
    with pool.writing() as conn:  # on another connection
        assert conn.execute("SELECT title FROM sessions").fetchone() != ("never stored",)
        wait = conn.execute("SHOW lock_timeout").fetchone()[0]
    assert (kept, wait) == (["5s"], "10s"), "the others must wait for longer than it may stand still"
    pool.close()
    await service.close()


async def test_what_a_user_has_used_is_locked_by_no_transaction_whose_process_stands_still(postgres):
    pool = Pool(postgres, wait=1.0, most=2)
    used = {(1, "m"): ModelUse("ann", "m", calls=1)}
    with pool.writing() as still:
        add_use(still, used)
        with pool.writing() as other:
            add_use(other, used)
            other.execute("SET LOCAL lock_timeout = '500ms'")
        with pool.reading() as conn:
            assert conn.execute("SELECT calls FROM model_use").fetchone() == (1,)
    with pool.reading() as conn:
        assert conn.execute("SELECT calls FROM model_use").fetchone() == (2,)
    pool.close()


async def test_an_append_that_fails_halfway_stores_nothing(postgres):
    service = service_at(postgres)
    session = await service.create_session(**S1, state={"a": 1})
    before = session.model_copy(deep=True)
    with pytest.raises(AttributeError):
        await service.append(session, [delta(a=2, app__b=3)], texts={"hash": None})  # found after the event was written
    assert (session, session.last_seq) == (before, before.last_seq)
    assert await service.get_session(**S1) == before
    await service.close()


async def test_a_claim_that_was_taken_over_stores_nothing_in_one_statement_either(postgres):
    """The run goes on under another claim, which leaves the log as it is: only the holder of the session tells."""
    service, other = service_at(postgres), service_at(postgres)
    session = await service.create_session(**S1)
    async with service.claim(session, "i1"):
        await service.append(session, [TraceRecord("run_started", "i1", "root")])
        await service.append_event(session, said("before"))
        with psycopg.connect(postgres, autocommit=True) as conn:
            conn.execute("UPDATE playground.runs SET expires = 0")
        async with other.claim(session.model_copy(), "i1", goes_on=True):
            with pytest.raises(RunEndedError):
                await service.append_event(session, said("late"))
    assert [event.text for event in (await other.get_session(**S1)).events] == ["before"]
    await service.close()
    await other.close()
