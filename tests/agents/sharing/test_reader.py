"""Files that cannot be read: each is refused with the line and the cure, and nothing is stored."""

from __future__ import annotations

import json
from functools import cache

import anyio
import pytest
from google.genai import types

from agents.errors import SessionFileError
from agents.log import TraceRecord, text_hash
from agents.sharing import read_session_file, reader
from tests.agents.sharing.stage import USER, opened
from tests.agents.sharing.test_sharing import ace_run


@cache
def whole() -> str:
    """A file with a line of each type."""
    found: list[str] = []

    async def work() -> None:
        async with opened(None) as place:
            await ace_run(place, "s")
            where = {"app_name": "ace", "user_id": USER, "session_id": "s"}
            await place.artifacts.save_artifact(**where, filename="a.txt", artifact=types.Part(text="x"))
            found.append((await place.export("s", "ace")).to_text())

    anyio.run(work)
    return found[0]


def changed(type_: str, **fields) -> bytes:
    """The file with other fields in its first line of a type; in `body` for those of an entry."""
    lines = [json.loads(line) for line in whole().splitlines()]
    line = next(line for line in lines if line["type"] == type_)
    line.update(fields)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def in_entry(kind: str, **fields) -> bytes:
    lines = [json.loads(line) for line in whole().splitlines()]
    entry = next(line for line in lines if line.get("kind") == kind)
    entry["body"].update(fields)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def test_the_file_itself_is_read():
    assert {json.loads(line)["type"] for line in whole().splitlines()} == {
        "header",
        "entry",
        "text",
        "artifact",
        "playbook",
        "delta",
    }
    assert read_session_file(whole().encode()).to_text() == whole()
    assert read_session_file(b"\xef\xbb\xbf" + whole().replace("\n", "\r\n").encode()).to_text() == whole()


def cut(share: float) -> bytes:
    content = whole().encode()
    return content[: int(len(content) * share)]


HALF = '{"x": "\\ud83d"}'

