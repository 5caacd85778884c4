"""ADK's session JSON: what it becomes here, what ours becomes there, and what the real google-adk reads."""

from __future__ import annotations

import json
import subprocess

import pytest
from google.genai import types

from agents import Event, EventActions, ToolConfirmation
from agents.errors import SessionFileError
from agents.event import EventCompaction
from agents.sharing import read_adk_session, to_adk
from tests.agents.sharing.stage import opened
from tests.agents.sharing.test_sharing import NAMED, ace_run
from tests.agents.stage import say
from tests.benchmarks.imports import ROOT, environment
from tests.benchmarks.processes import WorkerError, python_of

pytestmark = pytest.mark.anyio

PIPELINES = ["ace", "approval", "banana_painter", "fact_check", "help_desk", "iterative_writing", "tool_loop"]

READS = """
import json, sys
from google.adk.sessions import Session
for line in sys.stdin:
    session = Session.model_validate_json(line)
    parts = [event.content.parts or [] if event.content else [] for event in session.events]
    texts = ["".join(part.text or "" for part in found) for found in parts]
    names = [[call.name for call in event.get_function_calls()] for event in session.events]
    again = session.model_dump_json(by_alias=True)
    print(json.dumps([session.app_name, session.id, texts, names, session.state, again]))
"""


def shown(events) -> list[str]:
    return ["".join(part.text or "" for part in event.parts) for event in events]


async def test_the_real_google_adk_reads_what_is_exported_and_we_read_what_it_writes():
    async with opened(None) as place:
        for name in PIPELINES:
            await ace_run(place, "s", pipeline=name)
        lines = [to_adk(await place.export("s", name)) for name in PIPELINES]
        try:
            python = python_of("adk")
        except WorkerError as error:
            pytest.skip(str(error))
        done = subprocess.run(
            [*python, "-c", READS],
            check=False,
            input="\n".join(lines),
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=environment(),
        )
        assert done.returncode == 0, done.stderr[-2000:]
        answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
        assert [app for app, *_ in answers] == PIPELINES
        for name, (_, id_, texts, calls, state, written) in zip(PIPELINES, answers, strict=True):
            mine = await place.session("s", name)
            assert (id_, texts) == ("s", shown(mine.events))
            assert calls == [[call.name for call in event.get_function_calls()] for event in mine.events]
            assert state == {key: value for key, value in mine.state.items() if key != "app:playbook"}
            again = await place.take(read_adk_session(written.encode()))
            there = await place.session(again.id, name)
            assert shown(there.events) == texts
            assert [event.id for event in there.events] == [event.id for event in mine.events]


async def test_there_and_back_events_are_the_same(place):
    session = await place.sessions.create_session(**NAMED, session_id="s", state={"topic": "tea"})
    call = types.FunctionCall(id="adk-1", name="look", args={"where": "sea"})
    answer = types.FunctionResponse(id="adk-1", name="look", response={"result": [1, None]})
    asked = {"c": ToolConfirmation(hint="really?")}
    used = types.GenerateContentResponseUsageMetadata(prompt_token_count=7, candidates_token_count=3)
    events = [
        Event(author="user", invocation_id="i1", content=types.Content(role="user", parts=[types.Part(text="日本")])),
        Event(
            author="writer",
            invocation_id="i1",
            content=types.Content(role="model", parts=[types.Part(function_call=call)]),
            long_running_tool_ids={"adk-1"},
            stop_reason="tool_use",
            usage_metadata=used,
            actions=EventActions(requested_tool_confirmations=asked),
        ),
        Event(
            author="writer",
            invocation_id="i1",
            content=types.Content(role="user", parts=[types.Part(function_response=answer)]),
            branch="p.a",
            actions=EventActions(
                state_delta={"topic": "sea", "user:tone": "dry", "deep": {"snake_case": 1}}, artifact_delta={"a_b.txt": 2}
            ),
        ),
        say("writer", "done", stop_reason="end_turn", invocation_id="i1", custom_metadata={"simulated_mark": True}),
        say("writer", "", invocation_id="i2", error_code="SAFETY", error_message="no", stop_reason="error"),
    ]
    events[3].content.parts.append(types.Part.from_bytes(data=bytes(range(256)), mime_type="image/png"))
    await place.sessions.append(session, events)
    again = await place.take(read_adk_session(to_adk(await place.export("s")).encode()))
    there = await place.session(again.id)
    assert there.events == (await place.session("s")).events
    assert there.state == {"topic": "sea", "user:tone": "dry", "deep": {"snake_case": 1}}
    rows = {row.id: row for row in await place.sessions.summaries()}
    assert (rows[again.id].status, rows[again.id].title) == ("failed", "日本")
    ends = [entry.fields() for entry in await place.log(again.id) if entry.kind == "run_finished"]
    assert [(end["status"], end["calls"], end["tokens"]["input"]) for end in ends] == [("completed", 1, 7), ("failed", 0, 0)]


