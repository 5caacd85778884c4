"""`LoggingPlugin`: what it prints."""

from __future__ import annotations

import pytest

from agents import InMemoryRunner, LlmAgent, LoggingPlugin, ReflectAndRetryToolPlugin
from agents.errors import ProviderError
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import user

pytestmark = pytest.mark.anyio


def look(n: int) -> dict:
    """Looks."""
    if n > 9:
        raise ValueError("too far")
    return {"seen": n}


async def run(*script, message="go", plugins=None):
    agent = LlmAgent(name="Ada", model=ScriptedLlm(script=script), tools=[look])
    runner = InMemoryRunner(agent, app_name="play", plugins=plugins or [LoggingPlugin()])
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s")
    async for _ in runner.run_async(user_id="u", session_id="s", new_message=user(message)):
        pass


def titles(out):
    lines = [line.removeprefix("\033[90m[logging_plugin] ").removesuffix("\033[0m") for line in out.splitlines()]
    return [line.split(" ", 1)[1] for line in lines if not line.startswith(" ")]


async def test_every_step_is_printed_in_order(capsys):
    await run([call("look", n=1)], "Done.")
    assert titles(capsys.readouterr().out) == [
        *("USER MESSAGE RECEIVED", "INVOCATION STARTING", "AGENT STARTING"),
        *("LLM REQUEST", "LLM RESPONSE", "EVENT YIELDED"),
        *("TOOL STARTING", "TOOL COMPLETED", "EVENT YIELDED"),
        *("LLM REQUEST", "LLM RESPONSE", "EVENT YIELDED"),
        *("AGENT COMPLETED", "INVOCATION COMPLETED"),
    ]


async def test_a_tools_error_is_printed_with_its_arguments(capsys):
    await run([call("look", n=10)], "Done.")
    out = capsys.readouterr().out
    assert "TOOL ERROR" in out
    assert "ValueError: too far" in out
    assert "{'n': 10}" in out


@pytest.mark.parametrize("is_first", [True, False])
async def test_an_error_that_another_plugin_answered_is_printed_once(capsys, is_first):
    plugins = [LoggingPlugin(), ReflectAndRetryToolPlugin()]
    await run([call("look", n=10)], "Done.", plugins=plugins if is_first else plugins[::-1])
    said = titles(capsys.readouterr().out)
    assert (said.count("TOOL ERROR"), said.count("TOOL COMPLETED")) == (1, 0)


async def test_a_models_error_is_printed(capsys):
    with pytest.raises(ProviderError):
        await run(ProviderError("quota"))
    assert titles(capsys.readouterr().out)[-2:] == ["LLM ERROR", "INVOCATION FAILED"]


async def test_texts_cannot_steer_the_terminal(capsys):
    await run("a\033[2Jb\nc", message="x" * 1000)
    out = capsys.readouterr().out
    assert r"content: a\x1b[2Jb\nc" in out
    assert "x" * 300 + "…" in out
    assert "x" * 301 not in out
