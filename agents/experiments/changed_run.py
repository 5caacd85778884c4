"""What the changes of a fork mean for its run: the agent tree, the run configuration, and the event that is different."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from google.genai import types

from agents.agent import BaseAgent
from agents.errors import ForkError, known
from agents.event import Event, EventActions
from agents.experiments.changes import (
    REPLACING,
    AnswerChange,
    Change,
    FaultChange,
    InstructionChange,
    ModelChange,
    StateChange,
    ToolResultChange,
)
from agents.experiments.past import names_in
from agents.llm.llm_agent import LlmAgent
from agents.llm.tool_results import new_call_id
from agents.runtime.run_config import RunConfig
from agents.state import REDUCED

T = TypeVar("T")


def check_changes(changes: Sequence[Change], agent: BaseAgent) -> None:
    """Raises `ForkError` unless the changes can be made together, in this tree."""
    if sum(isinstance(change, REPLACING) for change in changes) > 1:
        raise ForkError("Only one event can be replaced in a fork: the one at the cut. Leave out the other changes.")
    for change in changes:
        name = change.agent if isinstance(change, InstructionChange | ModelChange) else None
        if name is not None and not isinstance(agent.find_agent(name), LlmAgent):
            raise ForkError(f"There is no agent {name!r} with a model. The agents are {known(names_in(agent))}.")
        if isinstance(change, StateChange) and change.key in REDUCED:
            raise ForkError(f"{change.key} is a playbook, not a value: change its revision, or leave out bullets.")


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


def different_event(
    replaced: Event | None, invocation_id: str | None, changes: Sequence[Change], agent: BaseAgent
) -> Event | None:
    """The event that is different: one in place of `replaced`, or one that sets state; None for neither."""
    delta = {change.key: change.value for change in changes if isinstance(change, StateChange)}
    event = _replacement(replaced, changes, agent)
    if event is None and delta:
        return Event(invocation_id=invocation_id or "", author="user", actions=EventActions(state_delta=delta))
    if event is not None:
        event.actions.state_delta.update(delta)
    return event


def _replacement(replaced: Event | None, changes: Sequence[Change], agent: BaseAgent) -> Event | None:
    if replaced is None:
        return None
    answer, result = only(changes, AnswerChange), only(changes, ToolResultChange)
    if answer is not None:
        return _answer_in_place(replaced, answer, agent)
    if result is None:
        return None
    parts = [
        part.model_copy(update={"function_response": response.model_copy(update={"response": result.response})})
        if (response := part.function_response) is not None and response.id == result.call_id
        else part
        for part in replaced.parts
    ]
    content = types.Content(role="user", parts=parts)
    return replaced.model_copy(update={"id": Event.new_id(), "content": content})


def _answer_in_place(replaced: Event, change: AnswerChange, agent: BaseAgent) -> Event:
    parts = [types.Part(text=change.text)] if change.text else []
    for tool, args in change.calls:
        call = types.FunctionCall(id=new_call_id(), name=tool, args=args)
        parts.append(types.Part(function_call=call))
    event = Event(
        invocation_id=replaced.invocation_id,
        author=replaced.author,
        branch=replaced.branch,
        content=types.Content(role="model", parts=parts),
        stop_reason="tool_use" if change.calls else "end_turn",
    )
    author = agent.find_agent(replaced.author)
    if isinstance(author, LlmAgent):
        author.settle_output(event)
    return event
