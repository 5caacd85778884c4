"""An app that is open to the network: what visitors cannot do, and how the owner's token lets its holder do it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from http.client import HTTPConnection

import pytest
from streamlit.testing.v1 import AppTest

from agents.access import OWNER
from tests.ui.playbook.stage import filled, playbook_page
from tests.ui.settings.stage import settings_page, settled
from tests.ui.stage import finish, labels, page, said, sound, words
from ui.access import identity, owner, owner_token
from ui.state import runs


@pytest.fixture
def network(visit):
    """The server listens on all addresses. A page without a browser has no cookies."""
    visit()


def unlocked(at: AppTest, token: str) -> AppTest:
    at.text_input(key=owner.FIELD).set_value(token)
    return sound(at.button(key="owner_unlock").click().run())


@pytest.mark.parametrize("section", ["models", "defaults", "prices", "data"])
def test_a_visitor_sees_no_settings(manager, network, section):
    at = sound(settings_page(section))
    assert "open to the network" in said(at)
    assert labels(at) == ["Unlock"]
    assert len(at.text_input) == 1
    assert str(runs.database()) not in words(at)


def test_on_this_machine_alone_nothing_is_locked(manager):
    assert "Unlock" not in labels(sound(settled(settings_page())))


def test_the_token_unlocks_the_settings_and_another_one_does_not(manager, network):
    at = sound(settings_page())
    assert "not the token" in said(unlocked(at, "guess"))
    assert "Unlock" in labels(at)
    assert "Unlock" not in labels(settled(unlocked(at, f" {owner_token.token()} ")))
    assert "Unlock" in labels(sound(settings_page())), "another tab is not unlocked with it"


def test_a_change_that_a_visitor_gets_at_in_some_other_way_is_refused(manager, network, monkeypatch):
    """The page is drawn for its owner; the click comes from somebody else."""
    with monkeypatch.context() as drawn:
        for module in (identity, owner):
            drawn.setattr(module, "current", lambda: OWNER)
        at = sound(settings_page("defaults"))
    at.selectbox(key="preferred_model").set_value("gemini-pro-latest").run()
    assert manager.models.preferences.model == "simulated"


def test_a_visitor_can_neither_run_nor_delete_the_owners_session(manager, network):
    begun = manager.start("iterative_writing", "the sea")
    finish(manager, "iterative_writing", begun.session_id)
    at = sound(page(pipeline="iterative_writing", session=begun.session_id))
    assert at.button(key=f"delete_{begun.session_id}").disabled
    assert at.text_input(key=f"title_{begun.session_id}").disabled
    before = len(manager.sessions.log("iterative_writing", begun.session_id))
    at.button(key="again").click().run()
    assert "may not run agents in this session" in said(sound(at))
    assert len(manager.sessions.log("iterative_writing", begun.session_id)) == before
    assert len([s for s in manager.sessions.summaries("iterative_writing") if s.id == begun.session_id]) == 1


def test_a_visitor_can_read_a_playbook_and_not_change_it(manager, visit):
    store = filled(manager, "finance")
    at = sound(playbook_page(playbook="finance"))  # while it is the owner's
    visit()
    at.button(key="freeze").click().run()
    assert "A visitor may not change playbooks" in said(sound(at))
    assert not store.frozen
    assert "Read only" in words(at)
    assert "freeze" not in [button.key for button in at.button]


SERVE = """
import sys
from pathlib import Path
from ui.server import serve
serve(host="0.0.0.0", port=0, database=Path(sys.argv[1]), agents_dir=None, open_browser=False)
"""


@pytest.fixture(scope="module")
def open_server(tmp_path_factory):
    """A server that the network can reach: what it has said, and its port."""
    folder = tmp_path_factory.mktemp("open")
    command = [sys.executable, "-c", SERVE, str(folder / "playground.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ) as process:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if "/owner?token=" in line:
                break
        yield said, int(re.search(r"http://127\.0\.0\.1:(\d+)", said)[1])
        process.kill()


def get(port: int, path: str):
    connection = HTTPConnection("127.0.0.1", port, timeout=20, source_address=("127.0.0.2", 0))
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def test_the_start_says_all_that_a_visitor_can_do_and_prints_the_token(open_server):
    printed, _ = open_server
    said = " ".join(printed.split())
    for part in (
        "read your sessions, playbooks and files",
        "run agents in sessions of their own",
        "at your cost",
        "cannot answer, stop or change your sessions",
        "need the owner's token",
    ):
        assert part in said


def test_the_warning_is_printed_once_and_after_the_url(open_server):
    printed, port = open_server
    assert re.search(r"http://\S+", printed)[0] == f"http://127.0.0.1:{port}"
    assert printed.count("Warning") == 1


def test_the_link_makes_a_browser_the_owners_without_leaving_the_token_in_its_address(open_server):
    printed, port = open_server
    token = re.search(r"/owner\?token=(\S+)", printed)[1]
    status, headers, _ = get(port, f"/owner?token={token}")
    assert (status, headers["location"]) == (303, "settings"), "relative: a proxy may serve it below a path"
    cookie = headers["set-cookie"]
    assert token in cookie
    assert {"HttpOnly", "SameSite=strict"} <= set(cookie.split("; "))


@pytest.mark.parametrize("query", ["", "?token=", "?token=guess", "?token=%C3%A9%00"])
def test_another_link_is_refused(open_server, query):
    status, headers, body = get(open_server[1], f"/owner{query}")
    assert status == 403
    assert "set-cookie" not in headers
    assert "not the token" in body


def test_servers_of_a_database_that_is_no_file_have_one_token():
    own = owner_token.token()
    try:
        owner_token.share(b"k" * 32)
        shared = owner_token.token()
        assert (len(shared), shared == own, owner_token.is_token(own)) == (43, False, False)
        owner_token.share(b"k" * 32)  # another server
        assert owner_token.is_token(shared)
        owner_token.share(b"other")
        assert not owner_token.is_token(shared)
    finally:
        owner_token.share(b"")
