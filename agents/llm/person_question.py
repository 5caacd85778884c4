"""A model call that the user answers: the question in the log, with all that the model would be sent, and its answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from google.genai import types
from pydantic import BaseModel, TypeAdapter

from agents.event import REQUEST_ANSWER, Event
from agents.llm.contents import IncludeContents
from agents.llm.tool_results import new_call_id
from agents.model import LlmRequest
from agents.runtime.confirmation import PersonAsked
from agents.runtime.invocation import InvocationContext

_SENT_APART = {"system_instruction", "tools", "labels", "response_schema", "response_json_schema"}


@dataclass(frozen=True, slots=True)
class Asking:
    """Which model call of an agent it is.

    Attributes:
        turn: Its number among those of the agent's turn, or among those of `ask_model`, from 1.
        select: The rule that selected the history; None if the question has to hold the messages.
        is_aside: Whether it is a call of `ask_model`.
    """

    turn: int
    select: IncludeContents | None
    is_aside: bool


def answer_of_person(
    context: InvocationContext, asking: Asking, request: LlmRequest, seconds: float | None
) -> Mapping[str, Any]:
    """The user's answer to a model call, from the log; see `CallObserver.ask_person`."""
    asked = _asked_before(context, asking)
    if asked is None:
        raise PersonAsked(_question(context, asking, request, seconds))
    if (answer := asked[1]) is None:
        raise PersonAsked(None)
    return answer


def _asked_before(context: InvocationContext, asking: Asking) -> tuple[str, Mapping[str, Any] | None] | None:
    """The question about this call since the agent began, by id, and its answer; None for what is not in the log."""
    if context.position is None:
        return None
    answers: dict[str | None, Mapping[str, Any]] = {}
    for event in reversed(context.session.events):
        if (event.seq or 0) <= context.position.since:
            break
        if event.branch != context.branch:
            continue
        for response in event.get_function_responses():
            if response.name == REQUEST_ANSWER:
                answers.setdefault(response.id, response.response or {})
        for call in event.get_function_calls():
            if call.name == REQUEST_ANSWER and event.author == context.agent_name and _is_about(call, asking):
                return call.id or "", answers.get(call.id)
    return None


def _is_about(call: types.FunctionCall, asking: Asking) -> bool:
    args = call.args or {}
    return (args.get("turn"), bool(args.get("aside"))) == (asking.turn, asking.is_aside)


def _question(context: InvocationContext, asking: Asking, request: LlmRequest, seconds: float | None) -> Event:
    call = types.FunctionCall(id=new_call_id(), name=REQUEST_ANSWER, args=_sent(context, asking, request, seconds))
    return Event(
        invocation_id=context.invocation_id,
        author=context.agent_name,
        branch=context.branch,
        content=types.Content(role="model", parts=[types.Part(function_call=call)]),
        long_running_tool_ids={call.id or ""},
    )


def _sent(context: InvocationContext, asking: Asking, request: LlmRequest, seconds: float | None) -> dict[str, Any]:
    """What the model would be sent: whole texts, tools with JSON schemas, and the history by the rule that selects it."""
    config, instruction = request.config, request.system_instruction
    sent: dict[str, Any] = {"model": request.model, "turn": asking.turn, "instruction": instruction}
    if asking.is_aside:
        sent["aside"] = True
    if asking.select is not None:
        sent["select"] = asking.select
    else:
        sent["contents"] = [content.model_dump(mode="json", exclude_none=True) for content in request.contents]
    if request.filled is not None and instruction.startswith(request.filled.text):
        sent["filled"] = [list(place) for place in request.filled.values]
    sent["tools"] = [_declared(tool) for tool in _declarations(config)]
    schema = config.response_schema or config.response_json_schema
    if schema is None and request.json_in_words:
        schema = getattr(context.agent, "output_schema", None)
    if schema is not None:
        sent["schema"] = _json_schema(schema)
    if settings := config.model_dump(mode="json", exclude_defaults=True, exclude=_SENT_APART):
        sent["settings"] = settings
    if seconds is not None:
        sent["seconds"] = seconds
    return json.loads(json.dumps(sent, ensure_ascii=False, default=str))


def _declarations(config: types.GenerateContentConfig) -> list[types.FunctionDeclaration]:
    tools: list[Any] = cast("Any", config).tools or []
    return [one for tool in tools if isinstance(tool, types.Tool) for one in tool.function_declarations or ()]


def _declared(tool: types.FunctionDeclaration) -> dict[str, Any]:
    parameters: Any = tool.parameters_json_schema
    if parameters is None:
        parameters = {} if tool.parameters is None else _json_schema(tool.parameters)
    return {"name": tool.name or "", "description": tool.description or "", "parameters": parameters}


def _json_schema(schema: Any) -> Any:
    if isinstance(schema, types.Schema):
        return schema.json_schema.model_dump(mode="json", exclude_none=True, by_alias=True)
    if isinstance(schema, dict):
        return cast("dict[str, Any]", schema)
    if isinstance(schema, BaseModel):
        return schema.model_dump(mode="json", exclude_none=True)
    return TypeAdapter(schema).json_schema()
