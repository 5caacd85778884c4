"""What the changes of a fork mean for its run: the agent tree, the run configuration, and the event that is different."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, assert_never

from google.genai import types

from agents.agent import BaseAgent
from agents.errors import ForkError, known
from agents.event import Event, EventActions
from agents.forks.changes import (
    REPLACING,
    AnswerChange,
    Change,
    FaultChange,
    InstructionChange,
    ModelChange,
    StateChange,
    ToolResultChange,
)
from agents.llm.llm_agent import LlmAgent
from agents.llm.tool_results import new_call_id
from agents.runtime.run_config import RunConfig
from agents.state import REDUCED

T = TypeVar("T")


def check_changes(changes: Sequence[Change], agent: BaseAgent) -> None:
    """Raises `ForkError` unless the changes can be made together, in this tree."""
    if sum(isinstance(change, REPLACING) for change in changes) > 1:
        raise ForkError("Only one event can be replaced in a fork: the one at the cut. Leave out the other changes.")
    check_agents(changes, agent)
    for change in changes:
        if isinstance(change, StateChange) and change.key in REDUCED:
            raise ForkError(f"{change.key} is a playbook, not a value: change its revision, or leave out bullets.")


def check_agents(changes: Sequence[Change], agent: BaseAgent) -> None:
    """Raises `ForkError` unless the tree has the agents that are changed."""
    for change in changes:
        name = change.agent if isinstance(change, InstructionChange | ModelChange) else None
        if name is not None and not isinstance(agent.find_agent(name), LlmAgent):
            raise ForkError(
                f"There is no agent {name!r} with a model. The agents are {known(names_in(agent))}. "
                "If the pipeline was changed since, leave this change out, or put the agent back."
            )


def only(changes: Sequence[Change], kind: type[T]) -> T | None:
    """The first change of a kind."""
    return next((change for change in changes if isinstance(change, kind)), None)


def changed_tree(agent: BaseAgent, changes: Sequence[Change]) -> BaseAgent:
    """The tree with other instructions; the same object if none changes."""
    wanted = [change for change in changes if isinstance(change, InstructionChange)]
    if not wanted:
        return agent
    tree = agent.clone(update={"name": agent.name})
    for change in wanted:
        found = tree.find_agent(change.agent)
        assert isinstance(found, LlmAgent)  # `check_changes` has seen it
        found.instruction = change.text
    return tree


def changed_config(config: RunConfig, changes: Sequence[Change]) -> RunConfig:
    """The run's configuration with other models and faults."""
    update: dict[str, Any] = {}
    for change in changes:
        if isinstance(change, FaultChange):
            update["faults"] = change.faults
        elif isinstance(change, ModelChange) and change.agent is None:
            update["model"] = change.model
        elif isinstance(change, ModelChange):
            update["agent_models"] = {**update.get("agent_models", config.agent_models), change.agent: change.model}
    return config.model_copy(update=update) if update else config


def state_event(changes: Sequence[Change], invocation_id: str | None) -> Event | None:
    """The event that sets state as the changes ask for; None if none does."""
    delta = {change.key: change.value for change in changes if isinstance(change, StateChange)}
    if not delta:
        return None
    return Event(invocation_id=invocation_id or "", author="user", actions=EventActions(state_delta=delta))


def replacement(event: Event, change: AnswerChange | ToolResultChange, agent: BaseAgent) -> Event:
    """The event in place of `event`.

    Args:
        event: A model's answer, or the results of tool calls.
        change: What it is replaced by.
        agent: The tree, for the state that an answer sets.
    """
    match change:
        case AnswerChange():
            return _answer_in_place(event, change, agent)
        case ToolResultChange():
            return _result_in_place(event, change)
        case _:
            assert_never(change)


def _result_in_place(event: Event, change: ToolResultChange) -> Event:
    parts = [
        part.model_copy(update={"function_response": response.model_copy(update={"response": change.response})})
        if (response := part.function_response) is not None and response.id == change.call_id
        else part
        for part in event.parts
    ]
    content = types.Content(role="user", parts=parts)
    return event.model_copy(update={"id": Event.new_id(), "content": content})


def _answer_in_place(event: Event, change: AnswerChange, agent: BaseAgent) -> Event:
    parts = [types.Part(text=change.text)] if change.text else []
    for tool, args in change.calls:
        call = types.FunctionCall(id=new_call_id(), name=tool, args=args)
        parts.append(types.Part(function_call=call))
    made = Event(
        invocation_id=event.invocation_id,
        author=event.author,
        branch=event.branch,
        content=types.Content(role="model", parts=parts),
        stop_reason="tool_use" if change.calls else "end_turn",
        timestamp=event.timestamp,
    )
    author = agent.find_agent(event.author)
    if isinstance(author, LlmAgent):
        author.settle_output(made)
    return made


def names_in(root: BaseAgent) -> list[str]:
    """The names in an agent tree, depth first."""
    return [root.name, *(name for child in root.sub_agents for name in names_in(child))]
