"""The results of tool calls as events: responses, questions to the user, and the actions of all calls merged.

Pure functions over values.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from google.genai import types
from pydantic_core import to_jsonable_python

from agents.event import Event, EventActions, ToolConfirmation, new_uuid
from agents.llm.contents import OWN_ID_PREFIX
from agents.model import unchecked
from agents.runtime.confirmation import Decision, question
from agents.runtime.context import InvocationContext
from agents.tools.tracebacks import TRACEBACKS


@dataclass(slots=True)
class Outcome:
    """The outcome of one call.

    Attributes:
        actions: Its side effects.
        response: What the model is sent; None if the call waits for an answer.
        parts: Images and files that the response refers to.
        error: The error, if it failed.
        asked: The question to the user before it may run.
        traceback: Of what the tool raised, see `agents.tools.tracebacks`.
        text: The response in words, if it is the answer of the turn.
        told: Events of a sub-agent that is the tool, which are stored.
    """

    actions: EventActions
    response: dict[str, Any] | None
    parts: list[types.FunctionResponsePart] = field(default_factory=list[types.FunctionResponsePart])
    error: str | None = None
    asked: ToolConfirmation | None = None
    traceback: dict[str, Any] | None = None
    text: str = ""
    told: list[Event] = field(default_factory=list[Event])


@dataclass(slots=True)
class Act:
    """The outcome of a turn's calls.

    Attributes:
        events: What sub-agents said that are tools, and is stored; the responses; the questions to the user.
        is_waiting: Whether a call waits for an answer.
        is_answer: Whether the responses are the final answer, so that the model is not called again.
        hand_over_to: The agent to transfer to, if any.
    """

    events: list[Event] = field(default_factory=list[Event])
    is_waiting: bool = False
    is_answer: bool = False
    hand_over_to: str | None = None


def new_call_id() -> str:
    """An id for a call that has none."""
    return f"{OWN_ID_PREFIX}{new_uuid()}"


def edited_args(decision: Decision | None) -> dict[str, Any] | None:
    """The user's arguments in place of the model's, if the user approved the call and changed them."""
    return decision.args if decision is not None and decision.confirmed else None


def observe(
    context: InvocationContext,
    calls: Sequence[types.FunctionCall],
    outcomes: Sequence[Outcome],
    decisions: Mapping[str, Decision],
) -> Act:
    """The responses as one event, and the questions to the user as another; the first of them has all the actions."""
    actions = merged_actions([outcome.actions for outcome in outcomes], context.session.state)
    pairs = list(zip(calls, outcomes, strict=True))
    said = [(call, outcome) for call, outcome in pairs if outcome.response is not None]
    is_waiting = len(said) < len(pairs)
    told = [event for outcome in outcomes for event in outcome.told]
    act = Act(told, is_waiting, bool(actions.skip_summarization), actions.transfer_to_agent)
    if said:
        act.events.append(_responses(context, said, decisions, actions))
        actions = _NOTHING
    if asked := [(call, outcome.asked) for call, outcome in pairs if outcome.asked is not None]:
        act.events.append(_questions(context, asked, actions))
    elif is_waiting and not said and actions != _NOTHING:  # no content, but there are actions
        act.events.append(_event(context, actions))
    return act


_NOTHING = EventActions()


def _event(context: InvocationContext, actions: EventActions, **said: Any) -> Event:
    return Event(
        invocation_id=context.invocation_id, author=context.agent_name, branch=context.branch, actions=actions, **said
    )


def _responses(
    context: InvocationContext,
    said: Sequence[tuple[types.FunctionCall, Outcome]],
    decisions: Mapping[str, Decision],
    actions: EventActions,
) -> Event:
    parts = [unchecked(types.Part, function_response=_response(call, outcome)) for call, outcome in said]
    parts += [unchecked(types.Part, text=outcome.text) for _, outcome in said if outcome.text]
    marks: dict[str, Any] = {}
    if errors := {call.id: outcome.error for call, outcome in said if outcome.error}:
        marks["tool_errors"] = errors
    if tracebacks := {call.id: outcome.traceback for call, outcome in said if outcome.traceback}:
        marks[TRACEBACKS] = tracebacks
    if decisions:
        edited = {call.id: args for call, _ in said if (args := edited_args(decisions.get(call.id or ""))) is not None}
        marks |= {"edited_args": edited} if edited else {}
    content = unchecked(types.Content, role="user", parts=parts)
    return _event(context, actions, content=content, custom_metadata=marks or None)


def _response(call: types.FunctionCall, outcome: Outcome) -> types.FunctionResponse:
    files = {"parts": outcome.parts} if outcome.parts else {}
    return unchecked(types.FunctionResponse, id=call.id, name=call.name, response=outcome.response, **files)


def _questions(
    context: InvocationContext, asked: Sequence[tuple[types.FunctionCall, ToolConfirmation]], actions: EventActions
) -> Event:
    asking = [question(new_call_id(), call, confirmation) for call, confirmation in asked]
    about = {call.id or "": confirmation for call, confirmation in asked}
    return _event(
        context,
        actions.model_copy(update={"requested_tool_confirmations": about}),
        content=types.Content(role="model", parts=[types.Part(function_call=call) for call in asking]),
        long_running_tool_ids={call.id for call in asking},
    )


def in_words(response: dict[str, Any]) -> str:
    """A response as a text: a text as it is, anything else as JSON."""
    value = response.get("result", "") if response.keys() <= {"result", "files"} else response
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def refusal_in(result: Any) -> str | None:
    """The error that a tool reports by returning `{"error": "…"}`, as wrong arguments are."""
    if isinstance(result, dict) and list(cast("dict[Any, Any]", result)) == ["error"]:
        return str(cast("dict[str, Any]", result)["error"])
    return None


def as_response(result: Any) -> tuple[dict[str, Any], list[types.FunctionResponsePart]]:
    """A tool's result as JSON for the model, and the images and files in it, which the JSON then refers to."""
    fields = cast("dict[Any, Any]", result) if isinstance(result, dict) else {"result": result}
    parts: list[types.FunctionResponsePart] = []
    return {str(name): _without_files(value, str(name), parts) for name, value in fields.items()}, parts


