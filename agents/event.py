"""Events: what a session is made of. Messages, answers, calls, responses and the state changes they carry.

`log.py` says how an event is written down.
"""

from __future__ import annotations

import os
import random
import time
from typing import Any, cast

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from agents.model import LlmResponse

REQUEST_ANSWER = "playground_request_answer"
"""Name of the function call that asks the user to answer as an agent's model; it is never sent to a model."""

REQUEST_INPUT = "adk_request_input"
"""Name of the function call with which a node of a graph asks the user; it is never sent to a model."""

_IDS = random.Random()  # noqa: S311  an id guards nothing; the system's generator costs a call of the kernel for each
if hasattr(os, "register_at_fork"):  # or a forked process would give its parent's ids
    os.register_at_fork(after_in_child=_IDS.seed)


def _new_id() -> str:
    """A fresh event id: 32 hexadecimal digits."""
    return f"{_IDS.getrandbits(128):032x}"


def new_uuid() -> str:
    """A random UUID (RFC 9562, version 4) as text, for ids of runs and calls; `uuid.uuid4` takes ten times as long."""
    digits = _new_id()
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


class ToolConfirmation(BaseModel):
    """The question about a tool call, and the user's answer.

    Attributes:
        hint: What the user should know before the decision.
        confirmed: Whether the call may run.
        payload: JSON that the tool sends with the question; in the answer, the user's version of it.
    """

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)

    hint: str = ""
    confirmed: bool = False
    payload: Any = None


RouteValue = bool | int | str
"""What names a route out of a node of a graph."""


class NodeInfo(BaseModel):
    """The node of a graph workflow that an event comes from.

    Attributes:
        path: The node's run: the runs from the outermost workflow to it, each as `name@run_id`, joined by "/".
        output_for: The runs whose output the event carries: the node's own, and those that give it as theirs.
        message_as_output: Whether the event's content is the output.
        is_last: Whether the node's code has ended with this event, which then tells the rest of it. None of an event with an
            output says the same: earlier versions wrote nothing else.
    """

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)

    path: str = ""
    output_for: list[str] | None = None
    message_as_output: bool | None = None
    is_last: bool | None = None

    @property
    def name(self) -> str:
        """The node's name; "" outside of a graph."""
        return self.path.rpartition("/")[2].rpartition("@")[0]

    @property
    def run_id(self) -> str:
        """Which run of the node it is, "1" for the first; "" outside of a graph."""
        return self.path.rpartition("/")[2].rpartition("@")[2]


_NO_NODE = NodeInfo()


class EventCompaction(BaseModel):
    """A summary that stands in the history of models in place of earlier events.

    Attributes:
        start_timestamp: The time of the first of them, in seconds since the epoch.
        end_timestamp: The time of the last.
        compacted_content: The summary.
    """

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)

    start_timestamp: float
    end_timestamp: float
    compacted_content: types.Content


class EventActions(BaseModel):
    """The side effects of an event.

    Attributes:
        state_delta: State keys that this event sets, with their scope prefix.
        escalate: Ends the nearest enclosing loop.
        skip_summarization: The tool's response is the answer; the model is not called again.
        transfer_to_agent: The agent that takes over.
        route: In a graph workflow: the edges to follow.
        artifact_delta: Versions of artifacts that this event saved, by file name.
        requested_tool_confirmations: Questions to the user in this event, by the id of the tool call.
        compaction: A summary of earlier events; the event that has one has no content.
        rewind_before_invocation_id: The invocation that is taken back, with all that came after it.
    """

    model_config = ConfigDict(extra="forbid")

    state_delta: dict[str, Any] = Field(default_factory=dict)
    escalate: bool | None = None
    skip_summarization: bool | None = None
    transfer_to_agent: str | None = None
    route: RouteValue | list[RouteValue] | None = None
    artifact_delta: dict[str, int] = Field(default_factory=dict)
    requested_tool_confirmations: dict[str, ToolConfirmation] = Field(default_factory=dict)
    compaction: EventCompaction | None = None
    rewind_before_invocation_id: str | None = None


