"""An agent as a tool: another agent's model calls it with a request and gets its answer.

The agent works in a conversation of its own inside the caller's session.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from contextlib import aclosing
from itertools import chain, count, islice
from typing import Any, ClassVar, cast

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from agents.agent import BaseAgent
from agents.errors import ToolError
from agents.event import Event
from agents.history.branches import TOOL_MARK
from agents.runtime.context import InvocationContext, StreamingMode, ToolContext
from agents.runtime.output import explain_misfit, parse_answer
from agents.runtime.position import Frame
from agents.tool import BaseTool, BaseToolset
from agents.tools.function import explain_arguments, parameters_in

_HASH_LENGTH = 6
_MOST_BRANCHES = 10
"""Branches among which a paused call is looked for."""


class _Request(BaseModel):
    """The arguments of an agent without an `input_schema`."""

    model_config = ConfigDict(extra="forbid")

    request: str = Field(description="All that the agent needs to know: it does not see this conversation.")


class _Schema(GenerateJsonSchema):
    """Leaves out the titles of fields: they repeat the names, and every token is sent."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


class AgentTool(BaseTool):
    """An agent that a model may call like a function.

    Its parameters are the fields of the agent's `input_schema`, or `request`, a text. The answer is the last text that it
    ends with, read as JSON where the agent that said it has an `output_schema`, and the images and files beside it.

    The agent runs in the caller's session, on a branch of its own: it sees only the request, the caller's
    model sees only the answer, and the user sees everything. State is the session's: the agent's writes take effect at
    once and stay. Its model calls count for the whole run. It cannot end anything outside: an escalation ends no loop
    around the caller, and `end_invocation` ends this call alone. It cannot wait for the user's answer to a call of its own
    tools; use a sub-agent for that. Where the user answers as its model, it waits, and this call with it.

    Args:
        agent: Any agent, also one that runs others. Its name and description are the tool's.
        skip_summarization: Whether the agent's answer is the caller's too, without another call of the caller's model.
        include_plugins: Has no effect: plugins are asked for every agent.
        propagate_grounding_metadata: Has no effect: the agent's events are in the session, with their sources.
    """

    answers_in_words: ClassVar[bool] = True
    _may_wait: ClassVar[bool] = False
    _mark: ClassVar[str] = TOOL_MARK

    def __init__(
        self,
        agent: BaseAgent,
        skip_summarization: bool = False,
        *,
        include_plugins: bool = True,
        propagate_grounding_metadata: bool = False,
    ) -> None:
        super().__init__(name=agent.name, description=agent.description)
        self.agent = agent
        self.skip_summarization = skip_summarization
        schema = _input_schema_of(agent)
        self._takes_text = schema is None
        self._arguments: TypeAdapter[Any] = TypeAdapter(_Request if schema is None else schema)
        parameters = self._arguments.json_schema(schema_generator=_Schema)
        self._declaration = types.FunctionDeclaration(
            name=self.name,
            description=self.description,
            parameters_json_schema=parameters_in(parameters),
        )

    def _get_declaration(self) -> types.FunctionDeclaration:
        return self._declaration.model_copy()

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        """Runs the agent on the request that `args` are; see `BaseTool.run_async`.

        Raises:
            ToolError: The agent failed, or would have to wait for an answer.
            Exception: What the agent raised.
        """
        try:
            given = self._arguments.validate_python(args)
        except ValidationError as error:
            return {"error": self._explain(error)}
        caller = tool_context._invocation_context  # pyright: ignore[reportPrivateUsage]  only agents are given it whole
        call_id = tool_context.function_call_id or str(uuid.uuid4())
        stood = caller.paused_in(islice(self._branches(caller, call_id), _MOST_BRANCHES))
        context = caller.apart(
            update={
                "branch": self._own_branch(caller, call_id) if stood is None else stood.branch,
                "run_config": caller.run_config.model_copy(update={"streaming_mode": StreamingMode.NONE}),
            },
            resumed=stood,
            may_pause=self._may_wait,
        )
        await self._give(given, context, stood)
        answer = await self._answer_in(context, stood, tool_context)
        if context.waits_for_person or (context.paused and context.may_pause):
            tool_context.waits_for_person = True
            caller.wait_for_person()
            return None
        if self.skip_summarization:
            tool_context.actions.skip_summarization = True
        return self._result(answer, context)

    def _own_branch(self, caller: InvocationContext, call_id: str) -> str:
        """An unused branch below the caller's: some models restart their call ids in each answer."""
        taken = {event.branch for event in caller.session.events}
        return next(branch for branch in self._branches(caller, call_id) if branch not in taken)

    def _branches(self, caller: InvocationContext, call_id: str) -> Iterator[str]:
        """The branches that a call may have."""
        above = f"{caller.branch}." if caller.branch else ""
        for seed in chain([call_id], (f"{call_id}#{n}" for n in count(1))):
            yield f"{above}{self.name}{self._mark}{hashlib.sha256(seed.encode()).hexdigest()[:_HASH_LENGTH]}"

    async def _give(self, given: Any, context: InvocationContext, stood: Frame | None) -> None:
        """Gives the agent its request."""
        request = given.request if self._takes_text else self._arguments.dump_json(given, exclude_none=True).decode()
        context.user_content = types.Content(role="user", parts=[types.Part(text=request)])
        if stood is None:
            await context.store(context.sign(Event(author="user", content=context.user_content)))

    async def _answer_in(self, context: InvocationContext, stood: Frame | None, tool_context: ToolContext) -> Event | None:
        """The agent's last answer, None if there is none."""
        last: Event | None = None
        answer: Event | None = None if stood is None else _answer_before(context)
        async with aclosing(self.agent.run_async(context)) as events:
            async for event in events:
                if event.partial:
                    continue
                if event.seq is None:
                    context.sign(event)
                    if context.plugins is not None:
                        event = await context.plugins.event_of(context, event)  # noqa: PLW2901  stored in place of the first
                    await context.store(event)
                if self._may_wait:
                    context.handle_escalation(event)  # it ends nothing outside
                    tool_context.told.append(event)
                last = event
                if event.is_final_response() and (event.text or _files(event)):
                    answer = event
        if not context.waits_for_person:
            self._check_end(context, last)
        return answer

    def _check_end(self, context: InvocationContext, last: Event | None) -> None:
        if context.paused and not context.may_pause:
            raise ToolError(
                f"Agent {self.name!r} would have to wait for an answer, and one that is called as a tool cannot. "
                f"Make it a sub-agent of the agent that calls it, and let that one transfer to it."
            )
        if last is not None and last.error_code:
            raise ToolError(f"Agent {self.name!r} failed: {last.error_message or last.error_code}")

    def _result(self, answer: Event | None, _context: InvocationContext) -> Any:
        if answer is None:
            return ""
        files, value = _files(answer), self._value(answer)
        if not files:
            return value
        return {"result": value, "files": files} if answer.text else {"files": files}

    def _value(self, answer: Event) -> Any:
        """The answer's text, or the value that it holds."""
        speaker = self.agent.find_agent(answer.author)
        schema = getattr(speaker, "output_schema", None)
        if schema is None or not answer.text:
            return answer.text
        try:
            return parse_answer(TypeAdapter(schema), answer.text)
        except ValidationError as error:
            raise ToolError(f"Agent {self.name!r} failed: {explain_misfit(error, answer.stop_reason)}") from error

    def _explain(self, error: ValidationError) -> str:
        parameters = cast("dict[str, Any]", self._declaration.parameters_json_schema).get("properties", {})
        return explain_arguments(self.name, error, parameters)


