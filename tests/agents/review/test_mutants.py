"""Built-in pipelines have no finding; each mutant of one is found, by the rule of its kind and at its place."""

from __future__ import annotations

from typing import Any

import pytest

from agents import FunctionTool, LlmAgent, LoopAgent, ReadonlyContext, SequentialAgent, ToolContext, google_search
from agents.pipelines.catalog import Catalog
from agents.review import RULES, review, review_pipeline, without_safeguard
from agents.review.safeguards import changed_copy

CATALOG = Catalog()


def bare(place: str) -> str:
    return place


def untyped(place):
    """Looks a place up."""
    return place


def without_tool(agent: Any, name: str) -> list[Any]:
    return [tool for tool in agent.tools if getattr(tool, "name", getattr(tool, "__name__", "")) != name]


CRITIC_TEXT = "You judge the text {current_document}. Say what is missing, or call exit_loop."
MUTANTS: list[tuple[str, str, dict[str, Any] | None, str, str]] = [
    ("iterative_writing", "CriticAgent", {"instruction": "Judge {current_documnt}."}, "unwritten-state", "CriticAgent"),
    ("iterative_writing", "RefinerAgent", {"instruction": "Mend it by {critique}."}, "unwritten-state", "RefinerAgent"),
    ("iterative_writing", "CriticAgent", {"output_key": "critcism"}, "unread-output", "CriticAgent"),
    ("iterative_writing", "CriticAgent", {"output_key": "critcism"}, "unwritten-state", "RefinerAgent"),
    ("iterative_writing", "InitialWriterAgent", {"output_key": None}, "unwritten-state", "CriticAgent"),
    ("iterative_writing", "RefinerAgent", {"tools": []}, "loop-ends-by-limit-only", "RefinementLoop"),
    ("iterative_writing", "CriticAgent", {"instruction": CRITIC_TEXT}, "missing-tool", "CriticAgent"),
    ("iterative_writing", "InitialWriterAgent", {"name": "CriticAgent"}, "same-name", "CriticAgent"),
    ("iterative_writing", "RefinementLoop", {"sub_agents": []}, "empty-loop", "RefinementLoop"),
    ("banana_painter", "BananaPainter", {"max_iterations": None, "sub_agents": []}, "empty-loop", "BananaPainter"),
    ("fact_check", "FactCritic", {"instruction": "Check {drft}."}, "unwritten-state", "FactCritic"),
    ("fact_check", "FactWriter", {"output_key": "first_text"}, "unread-output", "FactWriter"),
    ("fact_check", "FactCritic", {"output_key": "critique"}, "unread-output", "FactCritic"),
    ("fact_check", "FactEditor", {"instruction": "Mend it.", "include_contents": "none"}, "sees-nothing", "FactEditor"),
    ("fact_check", "FactEditor", {"instruction": ""}, "no-instruction", "FactEditor"),
    ("research_fanout", "Scientist", {"output_key": "history_notes"}, "parallel-same-key", "Scientist"),
    ("research_fanout", "Observer", {"output_key": "science_notes"}, "parallel-same-key", "Observer"),
    ("research_fanout", "Scientist", {"instruction": "Go on with {history_notes?}."}, "parallel-reads-sibling", "Scientist"),
    ("research_fanout", "Historian", {"output_key": "past_facts"}, "unread-output", "Historian"),
    ("research_fanout", "Observer", {"output_key": "everday_notes"}, "unread-output", "Observer"),
    ("research_fanout", "Synthesiser", {"instruction": "Join {history_note}."}, "unwritten-state", "Synthesiser"),
    ("report_writer", "Searcher", {"tools": [FunctionTool(untyped)]}, "untyped-parameter", "Searcher"),
    ("help_desk", "OrderAgent", {"description": ""}, "target-without-description", "OrderAgent"),
    ("help_desk", "BillAgent", {"description": " "}, "target-without-description", "BillAgent"),
    ("help_desk", "OrderAgent", {"tools": [bare]}, "tool-without-description", "OrderAgent"),
    ("help_desk", "OrderAgent", {"tools": [untyped]}, "untyped-parameter", "OrderAgent"),
    ("help_desk", "HelpDesk", {"tools": [google_search]}, "built-in-beside-functions", "HelpDesk"),
    ("tool_loop", "FileKeeper", {"instruction": "Use `load_memory` first."}, "missing-tool", "FileKeeper"),
    ("approval", "PayAgent", {"instruction": "Pay what {payment} says."}, "unwritten-state", "PayAgent"),
    ("data_pipeline", "TableProcessor", {"instruction": "Total {valdation}."}, "unwritten-state", "TableProcessor"),
    ("data_pipeline", "TableReporter", {"instruction": "Report {results}."}, "unwritten-state", "TableReporter"),
    ("code_refinement", "CodeChecker", None, "loop-ends-by-limit-only", "RefinementLoop"),
]  # fmt: skip
"""Pipeline, agent, the fields that are changed (None: the agent is removed), the rule, and where it must be found."""


