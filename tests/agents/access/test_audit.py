"""The audit list: who did what, and what was refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.access import OWNER, Activity, Audit, TokenScope, Wanted, record, visitor
from agents.errors import DatabaseError, NotPermittedError
from agents.storage.memory_journal import InMemoryJournal
from agents.workspace import Workspace

ANN = visitor("ann")


@pytest.fixture
def workspace(tmp_path):
    with Workspace(tmp_path / "play.db") as made:
        yield made


def written(workspace, wanted=Wanted()):
    return workspace.runs.audit.read(wanted, limit=1000)[0]


def test_what_is_done_is_written_with_who_and_from_where(workspace):
    runs = workspace.as_user(replace(OWNER, came_from="10.0.0.1")).runs
    runs.models.change(simulated_speed=3.0)
    runs.models.use_key("gemini", "AIza-a-secret-key-of-somebody")
    session = runs.sessions.create("ace")
    runs.sessions.delete("ace", session)
    runs.sessions.restore("ace", session)
    runs.playbooks("rules").freeze()
    runs.tokens.make(runs.user, "my editor", {TokenScope.READ})
    rows = written(workspace)
    assert [row.what for row in reversed(rows)] == [
        Activity.SETTINGS, Activity.KEY, Activity.DELETE, Activity.RESTORE, Activity.PLAYBOOK, Activity.TOKEN,
    ]  # fmt: skip
    assert {(row.who, row.came_from, row.ok) for row in rows} == {("person", "10.0.0.1", True)}
    assert "secret" not in repr(rows)
    assert "playground-" not in repr(rows)
    assert rows[-1].of == "simulated_speed"


def test_a_team_is_written_from_the_workspace(workspace):
    teams = workspace.as_user(OWNER).teams
    teams.create("my_team", {"root_agent.yaml": "name: A\nagent_class: LlmAgent\n"})
    teams.delete("my_team")
    assert [(row.what, row.of) for row in written(workspace)] == [
        (Activity.DELETE, "the team my_team"), (Activity.TEAM, "made my_team"),
    ]  # fmt: skip


def test_a_refused_right_is_written_once_in_a_while(workspace):
    session = workspace.runs.sessions.create("ace")
    runs = workspace.as_user(ANN).runs
    for _ in range(3):
        with pytest.raises(NotPermittedError):
            runs.sessions.delete("ace", session)
    with pytest.raises(NotPermittedError):
        runs.models.change(base_urls={})
    rows = written(workspace)
    assert [(row.who, row.what, row.ok) for row in rows] == [(ANN.id, Activity.REFUSED, False)] * 2
    assert rows[1].of == "delete or restore this session (of person)"


def test_the_list_is_the_owners_to_read(workspace):
    with pytest.raises(NotPermittedError):
        _ = workspace.as_user(ANN).runs.audit


def test_pages_and_filters():
    journal, audit = InMemoryJournal(), Audit(InMemoryJournal())
    audit = Audit(journal)
    for number in range(1200):
        who, what = (OWNER, Activity.DELETE) if number % 3 else (ANN, Activity.RESTORE)
        record(journal, who, what, str(number))
    rows, before = audit.read(Wanted(), limit=2)
    assert ([row.of for row in rows], before) == (["1199", "1198"], 1199)
    assert [row.of for row in audit.read(Wanted(), limit=2, before=before)[0]] == ["1197", "1196"]
    rows, before = audit.read(Wanted(who=ANN.id), limit=1000)
    assert (len(rows), rows[-1].of, before) == (400, "0", None)
    assert not audit.read(Wanted(who=ANN.id, what=Activity.DELETE), limit=5)[0]
    assert not audit.read(Wanted(since=journal.entries("audit")[-1].at + 1), limit=5)[0]
    assert len(audit.read(Wanted(until=journal.entries("audit")[-1].at + 1), limit=5)[0]) == 5


def test_long_texts_are_cut():
    journal = InMemoryJournal()
    record(journal, OWNER, Activity.TEAM, "x" * 10_000)
    assert len(Audit(journal).read(Wanted(), limit=1)[0][0].of) == 301


def test_a_refusal_stays_one_where_it_cannot_be_written():
    class Broken(InMemoryJournal):
        def append(self, name, body):
            raise DatabaseError("read-only")

    Audit(Broken()).write(ANN, Activity.REFUSED, "x", ok=False)
