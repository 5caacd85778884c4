"""Graphs of nodes as agents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, ClassVar

from pydantic import Field, PrivateAttr, model_validator

from agents.agent import BaseAgent
from agents.errors import AnswerError, StateSchemaError, WorkflowConfigurationError
from agents.event import Event
from agents.flows.arrivals import Arrivals
from agents.runtime.context import InvocationContext
from agents.runtime.nodes.node_run import NodeRun, Result
from agents.workflow.drive import follow, run_once, tell
from agents.workflow.dynamic import run_below
from agents.workflow.graph import Edge, Graph, read_edges
from agents.workflow.nodes.base_node import START, BaseNode
from agents.workflow.nodes.build import build_node
from agents.workflow.nodes.function_node import FunctionNode
from agents.workflow.resume import Standing, read_journal, resumed
from agents.workflow.scheduler import Plan, Schedule

_PAUSE_EVERY = 32
"""Runs of nodes after which other tasks get a turn: a graph of nodes that never wait must not block the event loop."""


class Workflow(BaseNode):
    """A graph of nodes: functions, tools, agents and other graphs.

    A node is run when a node before it has ended, with that one's output as its input; a `JoinNode` when all have. Nodes
    that are due at the same time run in parallel. If one fails, the others are cancelled. If one asks the user, the others
    go on, and then the run pauses. The output of the last node is the output of the graph.

    Attributes:
        edges: Chains of nodes that begin with "START", e.g. `("START", first, (left, right), join)`; a dictionary in a chain
            names the next node by route. They may be given as `graph`, a `Graph`, too.
        max_concurrency: Most nodes that run at a time; None for no limit.
    """

    keeps_its_place: ClassVar[bool] = True

    rerun_on_resume: bool = True
    edges: list[Any] = Field(default_factory=list[Any], exclude=True, repr=False)
    max_concurrency: int | None = None
    _plan: Plan = PrivateAttr()

    @model_validator(mode="before")
    @classmethod
    def _take_graph(cls, given: Any) -> Any:
        """Takes the edges of a `graph`."""
        fields: dict[str, Any] = dict(given)
        graph = fields.pop("graph", None)
        return fields if graph is None else {**fields, "edges": graph.edges}

    def model_post_init(self, context: Any, /) -> None:
        """Reads the edges; the nodes become this agent's children."""
        super().model_post_init(context)
        if self.sub_agents and self.edges:
            raise WorkflowConfigurationError(
                f"Workflow {self.name!r} has edges: they name its nodes, and sub_agents cannot."
            )
        graph = read_edges(self.edges, _node_of_a_graph) if self.edges else Graph()
        self._plan = Plan.of(graph)
        nodes = [node for node in graph.nodes if node is not START]
        if self.state_schema is not None:
            self._check_parameters(nodes)
        self.sub_agents = nodes

    def _check_parameters(self, nodes: Sequence[BaseAgent]) -> None:
        assert self.state_schema is not None
        for node in nodes:
            keys = node.state_keys if isinstance(node, FunctionNode) else []
            if unknown := [key for key in keys if key not in self.state_schema.model_fields]:
                raise StateSchemaError(
                    f"FunctionNode {node.name!r} parameter {unknown[0]!r} is not declared in state_schema "
                    f"{self.state_schema.__name__!r}. Declared fields: {sorted(self.state_schema.model_fields)}."
                )

    def _warn_of_shared_names(self) -> None:
        """Graphs inside of graphs may have nodes of the same names."""

    @property
    def runs_others(self) -> bool:
        """See `BaseNode`."""
        return False

    @property
    def plan(self) -> Plan:
        """Its edges, by the names of the nodes."""
        return self._plan

    @property
    def graph(self) -> Graph:
        """Its nodes and edges."""
        nodes: dict[str, BaseAgent] = {START.name: START, **{node.name: node for node in self.sub_agents}}
        edges = [
            Edge(from_node=nodes[source], to_node=nodes[target], route=None if not routes else list(routes))
            for source, after in self._plan.after.items()
            for target, routes in after
        ]
        return Graph(edges=edges)

    # -- a run

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        if not self._plan.after:
            return
        own = ctx.node_run
        assert own is not None
        if ctx.position is not None and own.above is None:
            own.journal = read_journal(ctx.position, ctx)
        nodes = {node.name: node for node in self.sub_agents}
        schedule = Schedule(self._plan, nodes, own, self.max_concurrency)
        arrivals = Arrivals[NodeRun]()
        try:
            schedule.begin(self.check_input(own.input) if own.above is None else own.input)
            async with aclosing(self._run(ctx, schedule, arrivals)) as events:
                async for event in events:
                    yield event
            if schedule.waiting:
                own.waits = True
                ctx.pause()
            else:
                own.output = self._output_of(schedule)
        except Exception as error:
            if own.above is None and (told := tell(error, own, ctx)) is not None:
                yield told
            raise
        finally:
            await arrivals.close()

    def _output_of(self, schedule: Schedule) -> Any:
        """What the graph gives.

        Raises:
            WorkflowConfigurationError: Several nodes that no edge leaves have given something.
        """
        if len(outputs := schedule.outputs()) > 1:
            raise WorkflowConfigurationError(
                f"Workflow {self.name!r}: multiple terminal nodes produced output ({len(outputs)}), and a workflow has one. "
                "Join them: ((first, second), JoinNode(name=…))."
            )
        return self.check_output(outputs[0]) if outputs else None

    async def _run(
        self, ctx: InvocationContext, schedule: Schedule, arrivals: Arrivals[NodeRun]
    ) -> AsyncGenerator[Event, None]:
        """Runs nodes until none is due."""
        results, ended = schedule.own.journal.results, 0
        ready = partial(_known, schedule, ctx) if schedule.own.journal.is_known else schedule.ready
        due = ready()
        _check_reached(schedule)
        while True:
            for run in due:
                if not schedule.is_alone(run) or not _is_simple(run):
                    run.send, run.run_below = arrivals.send, run_below
                    arrivals.start(partial(follow, run, ctx, arrivals.send))
                    continue
                async with aclosing(_run_here(run, ctx)) as events:
                    async for event in events:
                        yield event
                arrivals.note(run)
            if not schedule.running or ctx.end_invocation:
                return
            arrival = await arrivals.get()
            if isinstance(arrival, NodeRun):
                if not arrival.waits:
                    results[arrival.path] = Result(arrival.output, arrival.route)
                schedule.finish(arrival)
                due = ready()
                ended += 1
                if ended % _PAUSE_EVERY == 0:
                    await asyncio.sleep(0)
            else:
                due = ()
                event, taken = arrival
                yield event
                if not taken.done():  # cancelled with its run
                    taken.set_result(None)


