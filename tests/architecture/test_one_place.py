"""What grows has one place: stores, columns of a session, fields of an event, tabs of the inspector, retries."""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields

import pytest

from agents.event import Event, EventActions
from agents.session_list import SessionSummary
from agents.storage.sessions.columns import COLUMNS
from agents.storage.sqlite.migrations import migrate
from tests.architecture.sources import ROOT, SOURCES, shown, tree_of

JS = ROOT / "ui" / "session_view" / "js"

SERVICE = re.compile(r"\w+(?:SessionService|ArtifactService|PreferenceStore|PlaybookRepository)")

MAKERS = {
    "agents/adk/replaced.py": "DatabaseSessionService, which ADK has",
    "agents/storage/stores.py": "opens the store of a database",
    "agents/storage/sessions/memory.py": "has the playbooks of its sessions",
    "agents/runner.py": "InMemoryRunner, which ADK has",
    "agents/lab/work/worker.py": "answers one sample in a session that is not stored",
}
"""Where services are made, and why. All others are given theirs, so that another store is one package and one case."""

DATABASE = re.compile(r"agents\.storage(?:\.\w+)?\.sqlite(?:\.\w+)*")
STORES = "agents/storage/"
"""The package that is written for databases."""
DRIVERS = ("psycopg", "sqlite3", "sqlite_utils")
SQL = re.compile(r"\b(?:SELECT\s.+\sFROM|INSERT\s.*INTO|UPDATE\s.+\sSET|DELETE\s+FROM|CREATE\s+TABLE|PRAGMA)\s", re.DOTALL)

SQL_TYPES = {"str": "TEXT", "RunStatus": "TEXT", "float": "REAL", "int": "INTEGER", "bool": "INTEGER"}
UNLISTED = {"key", "last_seq", "last_entry", "deleted_at", "bytes"}
"""Columns of a session that a list does not show."""

DRAWN = re.compile(r"^export function (draw\w+Tab)\(", re.MULTILINE)
TAB = re.compile(r"\{ name: \"(\w+)\", label: \"[^\"]+\", draw: (\w+)")
INTERFACE = r"^export interface {} \{{\n(.*?)^\}}"
FIELD = re.compile(r"^  (\w+)\??: (.+);$", re.MULTILINE)


