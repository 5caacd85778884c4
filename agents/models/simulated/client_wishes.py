"""What a client asks beside the pipeline's own: the simulated model does it by the form alone, as a stand-in would.

A pipeline's simulation knows nothing of a client's functions and schema.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from google.genai import types

from agents.model import LlmRequest
from agents.models.openai_compatible.tool_protocol import parameters_of
from agents.models.simulated.placeholders import Placeholders
from agents.models.simulated.reply import Reply
from agents.models.simulated.request import SimulatedRequest
from agents.models.simulated.word_overlap import words_in

FINAL_ANSWER = "final_answer"
MARK = "[simulated]"


def call_for_client(request: SimulatedRequest, sent: LlmRequest) -> Reply | None:
    """A call of a client's function: one that has to be called, or one whose words are in the message; None for none."""
    calling = sent.config.tool_config and sent.config.tool_config.function_calling_config
    is_forced = calling is not None and calling.mode is types.FunctionCallingConfigMode.ANY
    called = {result.name for result in request.tool_results()}
    asked = words_in(request.last_user_text())
    for tool in _clients(request, sent):
        fits = tool.name not in called and asked & words_in(f"{tool.name} {tool.description}")
        if is_forced or fits:
            made: Any = Placeholders(request.last_user_text()).fill(parameters_of(tool))
            return Reply(calls=[(tool.name or "", cast("dict[str, Any]", made) if isinstance(made, dict) else {})])
    return None


def fitted_to_client(reply: Reply, request: SimulatedRequest, sent: LlmRequest) -> Reply:
    """The simulation's reply with what the client's functions gave, and in the client's schema."""
    if reply.calls:
        return reply
    names = {tool.name for tool in _clients(request, sent)}
    given = [result for result in request.tool_results() if result.name in names]
    told = "".join(f"\n\n{result.name}: {json.dumps(result.response, ensure_ascii=False)}" for result in given)
    schema = sent.client_schema
    if not told and schema is None:
        return reply
    whole = _object_in(reply.text)
    if whole is None or not isinstance(answer := whole.get(FINAL_ANSWER), str):
        text = reply.text + told
        return replace(reply, text=text if schema is None else _json(Placeholders(text, mark=MARK).fill(schema)))
    final = schema["properties"][FINAL_ANSWER] if schema is not None else {"type": "string"}
    if final.keys() <= {"type", "description"} and final.get("type") == "string":
        return replace(reply, text=_json({**whole, FINAL_ANSWER: answer + told}))
    definitions = {key: schema.get(key, {}) for key in ("$defs", "definitions")} if schema is not None else {}
    filled = Placeholders(answer + told, mark=MARK).fill({**final, **definitions})
    return replace(reply, text=_json({**whole, FINAL_ANSWER: filled}))


def _clients(request: SimulatedRequest, sent: LlmRequest) -> list[types.FunctionDeclaration]:
    return [tool for tool in request.tools if getattr(sent.tools_dict.get(tool.name or ""), "is_clients", False)]


def _object_in(text: str) -> dict[str, Any] | None:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, Mapping) else None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