class Event(LlmResponse):
    """One entry of a conversation between a user and agents.

    Args:
        message: Short for `content`: a text, a part, or a list of them.
        state: Short for `actions.state_delta`.
        route: Short for `actions.route`.

    Attributes:
        id: Unique; the pieces of a streamed answer share the id of the whole.
        invocation_id: The run that this event belongs to.
        author: "user", or the name of the agent.
        actions: State changes and control signals.
        branch: Dotted path of the parallel branch that it happened in; None outside of one.
        long_running_tool_ids: Calls in this event that are answered later.
        timestamp: Seconds since the epoch. For reading only: order is the log's `seq`.
        output: What a node of a graph workflow gives to the next; JSON.
        node_info: The node of a graph workflow that it comes from.
    """

    id: str = Field(default_factory=_new_id)
    invocation_id: str = ""
    author: str = ""
    actions: EventActions = Field(default_factory=EventActions)
    branch: str | None = None
    long_running_tool_ids: set[str] | None = None
    timestamp: float = Field(default_factory=time.time)
    output: Any = None
    node_info: NodeInfo = _NO_NODE
    __slots__ = ("_seq",)  # not a field: where an event is stored is not part of its value

    def __init__(self, /, **data: Any) -> None:
        super().__init__(**(data if _SHORT_NAMES.isdisjoint(data) else _without_short_names(data)))

    # What is read from JSON has no short names: pydantic need not call `__init__` for it.
    __init__.__pydantic_base_init__ = True  # pyright: ignore[reportFunctionMemberAccess]

    @property
    def message(self) -> types.Content | None:
        """The content."""
        return self.content

    @property
    def seq(self) -> int | None:
        """The event's place in its session's log, None until it is stored."""
        return getattr(self, "_seq", None)

    def stored_as(self, seq: int) -> None:
        """For session services: this event is stored under `seq`."""
        object.__setattr__(self, "_seq", seq)  # pydantic sets fields only

    @property
    def speaker(self) -> str:
        """Who the event is of: its author, or the node of a graph where the author is the graph."""
        return speaker_of(self.author, self.node_info.path)

    @property
    def node_name(self) -> str:
        """The name of the node that it comes from; "" outside of a graph."""
        return self.node_info.name

    new_id = staticmethod(_new_id)

    @property
    def is_of_person(self) -> bool:
        """Whether this asks the user to answer as a model, or is their answer to that."""
        held = [part.function_call or part.function_response for part in self.parts]
        return any(each is not None and each.name == REQUEST_ANSWER for each in held)

    def is_final_response(self) -> bool:
        """Whether this is the agent's answer, not a step towards it."""
        return self.final_text() is not None

    def final_text(self) -> str | None:
        """The text of the agent's answer, without thoughts; None if this is a step towards it."""
        is_end = bool(self.actions.skip_summarization or self.long_running_tool_ids)
        if not is_end and (self.partial or any(part.function_call or part.function_response for part in self.parts)):
            return None
        return self.text


_SHORT_NAMES = frozenset({"message", "state", "route"})


def _without_short_names(data: dict[str, Any]) -> dict[str, Any]:
    """An event's fields, short names resolved."""
    message, state, route = (data.pop(name, None) for name in ("message", "state", "route"))
    if message is not None:
        if data.get("content") is not None:
            raise ValueError("'message' and 'content' are mutually exclusive: an event has one content. Give one of them.")
        data["content"] = as_content(message)
    if state is not None or route is not None:
        given = data.get("actions") or EventActions()
        actions = given.model_copy() if isinstance(given, EventActions) else EventActions(**given)
        if state is not None:
            actions.state_delta = dict(state)
        if route is not None:
            actions.route = route
        data["actions"] = actions
    return data


def as_content(message: Any, *, role: str = "user") -> types.Content:
    """A text, a part, a content, or a list of texts and parts, as a content."""
    if isinstance(message, types.Content):
        return message
    items = cast("list[Any]", message) if isinstance(message, list) else [message]
    parts = [item if isinstance(item, types.Part) else types.Part(text=str(item)) for item in items]
    return types.Content(role=role, parts=parts)


def speaker_of(author: str, path: str) -> str:
    """Who an event is of, by its author and the path of its node: see `Event.speaker`."""
    above, _, node = path.rpartition("/")
    graph = above.rpartition("/")[2].rpartition("@")[0]
    return node.rpartition("@")[0] if graph and author == graph else author
