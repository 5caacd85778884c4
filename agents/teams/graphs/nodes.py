"""Nodes of a graph that need no code: a question to the user, and a choice by what the node before them gave."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any, cast

from google.genai import types
from pydantic import Field

from agents.event import Event
from agents.llm.instruction import filled_in
from agents.workflow import Context, RequestInput
from agents.workflow.nodes.base_node import BaseNode
from agents.workflow.values import text_of


class _RouteNode(BaseNode):
    """A node whose route is one of several words.

    Attributes:
        options: The words.
    """

    options: list[str] = Field(default_factory=list[str])

    @property
    def runs_others(self) -> bool:
        """See `BaseNode`."""
        return False

    def _route(self, said: Any) -> Any:
        """The word that was said, whatever its case and its full stop; else what was said."""
        if isinstance(said, bool | int) and not self.options:
            return said
        text = str(said).strip()
        word = text.rstrip(".!。！").casefold()
        return next((route for route in self.options if route.casefold() == word), text)


class QuestionNode(_RouteNode):
    """Asks the user. The answer is the node's output and its route; the input is shown with the question.

    Attributes:
        question: What is asked. {key} shows the value of a state key.
        options: The answers that are offered; none for any answer.
    """

    question: str = "What now?"

    async def _run_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        schema = {"type": "string", "enum": self.options} if self.options else None
        if not ctx.resume_inputs:
            question = await filled_in(self.question, ctx.get_invocation_context())
            shown = text_of(node_input) if isinstance(node_input, types.Content) else node_input
            yield RequestInput(message=question.text, payload=shown, response_schema=schema)
            return
        answer = next(iter(ctx.resume_inputs.values()))
        yield Event(output=answer, route=self._route(answer))

    def model_post_init(self, context: Any, /) -> None:
        """It is run again with the answer."""
        super().model_post_init(context)
        self.rerun_on_resume = True


class ChoiceNode(_RouteNode):
    """Makes a route of its input, which it passes on.

    Attributes:
        key: Which value of the input decides, where that is a mapping; empty: the input itself.
        options: The words that are looked for; none for any.
    """

    key: str = ""

    async def _run_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        given = text_of(node_input) if isinstance(node_input, types.Content) else node_input
        chosen = cast("dict[str, Any]", given).get(self.key, "") if self.key and isinstance(given, dict) else given
        yield Event(output=given, route=self._route(chosen))
