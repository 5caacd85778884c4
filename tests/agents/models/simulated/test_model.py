from __future__ import annotations

import math

import pytest
from google.genai import types

from agents.errors import ProviderError
from agents.models.simulated.model import Reply, SimulatedLlm
from tests.agents.models.providers import ask, request

pytestmark = pytest.mark.anyio


def model(simulation):
    return SimulatedLlm(simulation={"agent": simulation}, words_per_second=0)


async def test_it_says_that_it_is_simulated():
    assert SimulatedLlm().simulated
    assert SimulatedLlm().model == "simulated"


@pytest.mark.parametrize("reply", ["Yes.", Reply("Yes.", calls=[("look", {})], thought="Hm.")])
async def test_every_answer_says_that_it_is_simulated(reply):
    (whole,) = await ask(model(lambda _: reply))
    *pieces, streamed = await ask(model(lambda _: reply), stream=True)

    assert whole.custom_metadata == streamed.custom_metadata == {"simulated": True}
    assert whole.custom_metadata is not streamed.custom_metadata, "whoever is given it may add to it"
    assert not any(piece.custom_metadata for piece in pieces)
    assert (await ask(SimulatedLlm(words_per_second=0)))[-1].custom_metadata == {"simulated": True}


async def test_a_refusal_is_marked_with_what_can_be_sent_instead():
    (whole,) = await ask(model(lambda _: Reply("I cannot.", examples=("Roll 3d6", "Roll 2d10"))))

    assert whole.custom_metadata == {"simulated": True, "refusal": {"examples": ["Roll 3d6", "Roll 2d10"]}}


async def test_the_simulation_is_that_of_the_agent_that_asks():
    both = SimulatedLlm(simulation={"agent": lambda _: "mine", "other": lambda _: "theirs"}, words_per_second=0)

    assert (await ask(both))[-1].text == "mine"
    assert (await ask(both, request(labels={"adk_agent_name": "other"})))[-1].text == "theirs"


async def test_a_simulation_reads_what_is_sent():
    def simulation(asked):
        return f"{asked.agent_name}|{asked.instruction}|{asked.last_user_text()}|{[tool.name for tool in asked.tools]}"

    tool = types.Tool(function_declarations=[types.FunctionDeclaration(name="look")])
    (whole,) = await ask(model(simulation), request("Paint it.", tools=[tool]))

    assert whole.text == "agent|Answer.|Paint it.|['look']"


async def test_its_task_is_not_who_it_is():
    about = 'You are an agent. Your internal name is "physicist". The description about you is "Knows the sky.".'

    (named,) = await ask(SimulatedLlm(words_per_second=0), request("Why?", system_instruction=about))
    (tasked,) = await ask(SimulatedLlm(words_per_second=0), request("Why?", system_instruction=f"{about}\n\nExplain."))

    assert "Its task reads" not in named.text
    assert "Its task reads: Explain." in tasked.text


async def test_for_an_agent_without_a_simulation_a_stand_in_answers_from_its_request():
    asked = request(
        "Why is the sky blue? Be short.",
        labels={"adk_agent_name": "physicist"},
        system_instruction="Explain things. Do it well.",
    )

    (whole,) = await ask(SimulatedLlm(words_per_second=0), asked)

    assert whole.text == (
        "[stand-in: physicist 1.1] No model was asked, and nothing was understood.\n"
        "Its task reads: Explain things.\nIt was asked:\n> Why is the sky blue? Be short.\n"
        "Choose a real model for a real answer."
    )
    assert whole.stop_reason == "end_turn"


async def test_for_an_agent_without_name_instruction_or_message_too():
    asked = request(labels=None, system_instruction=None)
    asked.contents.clear()

    (whole,) = await ask(SimulatedLlm(words_per_second=0), asked)

    assert whole.text.startswith("[stand-in: agent 1.1] No model was asked")


async def test_a_simulation_that_raises_is_named():
    def simulation(_asked):
        return {}["missing"]

    with pytest.raises(ProviderError, match=r"simulation of the agent 'agent' failed with KeyError: 'missing'") as raised:
        await ask(model(simulation))

    assert isinstance(raised.value.__cause__, KeyError)


async def test_a_simulation_that_answers_with_something_else_is_named():
    with pytest.raises(ProviderError, match=r"'agent' answered with int.*Reply"):
        await ask(model(lambda _: 3))


async def test_tokens_are_estimated_from_the_words():
    (whole,) = await ask(model(lambda _: Reply("one two three", thought="four five six")), request("a b c d e"))

    usage = whole.usage_metadata
    assert usage.prompt_token_count == math.ceil(6 * 4 / 3)  # five words and one of the instruction
    assert (usage.candidates_token_count, usage.thoughts_token_count) == (4, 4)
    assert usage.total_token_count == 16


@pytest.mark.parametrize(
    ("limit", "thought", "text"), [(8, "a b c", "d e f"), (7, "a b c", "d e"), (4, "a b c", ""), (2, "a", ""), (1, "", "")]
)
async def test_it_keeps_to_max_output_tokens_thoughts_included(limit, thought, text):
    reply = Reply("d e f", calls=[("look", {})], thought="a b c")

    *pieces, whole = await ask(model(lambda _: reply), request(max_output_tokens=limit), stream=True)

    said = {"thought": "".join(part.text for part in whole.parts if part.thought), "text": whole.text}
    assert said == {"thought": thought, "text": text}
    assert whole.stop_reason == ("tool_use" if limit == 8 else "max_tokens")
    assert bool(whole.get_function_calls()) == (limit == 8)
    assert "".join(part.text for piece in pieces for part in piece.parts) == thought + text


async def test_the_speed_is_that_of_the_environment_unless_given(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "fast")
    with pytest.raises(ValueError, match="PLAYGROUND_SIMULATED_SPEED"):
        await ask(SimulatedLlm())
    assert await ask(SimulatedLlm(words_per_second=0))


async def test_a_speed_that_is_no_speed_is_refused():
    for speed in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="words_per_second"):
            SimulatedLlm(words_per_second=speed)
