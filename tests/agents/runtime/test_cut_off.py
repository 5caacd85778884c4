"""A run that is cut off again and again, anywhere in its log: in its own session it goes on, and calls nothing twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import aclosing
from typing import Any

import pytest
from google.genai import types

from agents import FunctionTool, InMemorySessionService, LlmAgent, RunConfig, Runner
from agents.models.simulated.model import Reply, SimulatedLlm, SimulatedRequest
from agents.runtime.confirmation import REQUEST_CONFIRMATION

pytestmark = pytest.mark.anyio

APP = {"app_name": "app", "user_id": "user"}


class Killed(BaseException):
    """The process ends."""


class Stage:
    """A clerk that posts two words together and a third one alone, each by a tool with effects."""

    def __init__(self) -> None:
        self.posted: Counter[str] = Counter()
        self.service: Any = InMemorySessionService()
        agent = LlmAgent(name="Clerk", tools=[FunctionTool(self.post, read_only_hint=False, require_confirmation=careful)])
        self.runner = Runner(app_name="app", agent=agent, session_service=self.service)
        self.left: int | None = None
        append = self.service.append

        async def append_some(session: Any, entries: Any, *, texts: Any = None) -> list[int]:
            if self.left is not None:
                if self.left < len(entries):
                    self.left = 0
                    raise Killed
                self.left -= len(entries)
            return await append(session, entries, texts=texts)

        self.service.append = append_some

    async def post(self, word: str) -> dict[str, Any]:
        """Posts a word."""
        self.posted[word] += 1
        await asyncio.sleep(0)
        return {"posted": word}

    async def run(self, *, kill_after: int | None, **what: Any) -> bool:
        """Runs, until an entry more than that would be stored; whether it came to its end."""
        self.left = kill_after
        model = SimulatedLlm(simulation={"Clerk": clerk}, words_per_second=0)
        events = self.runner.run_async(user_id="user", session_id="s", run_config=RunConfig(model=model), **what)
        try:
            async with aclosing(events):
                async for _ in events:
                    pass
        except (Killed, asyncio.CancelledError):
            return False
        finally:
            self.left = None
        return True

    async def session(self) -> Any:
        return await self.service.get_session(**APP, session_id="s")

    async def log(self) -> list[Any]:
        return await self.service.read_log(**APP, session_id="s")

    async def question(self) -> types.FunctionCall | None:
        """What the run waits for, if it does."""
        events = (await self.session()).events
        answered = {answer.id for event in events for answer in event.get_function_responses()}
        calls = [call for event in events for call in event.get_function_calls()]
        return next((call for call in calls if call.name == REQUEST_CONFIRMATION and call.id not in answered), None)

    async def go_on(self, *, confirmed: bool, kill_after: int | None) -> bool:
        """What a server does that finds the run: answers if it waits, else resumes it. Whether it came to its end."""
        events = (await self.session()).events
        last = (await self.log())[-1]
        asked = await self.question()
        if last.kind == "run_finished" and last.fields()["status"] == "paused" and asked is not None:
            answer = types.FunctionResponse(id=asked.id, name=asked.name, response={"confirmed": confirmed})
            message = types.Content(role="user", parts=[types.Part(function_response=answer)])
            return await self.run(kill_after=kill_after, new_message=message)
        return await self.run(kill_after=kill_after, invocation_id=events[-1].invocation_id)

    async def status(self) -> str:
        return (await self.service.summary(**APP, session_id="s")).status


def careful(word: str) -> bool:
    return word == "c"


def clerk(request: SimulatedRequest) -> Reply | str:
    """Posts a and b, then c, which is asked about, then says how many came."""
    done = len(request.tool_results())
    if done == 0:
        return Reply(calls=[("post", {"word": "a"}), ("post", {"word": "b"})])
    return Reply(calls=[("post", {"word": "c"})]) if done == 2 else f"{done} answers"


async def ended(stage: Stage, *, confirmed: bool, kills: list[int]) -> None:
    """Begins a run, kills it after so many entries each time, and lets it come to its end."""
    await stage.service.create_session(**APP, session_id="s")
    message = types.Content(role="user", parts=[types.Part(text="post")])
    left = [*kills]
    await stage.run(kill_after=left.pop(0) if left else None, new_message=message)
    for _ in range(12):
        if await stage.status() in ("completed", "failed", "idle"):
            return
        await stage.go_on(confirmed=confirmed, kill_after=left.pop(0) if left else None)
    raise AssertionError("it does not come to its end")


async def entries_of_a_whole_run(*, confirmed: bool) -> int:
    stage = Stage()
    await ended(stage, confirmed=confirmed, kills=[])
    assert stage.posted == ({"a": 1, "b": 1, "c": 1} if confirmed else {"a": 1, "b": 1})
    return len(await stage.log())


@pytest.mark.parametrize("then", [[], *([n] for n in range(1, 14)), *([1000, n] for n in range(1, 14))])
@pytest.mark.parametrize("confirmed", [False, True])
async def test_a_run_that_is_cut_off_makes_no_call_again_unasked(confirmed, then):
    for first in range(3, await entries_of_a_whole_run(confirmed=confirmed)):
        stage = Stage()
        await ended(stage, confirmed=confirmed, kills=[first, *then])
        events, kills = (await stage.session()).events, (first, then)
        asked = Counter(
            call.args["originalFunctionCall"]["args"]["word"]
            for event in events
            for call in event.get_function_calls()
            if call.name == REQUEST_CONFIRMATION
        )
        for word in "abc":
            most = (word != "c") + (asked[word] if confirmed else 0)
            assert stage.posted[word] <= most, (kills, stage.posted, asked)
        answers = Counter(answer.id for event in events for answer in event.get_function_responses())
        assert set(answers.values()) == {1}, kills
        assert events[-1].text == "3 answers", kills
        assert await stage.status() == "completed"