async def test_summaries_and_rewinds_come_along(place):
    session = await place.sessions.create_session(**NAMED, session_id="s")
    content = types.Content(role="model", parts=[types.Part(text="so far")])
    made = EventCompaction(start_timestamp=1.5, end_timestamp=2.5, compacted_content=content)
    events = [
        say("writer", "one", stop_reason="end_turn", invocation_id="i1", timestamp=2.0),
        Event(author="user", invocation_id="i1", actions=EventActions(compaction=made), timestamp=3.0),
        Event(author="user", invocation_id="i2", actions=EventActions(rewind_before_invocation_id="i1"), timestamp=4.0),
    ]
    await place.sessions.append(session, events)
    written = json.loads(to_adk(await place.export("s")))
    written["events"][1] |= {"invocationId": "its own", "content": {"role": "model", "parts": [{"text": "again"}]}}
    again = await place.take(read_adk_session(json.dumps(written).encode()))
    there = await place.session(again.id)
    assert there.events == events, "a summary belongs to the run before it, and has no content"
    assert [entry.kind for entry in await place.log(again.id)].count("run_started") == 2


async def test_names_in_either_spelling_and_fields_of_its_own(place):
    text = json.dumps(
        {
            "id": "x",
            "app_name": "other",
            "user_id": "u",
            "events": [
                {
                    "author": "writer",
                    "invocationId": "i",
                    "timestamp": 5.0,
                    "nodeInfo": {"path": "a/b"},
                    "output": 3,
                    "partial": None,
                    "actions": {"state_delta": {"temp:x": 1, "y": 2}, "endOfAgent": True},
                    "content": {"role": "model", "parts": [{"text": "hi"}]},
                },
                {"author": "writer", "invocationId": "i", "partial": True, "content": {"parts": [{"text": "h"}]}},
            ],
        }
    )
    file = read_adk_session(text.encode())
    again = await place.take(file)
    session = await place.session(again.id, "other")
    assert (shown(session.events), session.state) == (["hi"], {"y": 2})
    assert session.events[0].stop_reason == "end_turn"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"{", "not JSON"),
        (b"[]", "not a session of ADK"),
        (b'{"id": "a"}', "appName"),
        (b'{"id": "", "appName": "b"}', "id"),
        (b'{"id": "a", "appName": "b", "events": [3]}', "events.0"),
        (b'{"id": "a", "appName": "b", "state": []}', "state"),
        (b'{"id": "a", "appName": "b", "lastUpdateTime": 1e999}', "too large"),
        (b'{"id": "a", "appName": "b", "events": [{"content": 3}]}', "Event 1 cannot be read: content"),
        (b'{"id": "a", "appName": "b", "events": [{"timestamp": -5}]}', "time"),
        (b'{"id": "a", "appName": "b", "events": [{"finishReason": 7}]}', "Event 1 cannot be read"),
        (b'{"id": "a", "appName": "b", "events": [{"content": {"parts": [{"text": "\\ud83d"}]}}]}', "surrogate"),
        (b'{"id":' * 100_000, "nested too deep"),
        (b"\xff\xfe{", "UTF-8"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(content, reason):
    with pytest.raises(SessionFileError, match=reason):
        read_adk_session(content)


async def test_a_session_without_events(place):
    await place.sessions.create_session(**NAMED, session_id="s")
    file = read_adk_session(to_adk(await place.export("s")).encode())
    again = await place.take(file)
    assert (await place.session(again.id)).events == []
    assert json.loads(to_adk(file))["events"] == []
