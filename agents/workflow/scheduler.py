"""Which nodes of a graph are run next. A pure state machine: it starts nothing and waits for nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from agents.agent import BaseAgent
from agents.event import RouteValue
from agents.runtime.nodes.node_run import NodeRun
from agents.workflow.graph import DEFAULT_ROUTE, Graph
from agents.workflow.nodes.base_node import START, BaseNode

Routes = tuple[RouteValue, ...]


class Plan(NamedTuple):
    """A graph by names, so that a copy of its nodes can be run with it.

    Attributes:
        after: The edges that leave each node, as target and routes.
        before: The nodes before each node.
        joins: The nodes that wait for all before them.
        terminals: The nodes that no edge leaves.
    """

    after: Mapping[str, list[tuple[str, Routes]]]
    before: Mapping[str, list[str]]
    joins: frozenset[str]
    terminals: tuple[str, ...]

    @classmethod
    def of(cls, graph: Graph) -> Plan:
        """The plan of a graph."""
        after: dict[str, list[tuple[str, Routes]]] = {}
        before: dict[str, list[str]] = {}
        for edge in graph.edges:
            source, target = edge.from_node.name, edge.to_node.name
            after.setdefault(source, []).append((target, edge.routes))
            if source not in before.setdefault(target, []):
                before[target].append(source)
        joins = frozenset(node.name for node in graph.nodes if isinstance(node, BaseNode) and node.waits_for_all)
        return cls(after, before, joins, tuple(graph.terminals))

    def targets(self, name: str, route: Any) -> list[str]:
        """The nodes to run after one that gave a route."""
        given = set[Any](cast("list[Any]", route)) if isinstance(route, list) else {route}
        found: list[str] = []
        otherwise: list[str] = []
        is_matched = False
        for target, routes in self.after.get(name, ()):
            if not routes:
                found.append(target)
            elif routes == (DEFAULT_ROUTE,):
                otherwise.append(target)
            elif not given.isdisjoint(routes):
                found.append(target)
                is_matched = True
        return found if is_matched else found + otherwise


class Trigger(NamedTuple):
    """Why a node is to be run: an input, and the branch that it came from."""

    input: Any
    is_fan_out: bool
    branch: str | None


@dataclass(slots=True)
class Schedule:
    """A graph under way.

    Attributes:
        plan: Its edges.
        nodes: Its nodes by name.
        own: The run of the graph.
        most: Most nodes that run at a time; None for no limit.
        running: The runs under way, by node.
        waiting: The runs that wait for the user, by node.
        due: Why nodes are to be run that are not yet, by node.
    """

    plan: Plan
    nodes: Mapping[str, BaseAgent]
    own: NodeRun
    most: int | None = None
    running: dict[str, NodeRun] = field(default_factory=dict[str, NodeRun])
    waiting: dict[str, NodeRun] = field(default_factory=dict[str, NodeRun])
    due: dict[str, list[Trigger]] = field(default_factory=dict[str, list[Trigger]])
    _ended: dict[str, NodeRun] = field(default_factory=dict[str, NodeRun])
    _arrived: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    _outputs: dict[str, Any] = field(default_factory=dict[str, Any])

    def begin(self, given: Any) -> None:
        """Begins at START with an input."""
        own = self.own
        own.counts = {}
        self._ended[START.name] = NodeRun(START, "", branch=own.branch)
        self._ended[START.name].output = given
        self._lead_on(START.name, given, None, own.branch)

    def ready(self) -> Iterator[NodeRun]:
        """The runs to start now; they count as running."""
        for name in list(self.due):
            if name in self.running or name in self.waiting:
                continue
            if self.most is not None and 0 < self.most <= len(self.running):
                return
            triggers = self.due[name]
            trigger = triggers.pop(0)
            if not triggers:
                del self.due[name]
            self.running[name] = run = self._run_of(name, trigger)
            if isinstance(run.agent, BaseNode) and run.input is not None:
                run.input = run.agent.check_input(run.input)
            yield run

    def _run_of(self, name: str, trigger: Trigger) -> NodeRun:
        own, node = self.own, self.nodes[name]
        self._ended.pop(name, None)
        path = own.next_path(name)
        branch = trigger.branch
        if trigger.is_fan_out:
            segment = path.rpartition("/")[2]
            branch = f"{branch}.{segment}" if branch else segment
        return NodeRun(
            node,
            path,
            trigger.input,
            branch,
            above=own,
            journal=own.journal,
            gives_output=name in self.plan.terminals,
            schema=node.state_schema or own.schema,
        )

    def is_alone(self, run: NodeRun) -> bool:
        """Whether a run is the only one, and no other is due."""
        return len(self.running) == 1 and not self.due

    def finish(self, run: NodeRun) -> None:
        """Takes the end of a run, and what it leads to."""
        node: BaseAgent = run.agent
        name = node.name
        del self.running[name]
        if run.waits:
            self.waiting[name] = run
            return
        if node.wait_for_output and run.output is None and run.route is None:
            return
        self._ended[name] = run
        self._outputs[name] = run.output
        self._lead_on(name, run.output, run.route, run.branch)

    def _lead_on(self, name: str, output: Any, route: Any, branch: str | None) -> None:
        targets = self.plan.targets(name, route)
        is_fan_out = len(targets) > 1
        for target in targets:
            if target in self.plan.joins:
                self._arrived.setdefault(target, set()).add(name)
                self._join(target)
            else:
                self.due.setdefault(target, []).append(Trigger(output, is_fan_out, branch))

    def _join(self, name: str) -> None:
        """Runs a join if each node before it has ended since the join was last run."""
        before = self.plan.before[name]
        arrived = self._arrived[name]
        if not all(each == START.name or (each in arrived and each in self._ended) for each in before):
            return
        del self._arrived[name]
        runs = {each: self._ended[each] for each in before}
        branch = _common([run.branch for run in runs.values()])
        outputs = {each: run.output for each, run in runs.items()}
        self.due.setdefault(name, []).append(Trigger(outputs, is_fan_out=False, branch=branch))

    def outputs(self) -> list[Any]:
        """The outputs of the nodes that no edge leaves."""
        found = (self._outputs.get(name) for name in self.plan.terminals)
        return [output for output in found if output is not None]


def _common(branches: list[str | None]) -> str | None:
    """The branch around some branches."""
    paths = [branch.split(".") if branch else [] for branch in branches]
    shared: list[str] = []
    for names in zip(*paths, strict=False):
        if len(set(names)) > 1:
            break
        shared.append(names[0])
    return ".".join(shared) or None
