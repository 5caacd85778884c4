"""A session goes back to before an invocation, and its agents no longer see what came after."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import types

from agents import (
    AnswerError,
    CallbackContext,
    InMemoryArtifactService,
    InMemorySessionService,
    LlmAgent,
    LongRunningFunctionTool,
    Runner,
    SqliteSessionService,
)
from agents.errors import InvocationNotFoundError
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import user

S: dict[str, Any] = {"app_name": "play", "user_id": "u", "session_id": "s"}
WHOSE: dict[str, Any] = {"user_id": "u", "session_id": "s"}


@pytest.fixture(params=["memory", "sqlite"])
def service(request: pytest.FixtureRequest, tmp_path: Any) -> InMemorySessionService | SqliteSessionService:
    return InMemorySessionService() if request.param == "memory" else SqliteSessionService(tmp_path / "play.db")


def runner_of(agent: LlmAgent, service: Any) -> Runner:
    return Runner(app_name="play", agent=agent, session_service=service, artifact_service=InMemoryArtifactService())


def texts(model: ScriptedLlm) -> list[str]:
    return [(content.parts or [])[0].text or "" for content in model.requests[-1].contents]


async def count(callback_context: CallbackContext) -> None:
    state = callback_context.state
    state["runs"] = state.get("runs", 0) + 1
    state[f"only{state['runs']}"] = True
    state["user:runs"] = state["runs"]
    await callback_context.save_artifact("notes.txt", types.Part(text=f"notes {state['runs']}"))
    await callback_context.save_artifact(f"{state['runs']}.txt", types.Part(text="x"))


@pytest.mark.anyio
async def test_history_state_and_files_are_as_they_were(service: Any):
    model = ScriptedLlm(script=["one", "two", "three", "four"])
    runner = runner_of(LlmAgent(name="writer", model=model, before_agent_callback=count), service)
    await service.create_session(**S, state={"begun": 1})
    ids = [(await runner.run_debug(text, **WHOSE, quiet=True))[0].invocation_id for text in ("a", "b", "c")]

    await runner.rewind_async(**WHOSE, rewind_before_invocation_id=ids[1])

    session = await service.get_session(**S)
    own = {key: value for key, value in session.state.items() if value is not None}
    assert own == {"begun": 1, "runs": 1, "only1": True, "user:runs": 3}
    files = runner.artifact_service
    assert files is not None
    loaded = [await files.load_artifact(**S, filename=name) for name in ("notes.txt", "1.txt", "3.txt")]
    assert [part and part.text for part in loaded] == ["notes 1", "x", ""]
    await runner.run_debug("d", **WHOSE, quiet=True)
    assert texts(model) == ["a", "one", "d"]
    log = await service.read_log(**S)
    said = [entry.event().text for entry in log if entry.kind == "event" and entry.event().content is not None]
    assert [text for text in said if text] == ["a", "one", "b", "two", "c", "three", "d", "four"]
    assert sum(entry.kind == "run_finished" for entry in log) == 5


@pytest.mark.anyio
async def test_what_was_asked_in_between_waits_no_more(service: Any):
    def approve() -> None:
        """Asks."""

    agent = LlmAgent(name="writer", model=ScriptedLlm(script=[[call("approve")]]), tools=[LongRunningFunctionTool(approve)])
    runner = runner_of(agent, service)
    await service.create_session(**S)
    [asked, *_] = await runner.run_debug("a", **WHOSE, quiet=True)
    await runner.rewind_async(**WHOSE, rewind_before_invocation_id=asked.invocation_id)
    call_id = asked.get_function_calls()[0].id
    response = types.FunctionResponse(id=call_id, name="approve", response={"ok": True})
    answer = types.Content(role="user", parts=[types.Part(function_response=response)])
    with pytest.raises(AnswerError, match="waits for an answer no more"):
        async for _ in runner.run_async(**WHOSE, new_message=answer, invocation_id=asked.invocation_id):
            pass


@pytest.mark.anyio
async def test_an_unknown_invocation_is_refused_and_nothing_is_stored(service: Any):
    runner = runner_of(LlmAgent(name="writer", model=ScriptedLlm(script=["one"])), service)
    await service.create_session(**S)
    before = await service.read_log(**S)
    with pytest.raises(InvocationNotFoundError, match="no invocation 'none'"):
        await runner.rewind_async(**WHOSE, rewind_before_invocation_id="none")
    assert await service.read_log(**S) == before
    async for _ in runner.run_async(**WHOSE, new_message=user("a")):
        pass


@pytest.mark.anyio
async def test_run_debug_prints_what_is_said(capsys: pytest.CaptureFixture[str]):
    def roll() -> int:
        """Rolls."""
        return 6

    agent = LlmAgent(name="writer", model=ScriptedLlm(script=[[call("roll")], "Six\x1b[2J!", "Again."]), tools=[roll])
    runner = runner_of(agent, InMemorySessionService())
    events = await runner.run_debug(["go", "more"])
    assert [event.text for event in events][-1] == "Again."
    assert capsys.readouterr().out == "writer > Six?[2J!\nwriter > Again.\n"
