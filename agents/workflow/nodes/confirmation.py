"""Nodes that the user must approve before they are run."""

from __future__ import annotations

from typing import Any, cast

from pydantic_core import to_jsonable_python

from agents.event import ToolConfirmation
from agents.workflow.context import Context
from agents.workflow.request_input import RequestInput

REJECTED = {"error": "This tool call is rejected."}
"""The output of a node that the user has rejected."""


def _question_of(ctx: Context) -> str:
    return f"wf_tool_confirmation:{ctx.node_path}"


def confirmation_in(ctx: Context) -> ToolConfirmation | None:
    """The user's answer; None before the question."""
    if (answer := ctx.resume_inputs.get(_question_of(ctx))) is None:
        return None
    given = {name: value for name, value in cast("dict[str, Any]", answer).items() if value is not None}
    return ToolConfirmation.model_validate(given)


def ask_to_confirm(ctx: Context, name: str, args: dict[str, Any], asked: ToolConfirmation | None = None) -> RequestInput:
    """The question whether a node may run with these arguments."""
    payload = {"tool_name": name, "args": to_jsonable_python(args, fallback=str)}
    if asked is not None and asked.payload is not None:
        payload["confirmation_payload"] = asked.payload
    message = (asked.hint if asked is not None else "") or f"Please approve or reject the tool call {name}()."
    return RequestInput(interrupt_id=_question_of(ctx), message=message, payload=payload, response_schema=ToolConfirmation)
