"""What a client of the playground asks of the agent that answers it: functions of its own, a schema, settings, a text.

The client runs its functions itself: a call of one pauses the run, and the client's result is the answer that resumes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from google.genai import types

from agents.flows.plugins import BasePlugin
from agents.model import JSON_IN_WORDS, LlmRequest
from agents.models.openai_compatible.format import answer_schema
from agents.runtime.context import CallbackContext, ToolContext
from agents.tool import BaseTool

FINAL_ANSWER = "final_answer"
"""The field of an agent's own schema that holds what it answers, where its other fields are for other agents."""


@dataclass(frozen=True, slots=True)
class ClientFunction:
    """A function of the client.

    Attributes:
        name: What the model calls it by.
        description: What the model reads to decide.
        parameters: The JSON schema of its arguments, an object.
    """

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """What a client asks. Plain data: it goes to worker processes too.

    Attributes:
        instruction: Is added to the agent's own.
        functions: What the client can do.
        must_call: Whether one of `functions` has to be called, and nothing said; with one function, that one.
        schema: The JSON schema that the answer has to fit; None for a text.
        settings: Fields of `GenerateContentConfig`, e.g. `temperature`.
    """

    instruction: str = ""
    functions: tuple[ClientFunction, ...] = ()
    must_call: bool = False
    schema: Mapping[str, Any] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])


class ClientTool(BaseTool):
    """A function that the client runs."""

    is_clients: ClassVar[bool] = True

    def __init__(self, function: ClientFunction) -> None:
        description = function.description or f"A function of the program that asks: {function.name}."
        super().__init__(name=function.name, description=description, is_long_running=True)
        self._parameters = dict(function.parameters)

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._parameters
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> None:
        """Returns nothing: the run pauses until the client sends the result."""


class ClientPlugin(BasePlugin):
    """Gives the agents that answer what the client asks, at each of their model calls.

    Args:
        asked: What the client asks.
        agents: The names of the agents that answer, see `agents.pipeline.answering`.
    """

    def __init__(self, asked: ClientRequest, agents: frozenset[str]) -> None:
        super().__init__("client_request")
        self._asked, self._agents = asked, agents
        self._tools = [ClientTool(function) for function in asked.functions]

    async def before_model_callback(self, *, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        """Changes the request of an agent that answers."""
        if callback_context.agent_name not in self._agents:
            return
        asked, config = self._asked, llm_request.config
        llm_request.config = config = config.model_copy(update=dict(asked.settings))
        if asked.instruction:
            llm_request.append_instructions([asked.instruction])
        if asked.must_call and self._tools:
            config.tools = None
            calling = types.FunctionCallingConfig(
                mode=types.FunctionCallingConfigMode.ANY, allowed_function_names=[tool.name for tool in self._tools]
            )
            config.tool_config = types.ToolConfig(function_calling_config=calling)
        llm_request.append_tools([tool for tool in self._tools if tool.name not in llm_request.tools_dict])
        if asked.schema is not None and not asked.must_call:
            _ask_for(llm_request, _whole_schema(llm_request, asked.schema))


def _whole_schema(request: LlmRequest, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of the agent's answer: the client's, as the final answer of the agent's own schema if it has one."""
    own = answer_schema(request.config)
    if own is None or FINAL_ANSWER not in own.get("properties", {}):
        return dict(wanted)
    described = own["properties"][FINAL_ANSWER].get("description")
    inner = {key: value for key, value in wanted.items() if key not in ("$defs", "definitions", "$schema")}
    inner = {**({"description": described} if described else {}), **inner}
    definitions = {key: {**own.get(key, {}), **wanted.get(key, {})} for key in ("$defs", "definitions")}
    required = [*dict.fromkeys([*own.get("required", ()), FINAL_ANSWER])]
    return {
        **own,
        "properties": {**own["properties"], FINAL_ANSWER: inner},
        "required": required,
        **{key: found for key, found in definitions.items() if found},
    }


def _ask_for(request: LlmRequest, schema: dict[str, Any]) -> None:
    """Constrains the answer; beside tools in words only, since not every model takes both."""
    config = request.config
    config.response_schema, request.client_schema = None, schema
    if request.tools_dict:
        config.response_json_schema = config.response_mime_type = None
        request.json_in_words = True
        request.append_instructions([f"{JSON_IN_WORDS}{json.dumps(schema, ensure_ascii=False)}"])
        return
    config.response_json_schema, config.response_mime_type = cast("Any", schema), "application/json"
