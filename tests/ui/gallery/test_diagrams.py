"""Agent trees as Graphviz text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import LlmAgent, LoopAgent, ParallelAgent, SequentialAgent
from agents.pipeline import describe_tree
from ui.gallery.diagrams import diagram, in_words


def leaf(name: str, **more):
    return {"name": name, "type": "LlmAgent", "kind": "LlmAgent", "description": "", "tools": [], "children": [], **more}


def node_of(drawn: str, label: str) -> str:
    found = re.search(rf'(n\d+) \[label="{re.escape(label)}', drawn)
    assert found, drawn
    return found[1]


def has_edge(drawn: str, start: str, end: str, *said: str) -> bool:
    line = next((x for x in drawn.splitlines() if x.startswith(f"{node_of(drawn, start)} -> {node_of(drawn, end)} ")), "")
    return bool(line) and all(words in line for words in said)


WRITING = SequentialAgent(
    name="Writing",
    sub_agents=[
        LlmAgent(name="FirstAgent"),
        LoopAgent(name="Round", max_iterations=5, sub_agents=[LlmAgent(name="Critic"), LlmAgent(name="Refiner")]),
    ],
)


def test_a_sequence_leads_into_a_loop_and_the_loop_back():
    drawn = diagram(describe_tree(WRITING), large=True)
    assert has_edge(drawn, "FirstAgent", "Critic", 'lhead="cluster_')
    assert has_edge(drawn, "Critic", "Refiner")
    assert has_edge(drawn, "Refiner", "Critic", 'class="again"')
    assert "Writing: in order" in drawn
    assert "Round: again, at most 5×" in drawn


def test_a_small_one_says_less():
    drawn = diagram(describe_tree(WRITING))
    assert "in order" not in drawn
    assert 'label="First"' in drawn
    assert 'label="again, at most 5×"' in drawn


def test_what_runs_at_the_same_time_has_no_order():
    tree = ParallelAgent(name="Both", sub_agents=[LlmAgent(name="A"), LlmAgent(name="B")])
    drawn = diagram(describe_tree(tree), large=True)
    assert "Both: at the same time" in drawn
    assert "->" not in drawn


def test_a_router_leads_to_each_by_its_key():
    tree = leaf(
        "Router", kind="RoutedAgent", children=[leaf("Big"), leaf("Small")], routes={"hard": "Big", "Small": "Small"}
    )
    drawn = diagram(tree)
    assert has_edge(drawn, "Router", "Big", 'label=" hard "')
    assert has_edge(drawn, "Router", "Small")
    assert not has_edge(drawn, "Router", "Small", "label=")


def test_transfers_lead_there_and_where_it_is_allowed_back():
    desk = leaf("Desk", children=[leaf("Billing", transfers=["Desk"]), leaf("Support", transfers=["Billing"])])
    drawn = diagram(desk)
    assert has_edge(drawn, "Desk", "Billing", "hands over", 'dir="both"')
    assert has_edge(drawn, "Desk", "Support", "hands over")
    assert not has_edge(drawn, "Desk", "Support", "dir=")


def test_an_agent_that_is_a_tool_hangs_on_its_caller_and_is_no_tool_in_the_list():
    drawn = diagram(leaf("Writer", tools=["Searcher", "save"], agent_tools={"Searcher": leaf("Searcher")}), large=True)
    assert has_edge(drawn, "Writer", "Searcher", "calls")
    assert "⚒ save" in drawn
    assert "⚒ Searcher" not in drawn


def test_many_tools_are_counted():
    drawn = diagram(leaf("Writer", tools=list("abcdefg")), large=True)
    assert "⚒ d +3" in drawn
    assert "⚒ e" not in drawn
    assert "⚒" not in diagram(leaf("Writer", tools=["a"]))


def test_models_that_are_chosen_among_are_drawn():
    assert has_edge(diagram(leaf("Writer"), {"Writer": {"fast": "small-1"}}), "Writer", "small-1", 'label=" fast "')


def test_an_agent_keeps_its_colour_where_it_stands_twice():
    drawn = diagram(leaf("A", children=[leaf("B"), leaf("A")]))
    assert drawn.count("agent hue-0") == 2
    assert drawn.count("agent hue-1") == 1


def test_colours_are_counted_as_the_session_view_counts_them():
    inner = leaf("Inner", kind="BaseAgent")
    tree = leaf(
        "Choice", kind="RoutedAgent", children=[leaf("A", children=[leaf("C")], agent_tools={"Inner": inner}), leaf("B")]
    )
    drawn = diagram(tree)
    hues = {name: re.search(rf'label="{name}", class="\w+ (hue-\d)"', drawn)[1] for name in ("A", "C", "Inner", "B")}
    assert hues == {"A": "hue-0", "C": "hue-1", "Inner": "hue-2", "B": "hue-3"}


@pytest.mark.parametrize("kind", ["SequentialAgent", "LoopAgent", "ParallelAgent", "RoutedAgent"])
def test_one_that_runs_nothing_is_a_node(kind):
    assert 'label="Empty"' in diagram(leaf("Empty", kind=kind))


LABEL = r'"(?:[^"\\]|\\.)*"'


@given(st.text(min_size=1))
def test_no_name_gets_out_of_its_label(name):
    tree = leaf("Root", kind="SequentialAgent", children=[leaf(name, tools=[name]), leaf("other")])
    drawn = diagram(tree, {name: {name: name}}, large=True)
    bare = re.sub(LABEL, "", drawn)
    assert '"' not in bare
    assert "<" not in drawn
    assert re.fullmatch(r"[\x20-\x7e\n]*", bare)
    assert bare.count("[") == bare.count("]") == len(re.findall(r"(?m)^(?:n\d+|node|edge)\b.*\[|node \[", bare))


def test_a_tree_reads_as_a_sentence():
    assert in_words(describe_tree(WRITING)) == (
        "Writing (one after the other) with FirstAgent (asks a model), "
        "Round (again and again) with Critic (asks a model), Refiner (asks a model)"
    )
