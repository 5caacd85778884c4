"""Planners: how an agent's model is made to plan before it acts. Names and arguments are those of ADK for Python."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from google.genai import types

if TYPE_CHECKING:
    from agents.model import LlmRequest
    from agents.runtime.context import CallbackContext, ReadonlyContext

PLANNING_TAG = "/*PLANNING*/"
REPLANNING_TAG = "/*REPLANNING*/"
REASONING_TAG = "/*REASONING*/"
ACTION_TAG = "/*ACTION*/"
FINAL_ANSWER_TAG = "/*FINAL_ANSWER*/"

_THOUGHT_TAGS = (PLANNING_TAG, REASONING_TAG, ACTION_TAG, REPLANNING_TAG)
_TAGS = (*_THOUGHT_TAGS, FINAL_ANSWER_TAG)
_TAG = re.compile("|".join(map(re.escape, _TAGS)))
_LONGEST_TAG = max(map(len, _TAGS))


class PlanStream:
    """The streamed pieces of one answer. Text after a tag, up to the final answer's, becomes a thought; tags are left out.

    The end of a piece is held back while it may be the start of a tag. What is still held back when the answer ends is shown
    with the whole.
    """

    def __init__(self) -> None:
        self._held = ""
        self._plans = False
        self._is_models_thought = False

    def read(self, parts: Iterable[types.Part]) -> list[types.Part]:
        """The parts of the next piece as they are shown; [] if all of it is held back."""
        shown: list[types.Part] = []
        for part in parts:
            if not part.text:
                if part.text is None:  # a tool call, for example: the text before it is complete
                    shown += self._end()
                shown.append(part)
                continue
            if bool(part.thought) is not self._is_models_thought:
                shown += self._end()
                self._is_models_thought = bool(part.thought)
            shown += self._read(part.text)
        return shown

    def _read(self, text: str) -> list[types.Part]:
        text, at = self._held + text, 0
        shown: list[types.Part] = []
        for tag in _TAG.finditer(text):
            shown += self._part(text[at : tag.start()])
            self._plans, at = tag[0] != FINAL_ANSWER_TAG, tag.end()
        sure = len(text) - _start_of_tag(text[max(at, len(text) - _LONGEST_TAG) :])
        self._held = text[sure:]
        return [*shown, *self._part(text[at:sure])]

    def _end(self) -> list[types.Part]:
        """The text that was held back, since it is no tag. The text that follows is another one."""
        shown = self._part(self._held)
        self._held, self._plans = "", False
        return shown

    def _part(self, text: str) -> list[types.Part]:
        if not text:
            return []
        return [types.Part(text=text, thought=True if self._plans or self._is_models_thought else None)]


class BasePlanner(ABC):
    """Adds an instruction to an agent's requests, and reads the answers that follow it."""

    @abstractmethod
    def build_planning_instruction(self, readonly_context: ReadonlyContext, llm_request: LlmRequest) -> str | None:
        """The instruction to add to a request; None for none."""

    @abstractmethod
    def process_planning_response(
        self, callback_context: CallbackContext, response_parts: list[types.Part]
    ) -> list[types.Part] | None:
        """The parts of an answer to keep; None keeps them unchanged."""

    def planning_stream(self) -> PlanStream | None:
        """Reads the streamed pieces of one answer; None keeps them unchanged."""
        return None


class BuiltInPlanner(BasePlanner):
    """The model's own thinking.

    Args:
        thinking_config: Sent with each request, in place of the one in `generate_content_config`.
    """

    def __init__(self, *, thinking_config: types.ThinkingConfig) -> None:
        self.thinking_config = thinking_config

    def apply_thinking_config(self, llm_request: LlmRequest) -> None:
        """Puts the setting into a request."""
        llm_request.config.thinking_config = self.thinking_config

    def build_planning_instruction(self, readonly_context: ReadonlyContext, llm_request: LlmRequest) -> str | None:
        """None: the model needs no instruction for it."""
        return None

    def process_planning_response(
        self, callback_context: CallbackContext, response_parts: list[types.Part]
    ) -> list[types.Part] | None:
        """None: the model marks its thoughts itself."""
        return None


class PlanReActPlanner(BasePlanner):
    """Makes a model write a plan first, reason between its tool calls, and mark its final answer.

    Text under a planning, reasoning or action tag becomes a thought; text under the final-answer tag is the answer. Tags
    are left out of both.
    """

    def build_planning_instruction(self, readonly_context: ReadonlyContext, llm_request: LlmRequest) -> str:
        """The instruction that explains the tags."""
        return _INSTRUCTION

    def process_planning_response(
        self, callback_context: CallbackContext, response_parts: list[types.Part]
    ) -> list[types.Part] | None:
        """Thoughts, answer and the first calls in a row; what follows those is dropped."""
        kept: list[types.Part] = []
        calls: list[types.Part] = []
        for part in response_parts:
            if part.function_call is not None:
                if part.function_call.name:
                    calls.append(part)
            elif calls:
                break
            else:
                kept.extend(_read(part))
        return [*kept, *calls] or None

    def planning_stream(self) -> PlanStream:
        """Does the same with the pieces while they stream."""
        return PlanStream()


def _start_of_tag(text: str) -> int:
    """How many characters at the end of `text` may be the start of a tag."""
    sizes = range(min(len(text), _LONGEST_TAG - 1), 0, -1)
    return next((size for size in sizes if any(tag.startswith(text[-size:]) for tag in _TAGS)), 0)


def _read(part: types.Part) -> Sequence[types.Part]:
    text = part.text or ""
    reasoning, tag, answer = text.rpartition(FINAL_ANSWER_TAG)
    if tag:
        thought = _without_tags(reasoning)
        thoughts = [types.Part(text=thought, thought=True)] if thought else []
        return [*thoughts, types.Part(text=answer)] if answer else thoughts
    if text.startswith(_THOUGHT_TAGS):
        return [part.model_copy(update={"text": _without_tags(text), "thought": True})]
    return [part]


def _without_tags(text: str) -> str:
    for tag in _TAGS:
        text = text.replace(tag, "")
    return text


_INSTRUCTION = f"""\
Work in three steps. (1) Plan: write down how you will answer. (2) Act: call tools to carry out the plan, and between the \
calls reason about what they returned and what comes next. (3) Answer: give one final answer. Prefer what tools return to \
what you remember, and what is already in this conversation to another call.

Write each part under its tag:
{PLANNING_TAG} The plan: a numbered list of steps that together answer all of the question. Each step uses one or more of \
the tools that you have, and no others.
{REPLANNING_TAG} A new plan, where the first one turned out not to work. Go on with it.
{ACTION_TAG} A tool call. Use only parameters that the tool declares.
{REASONING_TAG} What is known by now, from the question and from what the tools returned, and the next step.
{FINAL_ANSWER_TAG} The final answer: precise, and in the form that was asked for. If the question cannot be answered with \
what you have, say why, and ask for what is missing."""
