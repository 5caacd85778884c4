"""`Workspace`: nothing is opened before it is used, all users share what is opened, each is given their own rights."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.access import visitor
from agents.errors import DatabaseError, NotPermittedError
from agents.workspace import Workspace


@pytest.fixture
def workspace(tmp_path):
    with Workspace(tmp_path / "play.db") as made:
        yield made


def test_nothing_is_made_before_it_is_used(workspace, tmp_path):
    assert not workspace.is_open
    assert not workspace.is_stored
    assert workspace.lab.runs() == []
    assert workspace.cases_folder == tmp_path / "cases"
    assert list(tmp_path.iterdir()) == []

    workspace.runs.sessions.create("iterative_writing")
    assert workspace.is_open
    assert workspace.is_stored


def test_users_share_what_is_opened_and_have_rights_of_their_own(workspace):
    session = workspace.runs.sessions.create("iterative_writing")
    visiting = workspace.as_user(visitor("ann"))
    assert visiting.runs.sessions.find("iterative_writing", session) is not None
    assert visiting.runs.catalog.names() == workspace.runs.catalog.names()
    assert (workspace.user.is_owner, visiting.runs.user) == (True, visitor("ann"))
    for refused in (
        lambda: visiting.runs.sessions.delete("iterative_writing", session),
        lambda: visiting.lab_jobs.begin("name = 'mine'"),
        lambda: visiting.lab_jobs.stop("mine"),
        lambda: visiting.measurement_jobs.stop("ace"),
        lambda: visiting.cases.delete(None),
        lambda: visiting.copy_to(Path("copy.db"), lambda *_: None),
    ):
        with pytest.raises(NotPermittedError):
            refused()


def test_a_database_that_cannot_be_used_is_tried_again(tmp_path):
    file = tmp_path / "play.db"
    file.write_text("no database at all " * 100)
    with Workspace(file) as workspace:
        with pytest.raises(DatabaseError):
            _ = workspace.runs
        assert not workspace.is_open
        file.unlink()
        assert workspace.runs.sessions.summaries() == []


def test_after_it_was_closed_it_is_opened_again(workspace):
    first = workspace.runs
    assert workspace.close()
    assert not workspace.is_open
    assert workspace.runs is not first