@pytest.mark.parametrize("name", CATALOG.names())
def test_a_built_in_pipeline_has_no_finding(name):
    assert review_pipeline(CATALOG.get(name)) == []


@pytest.mark.parametrize(("name", "agent", "changes", "rule", "place"), MUTANTS)
def test_a_mutant_is_found_at_its_place(name, agent, changes, rule, place):
    pipeline = CATALOG.get(name)
    card = pipeline.card
    changed = changed_copy(pipeline.root_agent, {agent: changes})
    found = review(changed, given={*card.first_state, *filter(None, [card.message_key])})
    assert (rule, place) in {(finding.rule.id, finding.agent) for finding in found}


def test_without_its_safeguard_a_built_in_pipeline_has_findings():
    known = {name: found for name in CATALOG.names() if (found := without_safeguard(CATALOG.get(name)))}
    assert len(known) == 10
    for name, (text, findings) in known.items():
        assert findings, name
        for agent in (word for word in text.replace(",", "").split() if word[0].isupper()):
            assert CATALOG.get(name).root_agent.find_agent(agent) or name == "report_writer", text


def test_a_loop_that_nothing_can_end_is_an_error():
    inner = CATALOG.get("fact_check").root_agent.clone()
    (found,) = [one for one in review(LoopAgent(name="loop", sub_agents=[inner])) if one.rule.id == "endless-loop"]
    assert (found.rule.level, found.agent, found.field) == ("error", "loop", "max_iterations")


def test_rules_have_names_of_their_own_and_say_why():
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert all(rule.why.endswith(".") for rule in RULES)


def test_keys_that_code_computes_or_a_model_decides_over_are_no_finding():
    def memorize(key: str, value: str, tool_context: ToolContext) -> str:
        """Keeps something."""
        tool_context.state[key] = value
        return "kept"

    assert review(LlmAgent(name="a", instruction="You know {profile}.", tools=[memorize])) == []
    helper = LlmAgent(name="helper", description="Helps.", instruction="Go on from {plan}.")
    top = LlmAgent(name="top", instruction="Plan, then ask helper.", output_key="plan", sub_agents=[helper])
    assert review(top) == []


def out_of_chosen(context: ReadonlyContext) -> str:
    return "\n".join(context.state.get(f"{name}_out", "") for name in context.state["chosen"])


def out_of_b(context: ReadonlyContext) -> str:
    return context.state.get("b_out", "")


@pytest.mark.parametrize(("tell", "unread"), [(out_of_chosen, []), (out_of_b, [("unread-output", "a")])])
def test_keys_that_code_computes_to_read_are_read(tell, unread):
    workers = [LlmAgent(name=name, instruction=f"Do {name}.", output_key=f"{name}_out") for name in "ab"]
    team = SequentialAgent(name="s", sub_agents=[*workers, LlmAgent(name="end", instruction=tell)])
    assert [(one.rule.id, one.agent) for one in review(team)] == unread
