"""Makes a card for a pipeline that has none, from its agent tree."""

from __future__ import annotations

from agents.agent import BaseAgent
from agents.pipeline import Card, kind_of
from agents.pipelines.markdown import escape_markdown

_PATTERNS = {
    "LoopAgent": "Loop",
    "SequentialAgent": "Sequential pipeline",
    "ParallelAgent": "Parallel fan-out",
    "RoutedAgent": "Routing",
    "Workflow": "Graph",
}


def plain_card(name: str, root_agent: BaseAgent) -> Card:
    """What can be said of an agent tree by looking at it.

    Args:
        name: The pipeline's name; its words become the title.
        root_agent: The tree.
    """
    kind = kind_of(root_agent)
    return Card(
        title=name.replace("_", " ").strip().capitalize() or name,
        pattern=_PATTERNS.get(kind) or _pattern_of_one(kind, root_agent),
        summary=root_agent.description.strip() or _summary(root_agent),
        lesson="The agents of this pipeline:\n\n" + "\n".join(_outline(root_agent, 0)),
        samples=("Hello! What can you do?",),
        ends_when=_ends_when(root_agent, kind),
    )


def _pattern_of_one(kind: str, agent: BaseAgent) -> str:
    if kind != "LlmAgent":
        return "Custom agent"
    return "Coordinator" if agent.sub_agents else "Single agent"


def _summary(agent: BaseAgent) -> str:
    children = [child.name for child in agent.sub_agents]
    kind = type(agent).__name__
    article = "An" if kind[0] in "AEIOU" else "A"
    return f"{article} {kind} of {', '.join(children)}." if children else f"{article} {kind} called {agent.name}."


def _outline(agent: BaseAgent, depth: int) -> list[str]:
    about = f": {escape_markdown(' '.join(agent.description.split()))}" if agent.description.strip() else ""
    line = f"{'    ' * depth}- **{escape_markdown(agent.name)}** ({escape_markdown(type(agent).__name__)}){about}"
    return [line, *(below for child in agent.sub_agents for below in _outline(child, depth + 1))]


def _ends_when(agent: BaseAgent, kind: str) -> str:
    if kind == "LoopAgent":
        most = getattr(agent, "max_iterations", None)
        ends = ["An agent escalates", *map(str, getattr(agent, "until", ()))]
        return ", or ".join(ends + ([] if most is None else [f"after {most} passes"])) + "."
    if kind == "SequentialAgent":
        return "Its last agent is done."
    if kind == "Workflow":
        return "No node is due any more."
    if kind == "ParallelAgent":
        return "All of its agents are done."
    return "Its agent is done."