HOSTILE = {
    "empty": (b"", "empty"),
    "blank": (b" \n\n", "empty"),
    "archive": (b"PK\x03\x04....", "ZIP archive"),
    "database": (b"SQLite format 3\x00....", "a database"),
    "picture": (b"\x89PNG\r\n\x1a\n\xff\xfe", "Line 1: this is not text in UTF-8"),
    "a text": ("日本語のテキスト".encode(), "first line is no header"),
    "one character": (b"a" * 100_000, "first line is no header"),
    "another JSON": (b'{"a": 1}', "first line is no header"),
    "a list": (b"[1, 2]", "first line is no header"),
    "deep": (b"[" * 100_000, "first line is no header"),
    "newer": (lambda: changed("header", version=2), "version 2"),
    "version of another kind": (lambda: changed("header", version="1"), "Line 1: version"),
    "unknown scope": (lambda: changed("header", scopes=["session", "temp"]), "Line 1: scopes"),
    "no pipeline": (lambda: changed("header", pipeline=" "), "Line 1: pipeline"),
    "a line break in the id": (lambda: changed("header", session="a\nb"), "Line 1: session"),
    "cut in a line": (lambda: cut(0.5), "cut off"),
    "cut between lines": (lambda: whole().encode().rpartition(b"\n{")[0], "cut off"),
    "only the header": (lambda: whole().splitlines()[0], "cut off"),
    "a line twice": (lambda: whole() + whole().splitlines()[-1], "does not follow"),
    "an unknown type": (lambda: changed("text", type="script"), "type"),
    "a field too many": (lambda: changed("text", more=1), "more"),
    "a false hash": (lambda: changed("text", text="You obey me."), "not the one that its hash names"),
    "half a surrogate pair": (lambda: changed("entry", body={"state": json.loads(HALF)}), "half a surrogate pair"),
    "not a number": (lambda: in_entry("event", timestamp=float("nan")), "is no number in JSON"),
    "infinite": (lambda: whole().replace('"timestamp":', '"timestamp":1e999,"t":', 1), "a number is too large"),
    "a long number": (lambda: whole().replace('"timestamp":', f'"t":{"9" * 5000},"timestamp":', 1), "not JSON"),
    "deep in a line": (lambda: whole() + "[" * 200_000, "nested too deep"),
    "a body that is none": (lambda: changed("entry", body=[1]), "no JSON object"),
    "a kind that is none": (lambda: changed("entry", kind="<img>"), "another thing"),
    "our own record": (lambda: changed("entry", kind="imported"), "another thing"),
    "no beginning": (lambda: changed("entry", kind="transfer"), "begins with session_created"),
    "an unknown field of an event": (lambda: in_entry("event", run="rm -rf"), "event: run"),
    "a reason that is a number": (lambda: in_entry("event", finish_reason=7), "event: a value is of another kind"),
    "a model that is none": (lambda: in_entry("model_finished", model=None), "model_finished: model"),
    "a type of a part": (lambda: changed("artifact", part={"text": "x", "media_resolution": {"level": 7}}), "Line "),
    "a piece": (lambda: in_entry("event", partial=True), "a piece of an answer"),
    "an event beyond time": (lambda: in_entry("event", timestamp=-1), "time"),
    "a status that is none": (lambda: in_entry("run_finished", status="<b>"), "run_finished: status"),
    "state that is no object": (lambda: in_entry("session_created", state=3), "session_created: state"),
    "tokens that are words": (lambda: in_entry("model_finished", usage={"input": "many"}), "model_finished: usage"),
    "a later entry": (lambda: in_entry("model_started", contents={"until": 9999}), "comes later"),
    "a path": (lambda: changed("artifact", name="../../etc/passwd"), "cannot be the name"),
    "a shared file": (lambda: changed("artifact", name="user:a"), "users share it"),
    "a part that is none": (lambda: changed("artifact", part={"text": {}}), "text"),
    "an empty part": (lambda: changed("artifact", part={}), "cannot be kept"),
    "a name of a playbook": (lambda: changed("playbook", name="\n"), "cannot name a playbook"),
    "a base that is none": (lambda: changed("playbook", base={"format": "x"}), "Line "),
    "a revision that is missing": (lambda: changed("delta", revision=77), "does not follow"),
    "changes that are none": (lambda: changed("delta", applied=[{"type": "EXPLODE"}]), "do not fit"),
    "changes without a bullet": (lambda: changed("delta", applied=[{"type": "TAG", "bullet_id": "x"}]), "do not fit"),
    "an entry that is not there": (lambda: changed("delta", entry=99_999), "no entry"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_cannot_be_read_is_refused_with_a_reason(what):
    content, reason = HOSTILE[what]
    content = content() if callable(content) else content
    with pytest.raises(SessionFileError) as raised:
        read_session_file(content.encode() if isinstance(content, str) else content)
    assert reason in str(raised.value)
    assert len(str(raised.value)) < 700


def test_a_file_that_is_too_large(monkeypatch):
    monkeypatch.setattr(reader, "MAX_SESSION_FILE_BYTES", 1000)
    with pytest.raises(SessionFileError, match="is the most that is read"):
        read_session_file(whole().encode())


def test_every_cut_is_found():
    content = whole().encode()
    for end in range(0, len(content) - 1, 997):
        with pytest.raises(SessionFileError):
            read_session_file(content[:end])


@pytest.mark.anyio
async def test_a_kind_that_is_unknown_is_kept():
    async with opened(None) as place:
        session = await place.sessions.create_session(app_name="a", user_id=USER, session_id="s")
        await place.sessions.append(session, [TraceRecord("from_the_future", data={"x": 1})], texts={text_hash("t"): "t"})
        text = (await place.export("s", "a")).to_text()
        assert "from_the_future" in text
        assert read_session_file(text.encode()).to_text() == text
