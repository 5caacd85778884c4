"""What keeps a built-in pipeline from failing, and what the review would say without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agents.agent import BaseAgent
from agents.llm.llm_agent import LlmAgent
from agents.pipeline import Pipeline
from agents.review.all_rules import review
from agents.review.finding import Finding
from agents.review.team_view import tools_of
from agents.tools.agent_tool import AgentTool

Changes = Mapping[str, Any] | Callable[[BaseAgent], Mapping[str, Any]] | None
"""An agent's other fields, or what makes them of the agent; None: the agent is removed."""


@dataclass(frozen=True, slots=True)
class Safeguard:
    """A part of a pipeline that is there for a reason.

    Attributes:
        text: What it is, e.g. "the tool exit_loop of RefinerAgent".
        without: The agents without it, by name.
    """

    text: str
    without: Mapping[str, Changes]


def changed_copy(root: BaseAgent, changes: Mapping[str, Changes]) -> BaseAgent:
    """A copy of a team in which agents have other fields, which are not checked.

    Agents that are called as tools are copied too: a clone shares them with the original.
    """
    copy = root.clone(update={"name": root.name})
    for one in _all_of(copy):
        if isinstance(one, LlmAgent):
            tools = [
                AgentTool(changed_copy(tool.agent, changes)) if isinstance(tool, AgentTool) else tool for tool in one.tools
            ]
            vars(one)["tools"] = tools
        vars(one)["sub_agents"] = [child for child in one.sub_agents if changes.get(child.name, {}) is not None]
        change = changes.get(one.name) or {}
        vars(one).update(change(one) if callable(change) else change)
    return copy


def without_safeguard(pipeline: Pipeline) -> tuple[str, list[Finding]] | None:
    """A built-in pipeline's safeguard, and what the review finds without it; None if no rule looks at what keeps it safe."""
    if (safeguard := _SAFEGUARDS.get(pipeline.name)) is None:
        return None
    card = pipeline.card
    changed = changed_copy(pipeline.root_agent, safeguard.without)
    return safeguard.text, review(changed, given={*card.first_state, *filter(None, [card.message_key])})


def _all_of(agent: BaseAgent) -> list[BaseAgent]:
    return [agent, *(one for child in agent.sub_agents for one in _all_of(child))]


def _no_exit(agent: BaseAgent) -> Mapping[str, Any]:
    tools = tools_of(agent) if isinstance(agent, LlmAgent) else {}
    return {"tools": [tool for name, tool in tools.items() if name != "exit_loop"]}


_SAFEGUARDS: dict[str, Safeguard] = {
    "iterative_writing": Safeguard("the tool exit_loop of RefinerAgent", {"RefinerAgent": _no_exit}),
    "banana_painter": Safeguard("the tool exit_loop of both agents", {"PainterAgent": _no_exit, "CheckerAgent": _no_exit}),
    "status_poller": Safeguard(
        "the check that ends the loop, and the tool exit_loop", {"PollingWorker": _no_exit, "CheckStatus": None}
    ),
    "code_refinement": Safeguard("CodeChecker, which runs the code and ends the loop", {"CodeChecker": None}),
    "fact_check": Safeguard("the state that FactEditor is shown", {"FactEditor": {"instruction": "Mend the draft."}}),
    "data_pipeline": Safeguard(
        "the state that TableReporter is shown", {"TableReporter": {"instruction": "Report the table."}}
    ),
    "approval": Safeguard("the state that ReceiptAgent is shown", {"ReceiptAgent": {"instruction": "Write a receipt."}}),
    "research_fanout": Safeguard("a state key for each branch", {"Scientist": {"output_key": "history_notes"}}),
    "report_writer": Safeguard("the description of Searcher", {"Searcher": {"description": ""}}),
    "help_desk": Safeguard("the description of OrderAgent", {"OrderAgent": {"description": ""}}),
}
