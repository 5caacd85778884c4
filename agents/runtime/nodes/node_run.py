"""One run of a node of a graph, and what an invocation knows of the runs before it was resumed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from google.genai import types
from pydantic import BaseModel

from agents.event import Event
from agents.runtime.nodes.answer import answer_in
from agents.runtime.position import Frame

TASK_QUESTION = "task:"
"""What the ids of the questions begin with that an agent asks the user while it works at a task."""


def says_the_same(told: Event, event: Event) -> bool:
    """Whether an event of code that runs again is one that was told before: an output, the same text, or the same keys.

    The values of state keys may differ: the code has found its own values in the state.
    """
    if told.output is not None or event.output is not None:
        return told.output is not None and event.output is not None
    if told.text or event.text:
        return told.text == event.text
    before, after = told.actions, event.actions
    return before.state_delta.keys() == after.state_delta.keys() and before.route == after.route


class Result(NamedTuple):
    """What a node's run came to."""

    output: Any = None
    route: Any = None


@dataclass(slots=True)
class Journal:
    """What is known of the node runs of an invocation, by their paths.

    Attributes:
        results: Runs that have ended, in the order in which they did: they are not run again.
        frames: Runs that are to be continued.
        told: What their events have told.
        attempts: How often a run has failed.
        said: The events of a run that was cut: its code says the same again, see `says_the_same`, and it is not told twice.
        returned: Runs that were cut when their code had ended, and had told all.
        asked: Ids of the questions that a run has asked.
        answers: The user's answers to them.
    """

    results: dict[str, Result] = field(default_factory=dict[str, Result])
    frames: dict[str, Frame] = field(default_factory=dict[str, Frame])
    told: dict[str, Result] = field(default_factory=dict[str, Result])
    attempts: dict[str, int] = field(default_factory=dict[str, int])
    said: dict[str, list[Event]] = field(default_factory=dict[str, list[Event]])
    returned: set[str] = field(default_factory=set[str])
    asked: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    answers: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

    @property
    def is_known(self) -> bool:
        """Whether anything is known."""
        return bool(self.results or self.frames)


@dataclass(slots=True, eq=False)
class NodeRun:
    """One run of a node.

    Attributes:
        agent: The node.
        path: Names the run, see `NodeInfo.path`.
        input: What the node is given.
        branch: Where it runs.
        frame: Where it stood when it paused; None for a new run.
        above: The run that started it; None for the outermost one.
        journal: What is known of other runs of the invocation.
        gives_output: Whether its output is the output of the run above too.
        schema: What state keys may be set.
        send: Passes on the event of a node that a node's code runs; None where that code cannot run any.
        run_below: Runs such a node, see `Context.run_node`.
        is_single_turn: Whether it is an agent whose model is sent its input, and nothing of other nodes.
        is_task: Whether it is one of the turns of such an agent with the user, all of which it is sent.
        said: The input as a message, for such an agent.
        place: Events that came before it.
        attempt: How often it was run, with this time.
        resume_inputs: The answers to its questions, by their ids.
        counts: How often each node was run below it.
        output: What it gives.
        route: Which edges are followed.
        is_delegated: Whether an event below it has carried its output.
        ending: What the record of its end says of its output, where events do not.
        waits: Whether it waits for the user.
        unsaved: The state that it had set when it failed.
    """

    agent: Any
    path: str
    input: Any = None
    branch: str | None = None
    frame: Frame | None = None
    above: NodeRun | None = None
    journal: Journal = field(default_factory=Journal)
    gives_output: bool = False
    schema: type[BaseModel] | None = None
    send: Callable[[Event], Awaitable[None]] | None = None
    run_below: Callable[..., Awaitable[Any]] | None = None
    is_single_turn: bool = False
    is_task: bool = False
    said: Event | None = None
    place: int = 0
    attempt: int = 1
    resume_inputs: dict[str, Any] = field(default_factory=dict[str, Any])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    output: Any = None
    route: Any = None
    is_delegated: bool = False
    ending: dict[str, Any] = field(default_factory=dict[str, Any])
    waits: bool = False
    unsaved: dict[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def root(cls, agent: Any, given: Any, branch: str | None, frame: Frame | None) -> NodeRun:
        """The run of a node that is not in a graph."""
        return cls(agent, f"{agent.name}@1", given, branch, frame, schema=agent.state_schema)

    @property
    def output_for(self) -> list[str]:
        """The paths of the runs whose output its output is."""
        paths, run = [self.path], self
        while run.gives_output and run.above is not None:
            run = run.above
            paths.append(run.path)
        return paths

    def next_path(self, name: str, run_id: str | None = None) -> str:
        """The path of the next run of a node below this one."""
        if run_id is None:
            self.counts[name] = number = self.counts.get(name, 0) + 1
            run_id = str(number)
        return f"{self.path}/{name}@{run_id}"

    def among(self, events: Sequence[Event]) -> Sequence[Event]:
        """The session's events as an agent's model sees them: with the input as a message, without those of other nodes."""
        if not self.is_single_turn:
            return events
        own, below = self.path, f"{self.path}/"
        said = [] if self.said is None else [self.said]
        if self.is_task:
            return [*said, *_task_events(events, own.rpartition("/")[0])]
        whole = [*events[: self.place], *said, *events[self.place :]]
        return [one for one in whole if not (path := one.node_info.path) or path == own or path.startswith(below)]


def _task_events(events: Sequence[Event], task: str) -> Iterator[Event]:
    """The events of a task's turns, and the user's answers as messages.

    Args:
        events: The session's events, the last of which is of this invocation.
        task: The path of the node whose turns they are.
    """
    asked: set[str] = set()
    now = events[-1].invocation_id if events else ""
    for event in events:
        path = event.node_info.path
        if event.invocation_id != now:
            continue
        if path == task:
            asked |= event.long_running_tool_ids or set()
        elif path.startswith(f"{task}/"):
            yield event
        elif event.author == "user":
            for response in event.get_function_responses():
                if response.id in asked:
                    text = str(answer_in(response.response, {"type": "string"}))
                    yield Event(author="user", branch=event.branch, content=types.UserContent(text))
