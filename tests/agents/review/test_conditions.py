"""Conditions that are data: what the review finds in the end of a loop and in the rules of a router."""

from __future__ import annotations

from typing import Any

import pytest

from agents import BaseAgent, LlmAgent, LoopAgent, RoutedAgent, Rule, Rules, SequentialAgent
from agents.review import review


def routed(*rules: dict[str, Any]) -> RoutedAgent:
    agents = [LlmAgent(name="bills", instruction="Answer."), LlmAgent(name="repairs", instruction="Mend.")]
    return RoutedAgent(name="desk", agents=agents, router=Rules([Rule(**rule) for rule in rules]))


def looped(**until: Any) -> LoopAgent:
    critic = LlmAgent(name="critic", instruction="Judge.", output_key="verdict")
    return LoopAgent(name="loop", sub_agents=[critic], until=until)


CONDITIONS: list[tuple[BaseAgent, set[tuple[str, str]]]] = [
    (looped(state="verdict", equals="good"), set()),
    (looped(state="verdict.passed"), set()),
    (looped(agent="critic", contains="good"), set()),
    (looped(state="verdikt", equals="good"), {("condition-never-holds", "loop")}),
    (looped(agent="critik", contains="good"), {("condition-never-holds", "loop")}),
    (routed({"contains": "pay", "to": "bills"}, {"to": "repairs"}), set()),
    (routed({"ask": "Who?"}, {"to": "bills"}), set()),
    (routed({"state": "app:mode", "to": "bills"}, {"to": "repairs"}), set()),
    (routed({"state": "mode", "to": "bills"}, {"to": "repairs"}), {("condition-never-holds", "desk")}),
    (routed({"to": "bils"}, {"to": "bills"}, {"to": "repairs"}), {("rules-of-a-router", "desk")}),
    (routed({"contains": "pay", "to": "bills"}, {"contains": "mend", "to": "repairs"}), {("rules-of-a-router", "desk")}),
    (routed({"to": "bills"}), {("rules-of-a-router", "repairs")}),
    (routed({"to": "bills"}, {"error": True, "to": "repairs"}), set()),
]


@pytest.mark.parametrize(("team", "findings"), CONDITIONS)
def test_conditions_that_are_data(team, findings):
    assert {(finding.rule.id, finding.agent) for finding in review(team)} == findings


@pytest.mark.parametrize(
    ("rule", "found"), [({"contains": "y", "to": "c"}, []), ({"error": True, "to": "c"}, [("fallback-too-late", "desk")])]
)
def test_only_a_rule_for_errors_is_a_fallback(rule, found):
    steps = [LlmAgent(name="a", instruction="Begin."), LlmAgent(name="b", instruction="End.")]
    agents = [SequentialAgent(name="slow", sub_agents=steps), LlmAgent(name="c", instruction="Answer.")]
    rules = [Rule(contains="x", to="slow"), Rule(**rule), Rule(to="c")]
    review_of = review(RoutedAgent(name="desk", agents=agents, router=Rules(rules)))
    assert [(finding.rule.id, finding.agent) for finding in review_of] == found
