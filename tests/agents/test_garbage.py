"""What an event leaves behind is freed at once: nothing that a run adds waits for the garbage collector."""

from __future__ import annotations

import gc
from collections import Counter

import pytest
from google.genai.types import ModelContent

from agents import InMemoryRunner, LlmAgent, LlmResponse, LoopAgent, ParallelAgent
from agents.errors import ProviderError
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import APP, USER, user

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("own_garbage")]


async def measured(place: str) -> dict[str, str]:
    """How high the water stands."""
    if place == "nowhere":
        raise ValueError(place)
    return {"place": place}


def loop(times: int) -> LoopAgent:
    model = ScriptedLlm(script=["Once more."] * times)
    return LoopAgent(name="loop", max_iterations=times, sub_agents=[LlmAgent(name="a", model=model)])


def parallel(times: int) -> ParallelAgent:
    agents = [LlmAgent(name=f"a{number}", model=ScriptedLlm(script=["Here."])) for number in range(times)]
    return ParallelAgent(name="all", sub_agents=agents)


def calling(times: int, place: str = "harbour") -> LlmAgent:
    script = [[call("measured", place=place)]] * times
    return LlmAgent(name="a", model=ScriptedLlm(script=[*script, "Done."]), tools=[measured])


def misled(times: int) -> LlmAgent:
    return calling(times, "nowhere")


def failing(times: int) -> LoopAgent:
    agent = LlmAgent(
        name="a",
        model=ScriptedLlm(script=[ProviderError] * times),
        on_model_error_callback=lambda **_: LlmResponse(content=ModelContent("Sorry.")),
    )
    return LoopAgent(name="loop", max_iterations=times, sub_agents=[agent])


async def garbage(tree) -> Counter[str]:
    """What of a run only the garbage collector can free, by type; the tree and the session are still in use."""
    runner = InMemoryRunner(tree, app_name=APP)
    await runner.session_service.create_session(app_name=APP, user_id=USER, session_id="s")
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        async for _event in runner.run_async(user_id=USER, session_id="s", new_message=user("Begin.")):
            pass
        gc.collect()
        kinds = [type(found) for found in gc.garbage]  # other threads leave things behind, too
        return Counter(kind.__name__ for kind in kinds if kind.__module__.startswith(("agents.", "google.genai.")))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("made", [loop, parallel, calling, failing, misled])
async def test_no_event_adds_to_the_garbage(made):
    assert await garbage(made(12)) == await garbage(made(2))
