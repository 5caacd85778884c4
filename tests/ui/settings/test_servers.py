"""The section on MCP servers, run without a browser."""

from __future__ import annotations

import json
import sys

import pytest

from tests.agents.toolsets.mcp.conftest import STANDINS
from tests.ui.settings.stage import notice, settings_page, settled
from tests.ui.stage import labels, said, sound, words
from ui.settings.servers import KEPT, NAME

PROGRAM = f"{sys.executable} {STANDINS / 'server.py'}"


@pytest.fixture
def file(manager, monkeypatch, tmp_path):
    path = tmp_path / "mcp.json"
    monkeypatch.setattr(manager.mcp_servers, "file", path)
    yield path
    manager.mcp_servers.close()


def entries(file):
    return json.loads(file.read_text())["mcpServers"]


def filled(at, what, more="", name=""):
    at.text_input(key=f"mcp_what_{name}").set_value(what)
    at.text_area(key=f"mcp_more_{name}").set_value(more)
    return at.button(key=f"keep_mcp_{name}").click().run()


def test_a_server_is_added_tested_disabled_enabled_and_removed_with_undo(file):
    at = sound(settings_page("mcp"))
    assert "There are no servers yet." in words(at)
    at.text_input(key=NAME).set_value("files")
    sound(filled(at, PROGRAM, "MODE=plain"))
    entry = {"command": sys.executable, "args": [str(STANDINS / "server.py")], "env": {"MODE": "plain"}}
    assert entries(file) == {"files": entry}
    assert at.text_input(key=NAME).value == ""
    sound(at.button(key="test_mcp_files").click().run())
    assert "add, " in words(sound(settled(at)))
    sound(at.button(key="switch_mcp_files").click().run())
    assert entries(file) == {"files": {**entry, "disabled": True}}
    assert "Disabled" in words(at)
    assert "Test" not in labels(at)
    sound(at.button(key="undo_last").click().run())
    assert entries(file) == {"files": entry}
    sound(at.button(key="remove_mcp_files").click().run())
    assert entries(file) == {}
    assert "files is removed" in notice(at)
    sound(at.button(key="undo_last").click().run())
    assert entries(file) == {"files": entry}


def test_a_server_is_edited_and_its_keys_are_not_shown(file):
    kept = {"type": "sse", "url": "https://a.example/sse", "headers": {"Authorization": "Bearer s3cret-key", "X": "${HOME}"}}
    file.write_text(json.dumps({"mcpServers": {"far": kept}}))
    at = sound(settings_page("mcp"))
    sound(at.button(key="edit_mcp_far").click().run())
    more = at.text_area(key="mcp_more_far").value
    assert more == f"Authorization={KEPT}\nX=${{HOME}}"
    sound(filled(at, "https://a.example/other", more, "far"))
    assert entries(file) == {"far": {**kept, "url": "https://a.example/other"}}
    assert "mcp_what_far" not in [field.key for field in at.text_input], "the form is closed"
    sound(at.button(key="edit_mcp_far").click().run())
    sound(filled(at, "https://b.example/sse", more, "far"))
    assert "a key goes only to the server" in said(at)
    assert entries(file)["far"]["url"] == "https://a.example/other"
    sound(at.button(key="close_mcp_far").click().run())
    assert "mcp_what_far" not in [field.key for field in at.text_input]


@pytest.mark.parametrize(
    ("name", "what", "more", "why"),
    [
        ("", "npx x", "", "is no name of a server"),
        ("a", "", "", "command"),
        ("a", "npx 'x", "", "Close each quotation mark"),
        ("a", "npx x", "KEY", "has no “=”"),
        ("a", "npx x", f"KEY={KEPT}", "Write the value of KEY again"),
        ("a", "npx x", "KEY=${PLAYGROUND_NO_SUCH}", "which is not set"),
        ("there", "npx x", "", "There is a server 'there' already"),
    ],
)
def test_what_is_no_server_is_refused_and_stays_in_the_fields(file, name, what, more, why):
    file.write_text('{"mcpServers": {"there": {"command": "y"}}}')
    at = sound(settings_page("mcp"))
    at.text_input(key=NAME).set_value(name)
    sound(filled(at, what, more))
    assert why in said(at)
    assert at.text_input(key="mcp_what_").value == what
    assert entries(file) == {"there": {"command": "y"}}


def test_a_server_that_does_not_begin_says_why(file):
    file.write_text(json.dumps({"mcpServers": {"gone": {"command": "no-such-program"}}}))
    at = sound(settings_page("mcp"))
    sound(at.button(key="test_mcp_gone").click().run())
    assert "there is no such program" in said(sound(settled(at)))


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": []}'])
def test_a_list_that_cannot_be_read_is_explained(file, text):
    file.write_text(text)
    assert "The list of MCP servers cannot be read" in said(sound(settings_page("mcp")))


def test_an_entry_that_is_no_server_can_be_removed(file):
    given = {
        "odd": 7,
        "lists": {"command": "x", "args": 7, "env": []},
        "unset": {"command": "${X}", "env": {"K": "${NO_SUCH}"}},
    }
    file.write_text(json.dumps({"mcpServers": given}))
    at = sound(settings_page("mcp"))
    for name in given:
        sound(at.button(key=f"remove_mcp_{name}").click().run())
    assert entries(file) == {}
