"""The dialog that shares by a link, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from agents.access import OWNER, Role
from tests.ui.stage import finish, said, sound
from ui.access.guard import Reach
from ui.sharing import links


@pytest.fixture
def dialog(manager, monkeypatch):
    """Opens the dialog of a session on a server that others reach, or do not."""
    run = manager.start("iterative_writing", "the sea")
    finish(manager, "iterative_writing", run.session_id)

    def show(*, network: bool):
        monkeypatch.setattr(links, "current_reach", lambda: Reach(network=network))
        at = AppTest.from_function(_page)
        at.session_state["links_of"] = ("session", "iterative_writing", run.session_id)
        return sound(at.run())

    return show


def _page():
    from ui.sharing import links
    from ui.state import runs

    links.show(runs.manager())


def test_where_nobody_signs_in_the_dialog_says_that_all_read_everything(manager, dialog):
    why = "everybody who reaches this playground reads all sessions"
    assert why in said(dialog(network=True))
    assert why not in said(dialog(network=False))
    manager.accounts.invite(OWNER, Role.USER)
    assert why not in said(dialog(network=True))
