"""The context of a node's code."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from agents.agent import BaseAgent
from agents.errors import WorkflowConfigurationError
from agents.event import Event, EventActions, NodeInfo, RouteValue
from agents.runtime.context import InvocationContext, ToolContext
from agents.runtime.nodes.node_run import NodeRun, says_the_same
from agents.state import State, check_delta
from agents.workflow.values import as_json


class NodeInterruptedError(BaseException):
    """A node that a node's code runs waits for the user, and so does the code."""


class Context(ToolContext):
    """The context of a node's code: state, output and route, and other nodes to run.

    Args:
        invocation_context: The invocation, in a graph.
    """

    def __init__(self, invocation_context: InvocationContext) -> None:
        super().__init__(invocation_context)
        run = invocation_context.node_run
        assert run is not None
        self.run: NodeRun = run
        self.event_author = (run.above or run).agent.name
        self._is_output_told = self._is_route_told = False

    @property
    def state(self) -> State:
        """The state; writes are live at once and stored with the node's next event."""
        if self._state is None and self.run.schema is not None:
            self._state = State(self._invocation_context.session.state, self.actions.state_delta, self.run.schema)
        return super().state

    @property
    def node(self) -> BaseAgent:
        """The node."""
        return self.run.agent

    @property
    def node_path(self) -> str:
        """The path of this run, see `NodeInfo.path`."""
        return self.run.path

    @property
    def run_id(self) -> str:
        """Which run of the node this is."""
        return self.run.path.rpartition("@")[2]

    @property
    def branch(self) -> str | None:
        """The parallel branch."""
        return self._invocation_context.branch

    @property
    def attempt_count(self) -> int:
        """How often the node was run for this input, from 1."""
        return self.run.attempt

    @property
    def resume_inputs(self) -> dict[str, Any]:
        """The user's answers to the node's questions, by their ids."""
        return self.run.resume_inputs

    @property
    def output(self) -> Any:
        """What the node gives. It can be set once."""
        return self.run.output

    @output.setter
    def output(self, value: Any) -> None:
        if self.run.output is not None:
            raise ValueError(f"Node {self.run.agent.name!r}: Output already set. A node can produce at most one output.")
        self.run.output = value

    @property
    def route(self) -> RouteValue | list[RouteValue] | None:
        """Which edges are followed."""
        return self.run.route

    @route.setter
    def route(self, value: RouteValue | list[RouteValue]) -> None:
        self.run.route, self._is_route_told = value, False

    def get_invocation_context(self) -> InvocationContext:
        """The invocation."""
        return self._invocation_context

    async def run_node(
        self,
        node: Any,
        node_input: Any = None,
        *,
        use_as_output: bool = False,
        run_id: str | None = None,
        use_sub_branch: bool = False,
        override_branch: str | None = None,
        raise_on_wait: bool = False,
    ) -> Any:
        """Runs another node below this one, and returns its output.

        A run that is resumed, or tried again, does not run nodes again that have ended.

        Args:
            node: A node, an agent, a tool or a function.
            node_input: Its input.
            use_as_output: Whether its output is this node's output too.
            run_id: Names the run; by default they are counted.
            use_sub_branch: Whether it runs in a parallel branch of its own.
            override_branch: The branch that it runs in; this one by default.
            raise_on_wait: Whether this node waits too for a node with `wait_for_output` that has given nothing.

        Raises:
            WorkflowConfigurationError: This node's code cannot run others.
            DynamicNodeFailError: It failed.
        """
        if self.run.run_below is None:
            raise WorkflowConfigurationError(
                f"Node {self.run.agent.name!r} cannot run others: make its function async, and give it a parameter `ctx`."
            )
        return await self.run.run_below(
            self,
            node,
            node_input,
            use_as_output=use_as_output,
            run_id=run_id,
            use_sub_branch=use_sub_branch,
            branch=override_branch if override_branch is not None else self.branch,
            raise_on_wait=raise_on_wait,
        )

    # -- the node's events

    def note(self, event: Event) -> Event | None:
        """Signs an event of the node, and takes its output, route and questions; None if there is nothing to tell."""
        run, actions, branch = self.run, event.actions, self._invocation_context.branch
        if event.output is not None:
            self._take_output(event)
            if event.output is None and not (actions.state_delta or actions.artifact_delta):
                return None
        if actions.route is not None:
            run.route, self._is_route_told = actions.route, True
        if event.long_running_tool_ids:
            run.waits = True
        if event.text and self._was_told(event):
            return None
        if run.schema is not None:
            check_delta(run.schema, actions.state_delta)
        if not event.partial:
            self._move_deltas(actions)
        event.author = self.event_author
        event.invocation_id = self._invocation_context.invocation_id
        event.branch = event.branch or branch
        is_last = run.agent.gives_one_item and not event.partial and (self._is_route_told or run.route is None)
        event.node_info = self._info(event.output, is_last=is_last)
        return None if not event.text and self._was_told(event) else event

    def _take_output(self, event: Event) -> None:
        """Takes the output in an event, and from it if another event has told the run's output."""
        run, self.output = self.run, event.output
        if run.is_delegated:
            event.output = None
            return
        if (output := as_json(event.output, run.agent.name)) is not event.output:
            event.output = output
        self._is_output_told = True

    def rest(self) -> Event | None:
        """The event after the last one, if there are changes, an output or a route that no event has told."""
        run = self.run
        actions = EventActions()
        self._move_deltas(actions)
        output = None
        if run.output is not None and (run.is_delegated or not self._is_output_told):
            output = as_json(run.output, run.agent.name)
        run.ending = {}
        if run.is_delegated:
            run.ending, output = {"delegated": True, "output": output}, None
        if run.route is not None and not self._is_route_told:
            actions.route = run.route
        if output is None and actions.route is None and not (actions.state_delta or actions.artifact_delta):
            return None
        event = Event(
            invocation_id=self._invocation_context.invocation_id,
            author=self.event_author,
            branch=self._invocation_context.branch,
            actions=actions,
            output=output,
            node_info=self._info(output, is_last=True),
        )
        return None if self._was_told(event) else event

    def _info(self, output: Any, *, is_last: bool) -> NodeInfo:
        """The node in an event that tells this output, or nothing of it; `is_last`: whether the code has ended with it."""
        run = self.run
        if output is not None:
            return NodeInfo(path=run.path, output_for=run.output_for, is_last=is_last)
        is_all = is_last and run.output is None and not (run.is_delegated or run.waits)
        return NodeInfo(path=run.path, is_last=is_all or None)

    def _was_told(self, event: Event) -> bool:
        """Whether the run said so before it was cut; once only, and in the same order."""
        run = self.run
        said = run.journal.said.get(run.path)
        if not said or event.actions.artifact_delta:
            return False
        place = next((place for place, told in enumerate(said) if says_the_same(told, event)), None)
        if place is None:
            return False
        self._restore(event, said[place])
        del said[: place + 1]
        if event.output is not None:  # what it gave then is what the nodes after it are given
            run.output = run.journal.told[run.path].output
        return True

    def _restore(self, event: Event, told: Event) -> None:
        """Gives the state keys that the code has set again the values that were told: those are stored."""
        self.collect_edits()
        unsaved = self.actions.state_delta
        for key, value in told.actions.state_delta.items():
            if key in unsaved or key in event.actions.state_delta:
                self.state[key] = deepcopy(value)
                del unsaved[key]

    def _move_deltas(self, actions: EventActions) -> None:
        """Moves what was changed since the last event to an event."""
        self.collect_edits()
        changed = self._event_actions
        if changed is None or changed is actions:
            return
        if changed.state_delta:
            actions.state_delta.update(changed.state_delta)
            changed.state_delta.clear()
        if changed.artifact_delta:
            actions.artifact_delta.update(changed.artifact_delta)
            changed.artifact_delta.clear()