def _input_schema_of(agent: BaseAgent) -> Any:
    """An agent's `input_schema`; for a workflow agent, that of its first sub-agent."""
    if "input_schema" in type(agent).model_fields:
        return getattr(agent, "input_schema")
    return _input_schema_of(agent.sub_agents[0]) if agent.sub_agents else None


def _answer_before(context: InvocationContext) -> Event | None:
    """The last answer that was given in this call before it paused."""
    inside = (each for each in reversed(context.session.events) if (each.branch or "").startswith(context.branch or ""))
    said = (each for each in inside if each.author != "user" and each.is_final_response() and (each.text or _files(each)))
    return next(said, None)


def _files(event: Event) -> list[types.Part]:
    return [part for part in event.parts if (part.inline_data or part.file_data) and not part.thought]


# -- effects outside of the session, which authors mark with `read_only_hint=False`


def effectful_tools(root: BaseAgent) -> frozenset[str]:
    """The names of the tools in a tree that are not read-only, those of agents that are used as tools included."""
    found: set[str] = set()
    for tool in _tools_in(root):
        if isinstance(tool, AgentTool):
            found |= effectful_tools(tool.agent)
        elif is_effectful(tool):
            found.add(tool.name)
    return frozenset(found)


def is_effectful(tool: BaseTool) -> bool:
    """Whether a tool is not read-only."""
    return not getattr(tool, "read_only_hint", True)  # a tool of one's own may not have called BaseTool's constructor


def may_have_effects(tool: BaseTool | None) -> bool:
    """Whether a call of a tool may change something outside; of an agent, if one of its tools does."""
    if isinstance(tool, AgentTool):
        return bool(effectful_tools(tool.agent))
    return tool is not None and is_effectful(tool)


def known_tools(toolset: BaseToolset) -> list[BaseTool]:
    """The tools that a toolset is known to have, as it offers them."""
    return [toolset.prefixed(tool) for tool in toolset.known_tools]


def _tools_in(root: BaseAgent) -> Iterator[BaseTool]:
    given: list[Any] = getattr(root, "tools", [])  # agents with a model have some
    for tool in given:
        if isinstance(tool, BaseToolset):
            yield from known_tools(tool)
        elif isinstance(tool, BaseTool):
            yield tool
    for child in root.sub_agents:
        yield from _tools_in(child)
