"""Every pipeline answers a message or a model's answer of any kind in linear time, without an error, and shortly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from time import process_time

import pytest
from google.genai import types

from agents import BaseLlm, LlmRequest
from agents.config import MAX_MESSAGE_BYTES
from agents.errors import PlaygroundError
from agents.model import LlmResponse
from tests.agents.pipelines.rehearsal import CATALOG
from tests.agents.pipelines.visit import Visit
from tests.agents.stage import Play

SIZE = MAX_MESSAGE_BYTES // 4
"""Characters of a message. A quadratic pattern costs 0.1 to 3 s here, a whole run of most pipelines 20 ms."""
ANSWER = 100_000
"""Characters of a model's answer."""
NOT_WORTH_A_RATIO = 0.005
"""Seconds of CPU for each entry of the log, below which a run is taken to be linear."""
STEEPEST = 3.0
"""Cost of the whole over the cost of half: 2 is linear, 4 is quadratic."""

FILLERS = (
    *(" ", "\n", "`", "[", '"', "“", "-", "0", "- a\n", "\u0301\u0316"),
    *("a ", "a, ", "a", "1 ", "add ", "and ", "add milk to b. ", "中"),
)
FILLERS_OF_COMMANDS = (" ", "`", "“", ",", "-", "0", "a ", "to ")
FILLERS_OF_ANSWERS = (" ", "\n", "`", "[", '"', "{", "0", "a ", "- a\n", "1. Add “")
PIPELINES = CATALOG.names()
SAMPLES = {name: CATALOG.get(name).card.samples[0] for name in PIPELINES}
SETTINGS = {"banana_painter": {"unsteadiness": 0}}
"""Painting is what costs there: once is enough."""


class Parrot(BaseLlm):
    """A model that always answers the same text."""

    model: str = "parrot"
    answer: str

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=self.answer)]), stop_reason="end_turn")


def filled(unit: str, size: int) -> str:
    return unit * (size // len(unit))


def framed(sample: str, unit: str, size: int) -> str:
    """The words of a command, then nothing but filler, then the words again."""
    return f"{sample} {filled(unit, size)} {sample}"


def visited(pipeline: str, message: str, model: BaseLlm | None = None) -> tuple[Play, float]:
    """What a run leaves behind, and what an event of it costs in seconds of CPU: loops differ in their passes."""
    visit = Visit(pipeline, model=model)
    settings = {visit.card.message_key: message} if visit.card.message_key else {}
    runs: list[Play] = []

    async def keep() -> None:  # what a task returns is shown by `asyncio.run` in full, to nobody
        runs.append(await visit.say(message, **settings, **SETTINGS.get(pipeline, {})))

    begin = process_time()
    asyncio.run(keep())
    (run,) = runs
    return run, (process_time() - begin) / len(run.log)


def assert_linear(pipeline: str, half: str, whole: str, *, answers: bool = False) -> Play:
    """Fails if `whole` costs far more than twice of `half`, as a message or as each of a model's answers; gives its run."""

    def read(text: str) -> tuple[Play, float]:
        return visited(pipeline, SAMPLES[pipeline], Parrot(answer=text)) if answers else visited(pipeline, text)

    run, cost = read(whole)
    if cost > NOT_WORTH_A_RATIO:
        most = max(NOT_WORTH_A_RATIO, STEEPEST * min(read(half)[1] for _ in range(2)))
        for _ in range(3):  # measured again where it is too much: other work on the machine only adds
            cost = cost if cost < most else min(cost, read(whole)[1])
        assert cost < most, f"{whole[:30]!r}…: {cost * 1000:.0f} ms"
    return run


def said(run: Play) -> int:
    """Characters of all that the agents said and called tools with."""
    calls = sum(len(str(call.args)) for event in run.events for call in event.get_function_calls())
    return calls + sum(len(text) for _, text in run.texts)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_a_message_of_one_thing_again_and_again_is_answered_in_linear_time(pipeline):
    for unit in FILLERS:
        run = assert_linear(pipeline, filled(unit, SIZE // 2), filled(unit, SIZE))
        assert run.error is None, repr(unit)
        assert 0 < said(run) < 2 * SIZE, repr(unit)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_a_command_with_filler_in_it_is_answered_in_linear_time(pipeline):
    sample = SAMPLES[pipeline]
    for words, unit in [("a", " "), *((sample, unit) for unit in FILLERS_OF_COMMANDS)]:
        run = assert_linear(pipeline, framed(words, unit, SIZE // 2), framed(words, unit, SIZE))
        assert run.error is None, repr(unit)
        assert 0 < said(run) < 3 * SIZE, repr(unit)


@pytest.mark.parametrize(
    ("pipeline", "head"), [*((name, "") for name in PIPELINES), ("code_refinement", "```python\n"), ("planning_mode", "1. ")]
)
def test_a_model_that_answers_one_thing_again_and_again_is_read_in_linear_time(pipeline, head):
    for unit in FILLERS_OF_ANSWERS:
        half, whole = head + filled(unit, ANSWER // 2), head + filled(unit, ANSWER)
        run = assert_linear(pipeline, half, whole, answers=True)
        assert run.error is None or isinstance(run.error, PlaygroundError), repr(unit)