def _node_of_a_graph(item: Any) -> BaseAgent:
    """A node for one graph: a copy of one that another graph has."""
    node = build_node(item)
    return node if node.parent_agent is None else node.clone({"name": node.name})


def _is_simple(run: NodeRun) -> bool:
    """Whether a node can be run without a task of its own."""
    node: BaseAgent = run.agent
    if node.retry_config is not None or node.timeout is not None:
        return False
    return not (isinstance(node, BaseNode) and node.runs_others)


async def _run_here(run: NodeRun, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    """Runs a node that runs alone."""
    try:
        async with aclosing(run_once(run, ctx)) as events:
            async for event in events:
                yield event
    except Exception as error:
        if (told := tell(error, run, ctx)) is not None:
            yield told
        raise


def _known(schedule: Schedule, ctx: InvocationContext) -> Sequence[NodeRun]:
    """The runs to start in a graph that is resumed: what has ended is told to the schedule first, in the same order."""
    order = {path: place for place, path in enumerate(schedule.own.journal.results)}
    due: dict[str, tuple[NodeRun, Standing]] = {}
    while True:
        due.update((run.path, (run, resumed(run, ctx))) for run in schedule.ready())
        settled = [run for run, standing in due.values() if standing is not Standing.RUNS]
        if not settled:
            return [run for run, _ in due.values()]
        run = min(settled, key=lambda one: order.get(one.path, len(order)))
        run.waits = due.pop(run.path)[1] is Standing.WAITS
        schedule.finish(run)


def _check_reached(schedule: Schedule) -> None:
    """Checks that a graph that is resumed is the one that paused.

    Raises:
        AnswerError: It does not lead to a node that has paused.
    """
    own, journal = schedule.own, schedule.own.journal
    known = {*journal.results, *(run.path for run in (*schedule.running.values(), *schedule.waiting.values()))}
    for path, frame in journal.frames.items():
        if path.rpartition("/")[0] == own.path and path not in known and frame.agent not in schedule.due:
            raise AnswerError(
                f"It cannot go on: it paused at node {frame.agent!r} of {own.agent.name!r}, and its graph does not lead to "
                "it any more. The pipeline was changed since: begin a new run."
            )
