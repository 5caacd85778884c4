"""The rewriter of the arm *rewriting*: a model writes the whole text anew after each answer (arXiv 2510.04618, section 2.2).

The text is a playbook with a bullet a line. What a rewrite changes is submitted as operations, so that each line that is
lost can be seen.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import aclosing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from google.genai import types

from agents.ace.operations import MAX_BULLET_LENGTH, MAX_OPERATIONS, Add, DeltaBatch, Operation, Remove
from agents.ace.playbook import Playbook
from agents.ace.resolution import clean
from agents.errors import PlaygroundError
from agents.lab.task import Outcome, Task, Usage
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.connections import redact
from agents.models.simulated.request import AGENT_LABEL

REWRITER = "Rewriter"
"""The agent's name, for its costs and its simulation."""
SECTION = "notes"
MOST_LINES = 2000
"""Most lines of a text; further ones are lost."""

_TAG = re.compile(r"<(?=/?\s*(?:notes|question|answer|feedback|limits)\s*/?>)", re.IGNORECASE)
_FIELD = re.compile(r"\{(\w+)\}")
_MARKS = ("- ", "* ", "• ")
_LIMITS = "\n<limits>\n{}\n</limits>\n"


class Rewritten(NamedTuple):
    """A rewrite.

    Attributes:
        batches: The operations that make the new text of the old one, as JSON.
        usage: What the call used; its cost is not known yet.
        answered_by: The model that answered, if it says so.
        error: Why there is no new text; the old one stays.
    """

    batches: tuple[dict[str, Any], ...]
    usage: Usage
    answered_by: str | None = None
    error: str = ""


async def rewrite(model: BaseLlm, task: Task, outcome: Outcome, playbook: Playbook) -> Rewritten:
    """Has a model rewrite a text after an answer.

    Args:
        model: The model.
        task: The sample that was answered.
        outcome: The answer and its score.
        playbook: The text, a bullet a line.
    """
    return await written(model, _request(model, task, outcome, playbook), playbook)


async def written(
    model: BaseLlm, request: LlmRequest, playbook: Playbook, *, text_in: Callable[[str], str] = str
) -> Rewritten:
    """Has a model answer a request for a new text.

    Args:
        model: The model.
        request: The request.
        playbook: The old text.
        text_in: Takes the new text from an answer.
    """
    began = time.perf_counter()
    try:
        response = await _reply(model, request)
    except PlaygroundError as error:
        usage = Usage(calls=1, seconds=time.perf_counter() - began)
        return Rewritten((), usage, error=f"The text was not rewritten: {redact(str(error))}")
    used = response.usage_metadata
    usage = Usage(
        calls=1,
        input=(used.prompt_token_count or 0) if used else 0,
        output=((used.candidates_token_count or 0) + (used.thoughts_token_count or 0)) if used else 0,
        seconds=time.perf_counter() - began,
    )
    return Rewritten(tuple(batches_between(playbook, _lines(text_in(response.text)))), usage, response.model_version)


def text_of(playbook: Playbook) -> str:
    """The text as the rewriter reads and writes it."""
    return "\n".join(" ".join(bullet.content.split()) for bullet in playbook.bullets)


async def _reply(model: BaseLlm, request: LlmRequest) -> LlmResponse:
    async with aclosing(model.generate_content_async(request)) as responses:
        async for response in responses:
            if not response.partial:
                if response.error_code:
                    raise PlaygroundError(response.error_message or response.error_code)
                return response
    raise PlaygroundError(f"The model {model.model!r} ended without a text.")


def _request(model: BaseLlm, task: Task, outcome: Outcome, playbook: Playbook) -> LlmRequest:
    values = {
        "notes": text_of(playbook),
        "question": task.sample.question,
        "answer": outcome.answer,
        "feedback": feedback_on(task, outcome),
    }
    # The prompt is cut at its fields before they are filled, so that no text can name another field.
    parts = _FIELD.split(_prompt())
    text = "".join(_TAG.sub("‹", values[part]) if place % 2 else part for place, part in enumerate(parts))
    text += _LIMITS.format(task.limits) if task.limits else ""
    asked = types.Content(role="user", parts=[types.Part(text="Write the notes anew, as your instruction says.")])
    config = types.GenerateContentConfig(system_instruction=text, labels={AGENT_LABEL: REWRITER})
    return LlmRequest(model=model.model, contents=[asked], config=config)


def feedback_on(task: Task, outcome: Outcome) -> str:
    """What the rewriter is told of an answer."""
    match task.feedback:
        case "truth":
            truth = task.told or task.sample.truth
            return "None." if truth is None else f"The right answer is: {truth}"
        case "execution":
            return f"The check {'passed' if outcome.is_right else 'failed'}." if outcome.score is not None else "None."
        case "none":
            return "None."


@cache
def _prompt() -> str:
    return Path(__file__).with_name("rewriter.md").read_text(encoding="utf-8")


def _lines(text: str) -> list[str]:
    """The lines of a new text, each once, without signs of a list."""
    found: dict[str, None] = {}
    for line in text.splitlines():
        said = clean(line)
        for mark in _MARKS:
            said = said.removeprefix(mark).strip()
        if said and not said.startswith("```"):
            found[said[:MAX_BULLET_LENGTH]] = None
        if len(found) == MOST_LINES:
            break
    return list(found)


def batches_between(playbook: Playbook, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The operations from one text to another, in batches that the store takes.

    Args:
        playbook: The text, a bullet a line.
        lines: The lines of the other one.
    """
    wanted = dict.fromkeys(lines)
    there = {" ".join(bullet.content.split()): bullet.id for bullet in playbook.bullets}
    operations: list[Operation] = [Remove(bullet_id=id_) for line, id_ in there.items() if line not in wanted]
    operations += [Add(section=SECTION, content=line) for line in wanted if line not in there]
    for first in range(0, len(operations), MAX_OPERATIONS):
        some = operations[first : first + MAX_OPERATIONS]
        yield DeltaBatch(by="rewriter", reasoning="The text was written anew.", operations=some).model_dump(mode="json")
