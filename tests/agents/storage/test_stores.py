"""All parts of a playground are kept in one store, whichever it is: in memory, in a file, or in one of another kind."""

from __future__ import annotations

import json
import sqlite3
from contextlib import aclosing

import pytest
from google.genai import types

from agents import InMemoryArtifactService, InMemorySessionService
from agents.access import OWNER
from agents.playbook import PlaybookRepository
from agents.runs import Preferences, RunManager
from agents.runs import services as services_module
from agents.sharing import export_session, import_session
from agents.storage.address import parse_database
from agents.storage.lessons.memory import InMemoryProgressStore
from agents.storage.memory_journal import InMemoryJournal
from agents.storage.preferences import PreferenceStore
from agents.storage.stores import Store, open_store

pytestmark = pytest.mark.anyio

TAUGHT = "A bakery has current assets of 120 and current liabilities of 80. What is its current ratio?\nAnswer: 1.50"
PICTURE = types.Part(inline_data=types.Blob(data=b"\x89PNG", mime_type="image/png"))


class Cabinet:
    """Another kind of database: it has a note for the preferences, and a drawer for each of the rest."""

    def __init__(self):
        self.note = "{}"
        self.closed: set[str] = set()
        sessions = CabinetSessions(self)
        self.store = Store(
            sessions=sessions,
            collection=sessions.collection,
            artifacts=CabinetArtifacts(self),
            preferences=CabinetPreferences(self),
            journal=CabinetJournal(self),
            lessons=CabinetLessons(self),
            use=sessions.use,
            playbooks=CabinetPlaybooks(self, sessions.tables),
            reducers=sessions.reducers,
        )


class Drawer:
    """A part of a cabinet that says when it is closed."""

    def __init__(self, cabinet: Cabinet):
        super().__init__()
        self.cabinet = cabinet

    def close(self):
        self.cabinet.closed.add(type(self).__name__)


class CabinetSessions(Drawer, InMemorySessionService):
    async def close(self):
        super().close()


class CabinetArtifacts(Drawer, InMemoryArtifactService):
    async def close(self):
        super().close()


class CabinetPreferences(Drawer, PreferenceStore):
    def read(self):
        return Preferences.model_validate_json(self.cabinet.note)

    def change(self, changes):
        changed = Preferences.model_validate({**self.read().model_dump(), **changes})
        self.cabinet.note = changed.model_dump_json()
        return changed


class CabinetJournal(Drawer, InMemoryJournal):
    pass


class CabinetLessons(Drawer, InMemoryProgressStore):
    pass


class CabinetPlaybooks(Drawer, PlaybookRepository):
    def __init__(self, cabinet: Cabinet, tables: PlaybookRepository):
        super().__init__(cabinet)
        self.tables = tables

    def writing(self):
        return self.tables.writing()


@pytest.fixture
def cabinet(monkeypatch):
    """The store of every manager that is made."""
    made = Cabinet()
    monkeypatch.setattr(services_module, "open_store", lambda _, **__: made.store)
    return made


@pytest.fixture
def no_files(monkeypatch):
    """SQLite opens no file."""
    connect = sqlite3.connect

    def refuse(place, *args, **kwargs):
        assert place == ":memory:", f"a file is opened: {place}"
        return connect(place, *args, **kwargs)

    monkeypatch.setattr(sqlite3, "connect", refuse)


async def used(manager: RunManager) -> None:
    """Learns, saves a file, sets a preference, and shares a session: all of it is found where it was put."""
    manager.models.change(simulated_speed=0)
    assert manager.models.preferences.simulated_speed == 0
    run = manager.start("ace", TAUGHT)
    async with aclosing(manager.subscribe("ace", run.session_id)) as news:
        async for batch in news:
            if any(entry.kind == "run_finished" for entry in getattr(batch, "entries", ())):
                break
    assert "current assets 120 and current liabilities 80" in manager.playbooks("ace").playbook().bullets[0].content
    assert manager.sessions.state("ace", run.session_id)["app:playbook"] == manager.playbooks("ace").playbook()
    named = {"app_name": "ace", "user_id": OWNER.id, "session_id": run.session_id, "filename": "図.png"}
    manager.work(lambda services: services.artifacts.save_artifact(**named, artifact=PICTURE))
    shared = import_session(manager, export_session(manager, "ace", run.session_id))
    assert (shared.files, len(shared.playbooks)) == (1, 1)
    assert manager.sessions.artifact("ace", shared.session_id, "図.png") == PICTURE
    assert {found.id for found in manager.sessions.summaries("ace")} == {run.session_id, shared.session_id}
    assert [key for key, _ in manager.collection.search("bakery").sessions] == ["ace", "ace"]


async def test_without_a_database_nothing_is_a_file(no_files):
    with RunManager(database=None) as manager:
        await used(manager)


async def test_another_kind_of_store_has_all_parts(cabinet, no_files, tmp_path):
    with RunManager(database=tmp_path / "cabinet") as manager:
        await used(manager)
    assert json.loads(cabinet.note)["simulated_speed"] == 0
    parts = ("Sessions", "Artifacts", "Preferences", "Lessons", "Journal", "Playbooks")
    assert cabinet.closed == {f"Cabinet{part}" for part in parts}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_database_has_all_parts_for_the_next_process(kind, request, tmp_path):
    is_file = kind == "sqlite"
    database = tmp_path / "playground.db" if is_file else parse_database(request.getfixturevalue("postgres"))
    with RunManager(database=database) as manager:
        await used(manager)
    with RunManager(database=database) as manager:
        assert manager.models.preferences.simulated_speed == 0
        assert len(manager.playbooks("ace").names()) == 2
        assert len(manager.sessions.summaries("ace")) == 2


async def test_a_store_opens_nothing_until_it_is_used(no_files, tmp_path):
    store = open_store(tmp_path / "playground.db")
    await store.close()
    assert list(tmp_path.iterdir()) == []
