"""Sessions of coding agents, read as the log of a session of the playground."""

from __future__ import annotations

import codecs
import json
from io import BytesIO

import pytest

from agents import SessionFileError
from agents.history.run_tree import RunTree, read
from agents.transcripts import may_be_transcript, read_transcript
from agents.transcripts.reading import HelperFiles
from tests.agents.transcripts.samples import (
    Claude,
    claude_session,
    codex_session,
    lines,
    text,
    tool_use,
    write,
)


@pytest.fixture
def parsed():
    """Reads a file; what it keeps on disk is removed after the test."""
    found = []

    def parse(content, **more):
        raw = content if isinstance(content, bytes) else content.encode()
        found.append(read_transcript(BytesIO(raw), name="session.jsonl", **more))
        return found[-1]

    yield parse
    for each in found:
        each.close()


def events(found):
    return [entry.event() for entry in found.log.log if entry.kind == "event"]


def notes(found):
    return [entry.fields() for entry in found.log.log if entry.kind == "transcript_note"]


def said(found):
    return [part.text for event in events(found) for part in event.parts if part.text]


def run_of(found):
    tree = RunTree()
    for entry in found.log.log:
        tree.take(entry.seq, read(entry))
    return list(tree.runs.values())


def test_a_session_of_claude_code_is_a_run_with_thoughts_calls_and_tokens(parsed):
    found = parsed(claude_session().text())
    assert (found.format, found.title, found.unread) == ("claude_code", "Fix the till", 0)
    question, first, failed, again, worked, answer = events(found)
    assert (question.author, question.text) == ("user", "Why does the till fail?")
    assert [bool(part.thought) for part in first.parts] == [True, False, False]
    assert first.get_function_calls()[0].args == {"command": "pytest"}
    assert failed.get_function_responses()[0].response == {"error": "ModuleNotFoundError: No module named 'till'"}
    assert worked.get_function_responses()[0].response == {"result": "3 passed in 0.1s"}
    assert (again.stop_reason, answer.stop_reason) == ("tool_use", "end_turn")
    (run,) = run_of(found)
    assert (run.ended.status, run.ended.tokens) == ("completed", {"input": 3 * 1110, "output": 3 * 7})
    assert [call.finished.usage["cached"] for call in run.calls] == [1000] * 3
    assert all(call.answer for call in run.calls)


def test_an_answer_in_several_lines_is_one_event_with_its_usage_once(parsed):
    session = Claude()
    session.user("Two things")
    session.answer(text("Both."), tool_use("a", "Read", {}), tool_use("b", "Read", {}), name="m")
    session.result("a", "1")
    session.result("b", "2")
    session.answer(text("Done."))
    first = events(parsed(session.text()))[1]
    assert [call.id for call in first.get_function_calls()] == ["a", "b"]
    assert run_of(parsed(session.text()))[0].spent.calls == 2


def test_codex_tells_the_same_with_tokens_that_come_after_the_answer(parsed):
    found = parsed(lines(codex_session()))
    assert (found.format, found.session, found.title) == ("codex", "019c-codex", "Why does the till fail?")
    assert said(found) == ["Why does the till fail?", "Run the tests.", "It passes now."]
    failed = next(event for event in events(found) if event.get_function_responses())
    assert failed.get_function_responses()[0].response == {"error": "No module named 'till'"}
    (run,) = run_of(found)
    assert [call.finished.usage.get("input") for call in run.calls] == [50, 0, 80]
    assert {call.started.model for call in run.calls} == {"gpt-5.3-codex"}
    assert [note["note"] for note in notes(found)] == ["context"]


def test_items_without_payload_are_codex_of_an_earlier_version(parsed):
    old = [{"id": "old", "timestamp": "2025-08-01T00:00:00Z", "instructions": None}, {"record_type": "state"}]
    old += [value["payload"] for value in codex_session() if value["type"] == "response_item"]
    assert said(parsed(lines(old))) == ["Why does the till fail?", "Run the tests.", "It passes now."]


def test_a_sub_agent_works_in_the_branch_of_its_call(parsed, tmp_path):
    session, helper = Claude("main-session"), Claude("main-session", sidechain=True)
    session.user("Look around")
    session.answer(tool_use("k", "Task", {"prompt": "find the till"}))
    session.result("k", "till.py")
    session.answer(text("till.py it is."))
    helper.user("find the till")
    helper.run("z", "ls", "till.py")
    helper.answer(text("till.py"))
    path = write(tmp_path / "main-session.jsonl", session.text())
    write(tmp_path / "main-session" / "subagents" / "agent-1.jsonl", helper.text())
    found = parsed(session.text(), helpers=HelperFiles().of(path))
    (run,) = run_of(found)
    assert ([each.agent for each in run.agents], [each.agent for each in run.called]) == (["CodingAgent"], ["SubAgent"])
    inside = [event for event in events(found) if event.branch]
    assert [event.author for event in inside] == ["user", "SubAgent", "SubAgent", "SubAgent"]
    assert inside[0].branch.startswith("Task:")


def test_a_sidechain_in_the_same_file_is_the_sub_agent_of_the_call_with_its_task(parsed):
    session = Claude()
    session.user("Look around")
    session.answer(tool_use("k", "Task", {"prompt": "find the till"}))
    session.sidechain, main, session.last = True, session.last, None
    session.user("find the till")
    session.answer(text("till.py"))
    session.sidechain, session.last = False, main
    session.result("k", "till.py")
    session.answer(text("It is till.py."))
    found = parsed(session.text())
    assert [event.text for event in events(found) if event.branch] == ["find the till", "till.py"]
    assert len(run_of(found)) == 1