_IN_JSON = frozenset({str, int, bool, type(None)})
"""Types whose values are JSON as they are."""


def _without_files(value: Any, name: str, parts: list[types.FunctionResponsePart]) -> Any:
    """`value` as JSON, with the files in it moved to `parts` and referred to by label."""
    if isinstance(value, dict):
        items = cast("dict[Any, Any]", value).items()
        return {str(key): _without_files(item, str(key), parts) for key, item in items}
    if isinstance(value, list | tuple):
        return [_without_files(item, name, parts) for item in cast("Sequence[Any]", value)]
    if type(value) in _IN_JSON:
        return value
    if not isinstance(value, types.Part) or (held := value.inline_data or value.file_data) is None:
        plain = to_jsonable_python(value, fallback=str, bytes_mode="base64")
        if isinstance(plain, dict | list):  # e.g. of a pydantic model
            return _without_files(plain, name, parts)
        return str(plain) if isinstance(plain, float) and not math.isfinite(plain) else plain
    label = held.display_name or f"{name}-{len(parts) + 1}"
    if isinstance(held, types.Blob):
        blob = types.FunctionResponseBlob(mime_type=held.mime_type, data=held.data, display_name=label)
        parts.append(types.FunctionResponsePart(inline_data=blob))
    else:
        file = types.FunctionResponseFileData(mime_type=held.mime_type, file_uri=held.file_uri, display_name=label)
        parts.append(types.FunctionResponsePart(file_data=file))
    return {"$ref": label}


def merged_actions(all_actions: Sequence[EventActions], state: Mapping[str, Any]) -> EventActions:
    """The actions of calls that ran together as those of one event.

    Args:
        all_actions: The actions of each call, in call order; at least one.
        state: Live state, which has the last writes.
    """
    if len(all_actions) == 1:
        return all_actions[0]
    merged = EventActions()
    for actions in all_actions:
        merged.state_delta = _deeply(merged.state_delta, actions.state_delta)
        for name, version in actions.artifact_delta.items():
            merged.artifact_delta[name] = max(version, merged.artifact_delta.get(name, version))
        merged.escalate = actions.escalate or merged.escalate
        merged.skip_summarization = actions.skip_summarization or merged.skip_summarization
        merged.transfer_to_agent = actions.transfer_to_agent or merged.transfer_to_agent
        merged.route = merged.route if actions.route is None else actions.route
    return _with_last_writes(merged, all_actions, state)


def _with_last_writes(merged: EventActions, all_actions: Sequence[EventActions], state: Mapping[str, Any]) -> EventActions:
    """Takes a container that several calls wrote from live state: the last writer saw the others' writes."""
    for key in merged.state_delta:
        writes = [actions.state_delta[key] for actions in all_actions if key in actions.state_delta]
        last = state.get(key)
        if len(writes) > 1 and isinstance(last, dict | list) and any(write is last for write in writes):
            merged.state_delta |= _deeply({key: merged.state_delta[key]}, {key: last})
    return merged


def _deeply(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    result = dict(first)
    for key, value in second.items():
        before = result.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            result[key] = _deeply(cast("dict[str, Any]", before), cast("dict[str, Any]", value))
        else:
            result[key] = value
    return result
