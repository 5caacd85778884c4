"""Tools with effects outside, in a fork: the recorded result where the call is the same, else a question to the user."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from google.genai import types
from pydantic import BaseModel, ConfigDict

from agents.agent import BaseAgent
from agents.event import Event
from agents.llm.llm_agent import LlmAgent
from agents.log import EVENT_KIND, LogEntry
from agents.model import LlmRequest
from agents.runtime.context import ReadonlyContext, ToolContext
from agents.state import REDUCED
from agents.tool import BaseTool, BaseToolset
from agents.tools.agent_tool import AgentTool, effectful_tools, is_effectful, known_tools


class RecordedCall(BaseModel):
    """A tool call and its response, as the log has them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: str
    args: dict[str, Any]
    response: dict[str, Any]

    @property
    def key(self) -> str:
        """The same for calls that are the same."""
        return call_key(self.tool, self.args)


class RecordedResults(BaseModel):
    """The responses of one event, and the state that they set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: tuple[RecordedCall, ...]
    state_delta: dict[str, Any]


def call_key(tool: str, args: Mapping[str, Any] | None) -> str:
    """A call as a text that is the same for the same tool and arguments."""
    return f"{tool} {json.dumps(args or {}, sort_keys=True, ensure_ascii=False)}"


def recorded_results(entries: Sequence[LogEntry], kept: Collection[int], tools: Collection[str]) -> list[RecordedResults]:
    """What was recorded of calls of some tools in a log, after a cut.

    Args:
        entries: The whole log.
        kept: `seq` of the entries before the cut.
        tools: The tools' names.
    """
    if not tools:
        return []
    asked: dict[str, types.FunctionCall] = {}
    found: list[RecordedResults] = []
    for event in _events_with(entries, '"function_call"', '"function_response"'):
        asked |= {call.id or "": call for call in event.get_function_calls()}
        calls = _recorded_calls(event, asked, tools)
        if calls and (event.seq or 0) not in kept:
            delta = {key: value for key, value in event.actions.state_delta.items() if key not in REDUCED}
            found.append(RecordedResults(calls=tuple(calls), state_delta=delta))
    return found


def unused(recorded: Iterable[RecordedResults], entries: Sequence[LogEntry], *, after: int) -> list[RecordedResults]:
    """The recorded results that a fork has not used: no response in its log after `after` answers the same calls."""
    left = list(recorded)
    if not left:
        return []
    tools = {call.tool for results in left for call in results.calls}
    done = recorded_results(entries, {entry.seq for entry in entries if entry.seq <= after}, tools)
    seen = Counter(call.key for results in done for call in results.calls)
    still: list[RecordedResults] = []
    for results in left:
        keys = Counter(call.key for call in results.calls)
        if keys <= seen:
            seen -= keys
        else:
            still.append(results)
    return still


class RecordedTools:
    """The recorded results that a fork's run may use, each once."""

    def __init__(self, results: Iterable[RecordedResults]) -> None:
        self._left = list(results)
        self._planned: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}

    def answer(self, call_id: str, calls: Sequence[types.FunctionCall]) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The recorded response to a call, and the state to set with it; None if there is none.

        Args:
            call_id: The call.
            calls: All calls that were made together. Results that were recorded together are used together, because
                the state that they set cannot be told apart.
        """
        if call_id not in self._planned:
            self._plan([call for call in calls if call.id not in self._planned])
        return self._planned.get(call_id)

    def _plan(self, calls: Sequence[types.FunctionCall]) -> None:
        waiting: dict[str, list[str]] = {}
        for call in calls:
            waiting.setdefault(call_key(call.name or "", call.args), []).append(call.id or "")
        answers: dict[str, dict[str, Any]] = {}
        delta: dict[str, Any] = {}
        for results in list(self._left):
            keys = Counter(call.key for call in results.calls)
            if any(number > len(waiting.get(key, ())) for key, number in keys.items()):
                continue
            self._left.remove(results)
            delta |= results.state_delta
            for call in results.calls:
                answers[waiting[call.key].pop(0)] = call.response
        self._planned |= {call_id: (response, delta) for call_id, response in answers.items()}


class HeldTool(BaseTool):
    """A tool with effects outside, in a fork. It is not called again unasked.

    Args:
        tool: The tool.
        recorded: The results of its origin.
        together: Names of the tools whose calls are answered together with its own.
    """

    def __init__(self, tool: BaseTool, recorded: RecordedTools, together: Collection[str]) -> None:
        super().__init__(
            name=tool.name, description=tool.description, is_long_running=tool.is_long_running, read_only_hint=False
        )
        self.raise_on_error = getattr(tool, "raise_on_error", False)
        self._tool = tool
        self._recorded = recorded
        self._together = together

    def _get_declaration(self) -> types.FunctionDeclaration | None:
        return self._tool._get_declaration()  # pyright: ignore[reportPrivateUsage]  ADK's name for what tools override

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Changes the request as the tool does, and stands in its place."""
        await self._tool.process_llm_request(tool_context=tool_context, llm_request=llm_request)
        if self.name in llm_request.tools_dict:
            llm_request.tools_dict[self.name] = self

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        """Answers from the record, or asks the user; calls the tool once the user has approved it."""
        if tool_context.tool_confirmation is not None:
            return await self._tool.run_async(args=args, tool_context=tool_context)
        call_id = tool_context.function_call_id or ""
        if (found := self._recorded.answer(call_id, self._calls_beside(call_id, tool_context))) is not None:
            response, delta = found
            caller = tool_context._invocation_context  # pyright: ignore[reportPrivateUsage]  tools have no log of their own
            caller.record("tool_recorded", tool=self.name, call_id=call_id)
            for key, value in delta.items():
                tool_context.state[key] = value
            return dict(response)
        tool_context.request_confirmation(
            hint=f"This is a fork. {self.name} has effects outside it, and the origin has no such call. May it be called?"
        )
        return None

    async def rejected(self, *, tool_context: ToolContext) -> Any:
        """As the tool does."""
        return await self._tool.rejected(tool_context=tool_context)

    def _calls_beside(self, call_id: str, tool_context: ToolContext) -> list[types.FunctionCall]:
        """The calls of the event that has this one, of tools with effects outside."""
        for event in reversed(tool_context.session.events):
            calls = event.get_function_calls()
            if any(call.id == call_id for call in calls):
                return [call for call in calls if call.name in self._together]
        return []


