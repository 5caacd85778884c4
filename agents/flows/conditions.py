"""Conditions as data: a test of a text, of a state key or of an error. Nothing in them is evaluated.

A loop ends by them (`LoopAgent.until`), and a router chooses by them (`agents.flows.rules`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Self, cast

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field, model_validator

from agents.errors import ProviderError
from agents.event import Event
from agents.flows.pattern import matches
from agents.llm.model_call import ask_model
from agents.model import LlmRequest
from agents.runtime.invocation import InvocationContext

_WORDS = {True: ("true", "yes", "on"), False: ("false", "no", "off")}
"""What people write for a truth value, also where YAML reads it as one."""
_TESTS = {
    "equals": "equals",
    "contains": "contains",
    "matches": "is like",
    "at_least": "is at least",
    "at_most": "is at most",
}
_MOST_SHOWN = 60


class Condition(BaseModel):
    """A test of a text, of a state key or of an error. Case and white space around do not count.

    Attributes:
        agent: Only what this agent says or writes; "" for every agent of the loop.
        state: The state key whose value is tested instead of the text; "review.passed" is a field of a mapping.
        error: Whether it holds after an error only: its text is tested, unless `state` is given.
        equals: The value must be this.
        contains: The text must contain this; a list must have it as an item.
        matches: The whole text must be like this, where `*` stands for any text.
        at_least: The value must be a number, and not smaller.
        at_most: The same, and not larger.
        ask: A question about the text that the run's model answers with yes or no.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    agent: str = ""
    state: str = ""
    error: bool = False
    equals: bool | int | float | str | None = None
    contains: str | None = Field(default=None, min_length=1)
    matches: str | None = Field(default=None, min_length=1)
    at_least: float | None = Field(default=None, allow_inf_nan=False)
    at_most: float | None = Field(default=None, allow_inf_nan=False)
    ask: str = ""

    @model_validator(mode="after")
    def _has_one_test(self) -> Self:
        if len(self.tests) > 1:
            raise ValueError(f"a condition has one test, and this has {' and '.join(self.tests)}: write two conditions")
        if self.ask and (self.state or self.error):
            raise ValueError("ask is about the text: it does not go together with state or error")
        return self

    @property
    def tests(self) -> list[str]:
        """The names of its tests, of which there is one at most."""
        given = [name for name in _TESTS if getattr(self, name) is not None] + ["ask"] * bool(self.ask)
        return ["at_least"] if given == ["at_least", "at_most"] else given

    def __str__(self) -> str:
        """The condition in words, e.g. "verdict equals “good”"."""
        if self.ask:
            return f"“{_short(self.ask)}” is answered with yes"
        subject = self.state or ("the error" if self.error else "the text")
        told = [f"{words} “{_short(value)}”" for name, words in _TESTS.items() if (value := getattr(self, name)) is not None]
        usual = f"{subject} is set" if self.state else "an agent failed" if self.error else "always"
        return f"{subject} {' and '.join(told)}" if told else usual

    def fits(self, value: Any) -> bool:
        """Whether a value passes the test; without a test, whether it is set and is neither empty nor false."""
        if self.equals is not None:
            return _is_same(value, self.equals)
        if self.contains is not None:
            if isinstance(value, list):
                return any(_is_same(item, self.contains) for item in cast("list[object]", value))
            return _plain(self.contains) in _plain(value)
        if self.matches is not None:
            return matches(_plain(self.matches), _plain(value))
        if self.at_least is not None or self.at_most is not None:
            low, high = self.at_least, self.at_most
            number = _number(value)
            return number is not None and (low is None or number >= low) and (high is None or number <= high)
        return bool(value) and not _is_same(value, False)

    async def holds_after(self, event: Event, context: InvocationContext) -> bool:
        """Whether an event of a loop makes it true: by its text, by the state that it writes, or by its error."""
        if event.partial or (self.agent and event.author != self.agent):
            return False
        if self.error and not event.error_code:
            return False
        if self.state:
            written = event.actions.state_delta
            is_written = self.state in written or self.state.partition(".")[0] in written
            return is_written and self.fits(value_in(written, self.state))
        if self.error:
            return not self.tests or self.fits(f"{event.error_code} {event.error_message or ''}")
        text = event.final_text()
        if not text:
            return False
        return await is_yes(context, self.ask, text) if self.ask else self.fits(text)


def value_in(state: Mapping[str, Any], key: str) -> Any:
    """The value under a state key, or of a field of a mapping there, e.g. "review.passed"; None if there is none."""
    if (found := state.get(key)) is not None:
        return found
    first, *fields = key.split(".")
    value: Any = state.get(first)
    for name in fields:
        value = cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None
    return value


async def is_yes(context: InvocationContext, question: str, text: str) -> bool:
    """Asks the run's model a question about a text; False if the model fails or does not answer with yes."""
    return await choose(context, f"{question}\n\nAnswer with yes or no.", text, ["yes", "no"]) == "yes"


async def choose(context: InvocationContext, question: str, text: str, options: Sequence[str]) -> str | None:
    """Asks the run's model to choose one of some options.

    Args:
        context: The context of the agent that asks.
        question: What the model is told.
        text: What it is to judge.
        options: What it may answer.

    Returns:
        None if the model fails or answers with something else; the log has its call.

    Raises:
        ModelNotFoundError: The run has no model.
    """
    answer = {"type": "string", "enum": list(options)}
    request = LlmRequest(
        contents=[types.Content(role="user", parts=[types.Part(text=text or "(no text)")])],
        config=types.GenerateContentConfig(
            system_instruction=question,
            temperature=0,
            response_mime_type="application/json",
            response_json_schema={"type": "object", "properties": {"answer": answer}, "required": ["answer"]},
        ),
    )
    try:
        said = (await ask_model(context, request)).text
    except ProviderError:
        return None
    try:
        found: Any = json.loads(said)
        said = cast("dict[str, Any]", found).get("answer", "") if isinstance(found, dict) else str(found)
    except (ValueError, RecursionError):
        pass
    return next((option for option in options if _plain(option) == _plain(said).strip(" .!\"'")), None)


def _plain(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text.strip().casefold()


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _is_same(value: object, wanted: object) -> bool:
    if value is None:
        return False
    if isinstance(wanted, bool):
        return value is wanted or (isinstance(value, str) and _plain(value) in _WORDS[wanted])
    if not isinstance(wanted, str):
        return _number(value) == wanted
    if isinstance(value, bool):
        return _plain(wanted) in _WORDS[value]
    return _plain(value) == _plain(wanted) or (
        not isinstance(value, str) and (number := _number(value)) is not None and number == _number(wanted)
    )


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"
