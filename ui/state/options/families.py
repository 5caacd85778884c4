"""Families of patterns: the structure of its agent tree decides a pipeline's place in lists.

Trees are described, and families found, once per process: lists of all pipelines need them in each script run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from agents import PipelineLoadError
from agents.pipelines import BUILT_IN, Catalog, Pipeline, all_agents
from ui.state.options import faults

OWN, TOOLS, PERSON, GRAPHS = "Your own", "Tools and delegation", "A person in the loop", "Graphs"

FAMILIES: dict[str, str] = {
    OWN: "Your teams, and the pipelines from the folder in --agents.",
    "In order": "One agent after the other, or several at a time: the order is code, not a model's choice.",
    "Loops": "Agents repeat until one of them says that the result is good enough.",
    "Routing": "A router chooses the agent or model that answers, and may choose another if it fails.",
    TOOLS: "An agent calls functions, calls other agents, or transfers to them.",
    PERSON: "The run waits for a person, for as long as it takes.",
    GRAPHS: "Nodes and edges: what a node gives decides which one is next. Functions, agents and questions are nodes.",
    "Learning": "A session writes what it learns into a playbook, and the next session answers with it.",
}
"""Family → what its patterns have in common; in the order of lists, from easy to hard."""

_trees: dict[str, tuple[Pipeline, dict[str, Any]]] = {}
_families: dict[str, str] = {}
"""Of the built-in pipelines."""


def tree_of(pipeline: Pipeline) -> dict[str, Any]:
    """The pipeline's agent tree see `Pipeline.tree`; read-only."""
    known = _trees.get(pipeline.name)
    if known is None or known[0] is not pipeline:
        known = _trees[pipeline.name] = (pipeline, pipeline.tree)
    return known[1]


def family_of(pipeline: Pipeline) -> str:
    """A pipeline's family."""
    if pipeline.name not in BUILT_IN:
        return OWN
    if (known := _families.get(pipeline.name)) is None:
        known = _families[pipeline.name] = _family_of_built_in(pipeline)
    return known


def _family_of_built_in(pipeline: Pipeline) -> str:
    if tree_of(pipeline)["kind"] == "Workflow":
        return GRAPHS
    if any(_waits(tool) for agent in all_agents(pipeline.root_agent) for tool in getattr(agent, "tools", ())):
        return PERSON
    return _family_by_tree(pipeline)


def _family_by_tree(pipeline: Pipeline) -> str:
    nodes = list(_nodes(tree_of(pipeline)))
    kinds = {node["kind"] for node in nodes}
    if any(node["type"] == "ApplyDelta" for node in nodes):
        return "Learning"
    if "RoutedAgent" in kinds or faults.choices_of_models(pipeline.root_agent):
        return "Routing"
    if any(node.get("agent_tools") or (node["kind"] == "LlmAgent" and node["children"]) for node in nodes):
        return TOOLS
    if "LoopAgent" in kinds:
        return "Loops"
    return "In order" if kinds & {"SequentialAgent", "ParallelAgent"} else TOOLS


def by_family(catalog: Catalog) -> dict[str, list[Pipeline]]:
    """The pipelines that load, by family, in the order of families, then of the catalog."""
    found: dict[str, list[Pipeline]] = {family: [] for family in FAMILIES}
    for name in catalog.names():
        with suppress(PipelineLoadError):
            pipeline = catalog.get(name)
            found[family_of(pipeline)].append(pipeline)
    return {family: pipelines for family, pipelines in found.items() if pipelines}


def in_order(catalog: Catalog, names: list[str]) -> list[str]:
    """`names`, grouped by family."""
    order = [pipeline.name for pipelines in by_family(catalog).values() for pipeline in pipelines]
    return sorted(names, key=lambda name: order.index(name) if name in order else len(order))


def _nodes(tree: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield tree
    for child in (*tree["children"], *(tree.get("agent_tools") or {}).values()):
        yield from _nodes(child)


def _waits(tool: Any) -> bool:
    """Whether a tool waits for the user. A tool that asks in its own code is not recognized."""
    return bool(getattr(tool, "is_long_running", False) or getattr(tool, "require_confirmation", False))
