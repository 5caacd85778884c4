"""A stage for runs that pause: each message is a run of its own, by a new runner, over a session read again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

from google.genai import types

from agents import BaseAgent, LlmAgent, LongRunningFunctionTool, RunConfig, Runner
from agents.models.scripted import ScriptedLlm, call
from agents.runtime.confirmation import REQUEST_CONFIRMATION
from tests.agents.stage import APP, USER, Play, look, user


def ask(question: str) -> None:
    """Asks a person."""


def asker(name: str, *script: Any, tools: Sequence[Any] = (), **more: Any) -> LlmAgent:
    """An agent that may ask a person; without a script it asks once and is done then."""
    model = ScriptedLlm(script=script or ([call("ask", question=name)], f"{name} is done"))
    return LlmAgent(name=name, model=model, tools=[LongRunningFunctionTool(ask), *tools], **more)


def answer_to(*calls: types.FunctionCall, **response: Any) -> types.Content:
    """The same answer to some calls, as one message."""
    parts = [
        types.Part(function_response=types.FunctionResponse(id=call.id, name=call.name, response=response)) for call in calls
    ]
    return types.Content(role="user", parts=parts)


async def send(
    agent: BaseAgent,
    message: types.Content | str,
    *,
    service: Any,
    config: RunConfig | None = None,
    invocation_id: str | None = None,
) -> Play:
    """Runs `agent` over the session "s" of `service`, which is made at the first message."""
    if await service.get_session(app_name=APP, user_id=USER, session_id="s") is None:
        await service.create_session(app_name=APP, user_id=USER, session_id="s")
    runner = Runner(app_name=APP, agent=agent, session_service=service)
    content = user(message) if isinstance(message, str) else message
    result = Play()
    run = runner.run_async(user_id=USER, session_id="s", new_message=content, run_config=config, invocation_id=invocation_id)
    try:
        async with aclosing(run) as events:
            async for event in events:
                result.events.append(event)
    except Exception as error:
        result.error = error
    await look(result, service)
    return result


def waiting(play: Play) -> list[types.FunctionCall]:
    """The calls of the session that were left for somebody to answer and have no answer, in order."""
    answered = {response.id for event in play.session.events for response in event.get_function_responses()}
    return [
        call
        for event in play.session.events
        for call in event.get_function_calls()
        if call.id in (event.long_running_tool_ids or ()) and call.id not in answered
    ]


def status(play: Play) -> str:
    """What the last `run_finished` says."""
    return play.records("run_finished")[-1]["status"]


def is_question(call: types.FunctionCall) -> bool:
    return call.name == REQUEST_CONFIRMATION
