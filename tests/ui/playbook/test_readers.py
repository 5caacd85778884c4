"""The Playbook page of those who may read it and not change it, run without a browser."""

from __future__ import annotations

import time

import pytest

from agents.access import OWNER, LinkRole, Role, of_playbook, viewer
from tests.ui.playbook.stage import playbook_page
from tests.ui.stage import finish, labels, sound, words
from ui.access import identity

QUESTION = "A car drives a distance of 100 in a time of 4. What is the average speed?\nAnswer: 25"
CHANGES = {"New", "Copy", "Freeze", "Import", "Add", "Undo this delta"}


@pytest.fixture(params=["by a link", "with an account"])
def reader(request, manager, monkeypatch):
    """Somebody who reads what the owner's agents learned."""
    run = manager.start("ace", QUESTION)
    finish(manager, "ace", run.session_id)
    if request.param == "by a link":
        user = viewer("r")
        _, text = manager.links.make(OWNER, of_playbook("ace"), LinkRole.READ, days=7)
        manager.links.open(user, text, now=time.time())
    else:
        user = manager.accounts.redeem(manager.accounts.invite(OWNER, Role.USER)[1], "Ann")
        monkeypatch.setattr(identity._process, "accounts", manager.accounts)
    monkeypatch.setattr(identity, "user_field", lambda _name: user.id)
    return user


@pytest.mark.parametrize("tab", ["bullets", "growth", "effect", "approve", "duplicates", "beside"])
def test_a_reader_sees_all_of_the_page_and_nothing_that_changes_it(reader, tab):
    at = sound(playbook_page(playbook="ace", tab=tab))
    assert not CHANGES & set(labels(at))
    told = "shared with you by a link" if reader.role is Role.VIEWER else "ask the owner"
    assert told in words(at)


def test_a_readers_way_to_a_session_of_somebody_else_says_why_there_is_none(reader):
    at = sound(playbook_page(playbook="ace"))
    assert "Its session was deleted, or is not yours to see." in words(at)