def test_going_back_in_a_session_is_noted(parsed):
    session = Claude()
    session.user("one")
    end = session.answer(text("1"))
    session.user("two")
    session.answer(text("2"))
    session.last = end
    session.user("three")
    session.answer(text("3"))
    assert [note["text"] for note in notes(parsed(session.text()))] == ["to after message 1"]


def test_what_programs_write_in_the_users_name_is_no_message(parsed):
    session = Claude()
    session.user("Caveat: The messages below were generated", isMeta=True)
    session.user("<command-name>/review</command-name><command-args>now</command-args>")
    session.answer(text("ok"))
    session.user("[Request interrupted by user]")
    found = parsed(session.text())
    assert said(found) == ["/review now", "ok"]
    assert run_of(found)[0].ended.status == "stopped"


def test_lines_that_cannot_be_read_are_counted_and_kept(parsed):
    content = "{broken\n" + claude_session().text() + '{"type":"hologram","sessionId":"s"}\n[1]\n{"type":"assistant","mess'
    found = parsed(content)
    kept = [(note["note"], note["text"]) for note in notes(found)]
    assert found.unread == 4
    assert kept[0] == ("unread", "{broken")
    assert kept[-1] == ("unread", '{"type":"assistant","mess')
    assert run_of(found)[-1].ended.status == "interrupted", "the file is cut off"


def test_a_call_without_result_ends_the_run_as_interrupted(parsed):
    session = Claude()
    session.user("go")
    session.answer(tool_use("a", "Bash", {"command": "sleep 9"}))
    (run,) = run_of(parsed(session.text()))
    assert run.ended.status == "interrupted"


@pytest.mark.parametrize(
    ("encode", "encodings"),
    [
        (lambda said: codecs.BOM_UTF8 + said.encode(), {}),
        (lambda said: said.encode("utf-16"), {"UTF-16": 7}),
        (lambda said: said.encode("cp1252"), {"Windows-1252": 1}),
    ],
    ids=["utf-8 with a mark", "utf-16", "windows"],
)
def test_other_encodings_are_read_line_by_line(parsed, encode, encodings):
    session = Claude()
    session.user("Für die Kasse: 5 €")
    for number in range(6):
        session.answer(text(f"{number}"))
    found = parsed(encode(session.text()))
    assert said(found)[0] == "Für die Kasse: 5 €"
    assert dict(found.encodings) == encodings


def test_half_a_surrogate_and_numbers_that_are_none_do_not_end_the_import(parsed):
    session = Claude()
    session.user("go")
    session.answer(tool_use("a", "Bash", {"half": "half", "size": 0}))
    content = session.text().replace('"half": "half"', '"half": "\\ud83d"').replace('"size": 0', '"size": 1e999')
    found = parsed(content)
    assert events(found)[1].get_function_calls()[0].args == {"half": "�", "size": None}


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b"a" * 100_000, b"\x00\xff" * 1000, b'{"a": 1}\n', b"%PDF-1.7\n" * 10, b'{"type":"user"}\n'],
    ids=["empty", "blank", "one character", "bytes", "json", "pdf", "no session"],
)
def test_another_file_is_refused_in_words(parsed, content):
    assert not may_be_transcript(content)
    with pytest.raises(SessionFileError, match=r"session\.jsonl .*Nothing was imported"):
        parsed(content)


def test_a_session_without_messages_is_refused(parsed):
    with pytest.raises(SessionFileError, match="no messages"):
        parsed('{"type":"summary","summary":"Fix","leafUuid":"x"}\n')


@pytest.mark.parametrize("value", [None, 7, "x", [], [None, 3], {"content": 3}, {"content": [{"type": "text", "text": 5}]}])
def test_any_shape_of_a_message_is_read_or_kept(parsed, value):
    session = claude_session()
    for kind in ("user", "assistant"):
        session._line(kind, value)
    session.values.append({"type": "progress", "data": value, "parentToolUseID": value, "uuid": value})
    found = parsed(session.text())
    assert said(found)[0] == "Why does the till fail?"
    codex = [*codex_session(), {"type": "response_item", "payload": {"type": "message", "role": "user", "content": value}}]
    codex += [{"type": "response_item", "payload": {"type": "function_call_output", "call_id": value, "output": value}}]
    codex += [{"type": "response_item", "payload": {"type": "function_call", "name": value, "arguments": value}}]
    assert said(parsed(lines(codex)))[0] == "Why does the till fail?"


def test_secrets_are_masked_before_anything_is_kept_unless_refused(parsed):
    key = "sk-ant-" + "a1" * 20
    content = claude_session().text().replace("python -m pytest", f"KEY={key} pytest", 1) + f"{{cut {key}"
    found = parsed(content)
    assert dict(found.masked) == {"Anthropic key": 2}
    kept = "".join(entry.body for entry in found.log.log)
    assert key not in kept
    assert "[masked: Anthropic key]" in kept
    assert key in "".join(entry.body for entry in parsed(content, mask=False).log.log)


def test_a_secret_written_in_escapes_is_masked(parsed):
    session = Claude()
    session.user("x")
    session.answer(text("y"))
    key = "ghp_" + "b2" * 18
    hidden = "".join(f"\\u{ord(character):04x}" for character in key)
    found = parsed(session.text().replace('"content": "x"', f'"content": "{hidden}"'))
    assert said(found)[0] == "[masked: GitHub token]"


def test_each_event_is_one_of_the_runtime(parsed):
    for content in (claude_session().text(), lines(codex_session())):
        for entry in parsed(content).log.log:
            assert json.loads(entry.body)
            if entry.kind != "event":
                assert not entry.record().others