def called(tree: ast.AST) -> Iterator[str]:
    """The names of what is called, without the module that they are taken from."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
                yield name
            case _:
                pass


def makes_service(tree: ast.AST) -> bool:
    return any(SERVICE.fullmatch(name) for name in called(tree))


@pytest.mark.parametrize(
    ("code", "makes"),
    [
        ("service = SqliteSessionService(path)", True),
        ("agents.InMemoryArtifactService()", True),
        ("SqlitePreferenceStore(path)", True),
        ("def f(store: PreferenceStore) -> BaseSessionService: ...", False),
        ("class Mine(BaseSessionService): ...", False),
    ],
)
def test_a_service_that_is_made_is_found(code, makes):
    assert makes_service(ast.parse(code)) is makes


def test_services_are_made_in_one_place():
    assert {shown(path) for path in SOURCES if makes_service(tree_of(path))} == set(MAKERS), "take those of open_store"


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module)):
                yield module
                yield from (f"{module}.{alias.name}" for alias in node.names)
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case _:
                pass


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("from agents.storage.sqlite.preferences import SqlitePreferenceStore", True),
        ("from agents.storage.sessions import sqlite", True),
        ("import agents.storage.artifacts.sqlite as files", True),
        ("from agents.storage.stores import open_store", False),
        ("import sqlite3", False),
    ],
)
def test_a_database_that_is_named_is_found(code, names):
    assert any(DATABASE.fullmatch(name) for name in imported(ast.parse(code))) is names


def test_only_stores_name_their_database():
    naming = {shown(path) for path in SOURCES if any(DATABASE.fullmatch(name) for name in imported(tree_of(path)))}
    assert any(path.startswith(STORES) for path in naming)
    assert [path for path in naming if not path.startswith(STORES)] == ["agents/__init__.py"], (
        "which exports them, as ADK does"
    )


def drivers_in(tree: ast.AST) -> list[str]:
    """Names of drivers, imported or spelled as a text that something else may import."""
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [name for name in (*imported(tree), *texts) if re.split(r"[.:]", name)[0] in DRIVERS]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import sqlite3", True),
        ("import os, sqlite3.dbapi2 as db", True),
        ("def f():\n    from sqlite3 import connect", True),
        ("if TYPE_CHECKING:\n    import sqlite_utils", True),
        ("importlib.import_module('sqlite3')", True),
        ("REDUCERS = {'key': 'sqlite_utils.db:Database'}", True),
        ("sqlite3_path = 'playground.sqlite3'", False),
        ("'Opens sqlite3 files.'", False),
    ],
)
def test_a_driver_is_found_in_any_form(code, found):
    assert bool(drivers_in(ast.parse(code))) is found


def sql_in(tree: ast.AST) -> list[str]:
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value)
    ]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("run.conn.execute('SELECT a FROM b WHERE c')", True),
        ("f'INSERT OR IGNORE INTO {table} VALUES (1)'", True),
        ("text = 'UPDATE playbooks SET frozen = 1 '", True),
        ("conn.execute('PRAGMA user_version = 1')", True),
        ("'Select a bullet from the list.'", False),
        ("kind = 'UPDATE'", False),
    ],
)
def test_sql_is_found(code, found):
    assert bool(sql_in(ast.parse(code))) is found


def test_databases_are_spoken_to_in_one_place():
    elsewhere = [path for path in SOURCES if not shown(path).startswith(STORES)]
    assert len(elsewhere) < len(SOURCES)
    found = {shown(path): names for path in elsewhere if (names := drivers_in(tree_of(path)) + sql_in(tree_of(path)))}
    assert found == {"agents/runs/workers/audit.py": ["sqlite3.connect", "sqlite3.connect"]}, "the name of an audit event"


def test_the_sessions_table_has_the_columns_of_a_summary():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        conn.execute("BEGIN")
        migrate(conn)
        stored = {name: kind for _, name, kind, *_ in conn.execute("PRAGMA table_info(sessions)") if name not in UNLISTED}
    assert stored == {field.name: SQL_TYPES[field.type] for field in fields(SessionSummary)}


def test_a_summary_is_a_name_a_beginning_and_what_the_log_adds_up_to():
    assert {field.name for field in fields(SessionSummary)} == {"app_name", "user_id", "id", "created_at", *COLUMNS}


@pytest.mark.parametrize(("interface", "model"), [("EventBody", Event), ("Actions", EventActions)])
def test_the_session_view_reads_fields_that_events_have(interface, model):
    text = (JS / "log" / "entries.d.ts").read_text(encoding="utf-8")
    found = re.search(INTERFACE.format(interface), text, re.MULTILINE | re.DOTALL)
    assert found
    read = {name for name, kind in FIELD.findall(found[1]) if kind != "undefined"}
    assert read
    assert read <= set(model.model_fields)


def test_a_tab_of_the_inspector_is_a_module_and_an_entry_of_one_list():
    listed = TAB.findall((JS / "inspector" / "inspector.js").read_text(encoding="utf-8"))
    drawn = [name for path in JS.rglob("*.js") for name in DRAWN.findall(path.read_text(encoding="utf-8"))]
    assert sorted(drawn) == sorted(draw for _, draw in listed)
    names = {name for name, _ in listed}
    lists = [
        shown(path)
        for path in SOURCES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Tuple | ast.List | ast.Set)
        and names <= {part.value for part in node.elts if isinstance(part, ast.Constant)}
    ]
    assert lists == [], "the page passes on what the address says, and the view knows its tabs"


def test_one_module_tries_again():
    users = {
        shown(path)
        for path in SOURCES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.module == "tenacity"
    }
    assert users == {"agents/models/retry.py"}