class HeldToolset(BaseToolset):
    """A toolset in a fork: those of its tools that have effects outside are held."""

    def __init__(self, toolset: BaseToolset, recorded: RecordedTools, together: Collection[str]) -> None:
        super().__init__()
        self._toolset = toolset
        self._recorded = recorded
        self._together = together

    @property
    def known_tools(self) -> Sequence[BaseTool]:
        """See `BaseToolset`."""
        return [_held(tool, self._recorded, self._together) for tool in known_tools(self._toolset)]

    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> Sequence[BaseTool]:
        """See `BaseToolset`."""
        tools = await self._toolset.get_tools_with_prefix(readonly_context)
        return [_held(tool, self._recorded, self._together) for tool in tools]


def hold_tools(root: BaseAgent, results: Iterable[RecordedResults]) -> None:
    """Puts a `HeldTool` in the place of every tool of a tree that is not read-only. The tree is changed: give a clone."""
    recorded, names = RecordedTools(results), effectful_tools(root)
    if names or any(isinstance(tool, BaseToolset) for agent in llm_agents(root) for tool in agent.tools):
        _hold_in(root, recorded, names)


def _hold_in(root: BaseAgent, recorded: RecordedTools, names: Collection[str]) -> None:
    for agent in llm_agents(root):
        agent.tools = [_held(tool, recorded, names) for tool in agent.tools]


def _held(tool: Any, recorded: RecordedTools, names: Collection[str]) -> Any:
    if isinstance(tool, BaseToolset):
        return HeldToolset(tool, recorded, names)
    if isinstance(tool, AgentTool) and effectful_tools(tool.agent):
        inner = tool.agent.clone(update={"name": tool.agent.name})
        _hold_in(inner, recorded, names)
        return AgentTool(inner, skip_summarization=tool.skip_summarization)
    return HeldTool(tool, recorded, names) if isinstance(tool, BaseTool) and is_effectful(tool) else tool


def llm_agents(root: BaseAgent) -> list[LlmAgent]:
    """The agents of a tree that call a model, depth first."""
    below = [agent for child in root.sub_agents for agent in llm_agents(child)]
    return [root, *below] if isinstance(root, LlmAgent) else below


def _events_with(entries: Iterable[LogEntry], *marks: str) -> Iterable[Event]:
    for entry in entries:
        if entry.kind == EVENT_KIND and any(mark in entry.body for mark in marks):
            event = entry.event()
            event.stored_as(entry.seq)
            yield event


def _recorded_calls(event: Event, asked: Mapping[str, types.FunctionCall], tools: Collection[str]) -> list[RecordedCall]:
    calls: list[RecordedCall] = []
    for response in event.get_function_responses():
        call = asked.get(response.id or "")
        if call is not None and call.name in tools and response.response is not None:
            calls.append(RecordedCall(tool=call.name or "", args=call.args or {}, response=response.response))
    return calls
