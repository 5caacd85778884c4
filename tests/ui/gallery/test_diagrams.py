"""Agent trees as boxes."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import LlmAgent, LoopAgent, ParallelAgent, SequentialAgent
from agents.pipeline import describe_tree
from ui.gallery.diagrams import diagram, in_words


def leaf(name: str, **more):
    return {"name": name, "type": "LlmAgent", "kind": "LlmAgent", "description": "", "tools": [], "children": [], **more}


def boxes(drawn: str) -> list[str]:
    """Names in boxes, in the order of the page."""
    return [html.unescape(found) for found in re.findall(r'<span class="box [^"]*">([^<]*)', drawn)]


def branches(drawn: str) -> list[tuple[str, str]]:
    """Labels of branches, each with the name in the box behind it."""
    found = re.findall(r'<span class="label">([^<]*)</span>(?:<[^>]*>)*?<span class="box [^"]*">([^<]*)', drawn)
    return [(html.unescape(label), html.unescape(name)) for label, name in found]


WRITING = SequentialAgent(
    name="Writing",
    sub_agents=[
        LlmAgent(name="FirstAgent"),
        LoopAgent(name="Round", max_iterations=5, sub_agents=[LlmAgent(name="Critic"), LlmAgent(name="Refiner")]),
    ],
)


def test_a_sequence_leads_into_a_loop():
    drawn = diagram(describe_tree(WRITING), large=True)
    assert boxes(drawn) == ["FirstAgent", "Critic", "Refiner"]
    assert re.search(r'class="frame sequence"><span class="how">Writing: in order<', drawn)
    assert re.search(r'class="frame loop"><span class="how">Round: again, at most 5×<.*Critic.*Refiner', drawn)


def test_a_small_one_says_less():
    drawn = diagram(describe_tree(WRITING))
    assert "in order" not in drawn.partition(">")[2]
    assert boxes(drawn) == ["First", "Critic", "Refiner"]
    assert '<span class="how">again, at most 5×</span>' in drawn


def test_what_runs_at_the_same_time_has_no_order():
    tree = ParallelAgent(name="Both", sub_agents=[LlmAgent(name="A"), LlmAgent(name="B")])
    drawn = diagram(describe_tree(tree), large=True)
    assert "Both: at the same time" in drawn
    assert '<div class="stack"><div><span class="box agent hue-0">A</span></div><div>' in drawn
    assert 'class="row"' not in drawn


def test_a_router_leads_to_each_by_its_key():
    tree = leaf(
        "Router", kind="RoutedAgent", children=[leaf("Big"), leaf("Small")], routes={"hard": "Big", "Small": "Small"}
    )
    drawn = diagram(tree)
    assert boxes(drawn) == ["Router", "Big", "Small"]
    assert branches(drawn) == [("hard", "Big")]


def test_transfers_lead_there_and_where_it_is_allowed_back():
    desk = leaf("Desk", children=[leaf("Billing", transfers=["Desk"]), leaf("Support", transfers=["Billing"])])
    assert branches(diagram(desk)) == [("hands over, and back", "Billing"), ("hands over", "Support")]


def test_an_agent_that_is_a_tool_hangs_on_its_caller_and_is_no_tool_in_the_list():
    drawn = diagram(leaf("Writer", tools=["Searcher", "save"], agent_tools={"Searcher": leaf("Searcher")}), large=True)
    assert branches(drawn) == [("calls", "Searcher")]
    assert "⚒ save" in drawn
    assert "⚒ Searcher" not in drawn


def test_many_tools_are_counted():
    drawn = diagram(leaf("Writer", tools=list("abcdefg")), large=True)
    assert "<small>⚒ d</small><small>+3 tools</small>" in drawn
    assert "⚒ e" not in drawn
    assert "⚒" not in diagram(leaf("Writer", tools=["a"]))


def test_models_that_are_chosen_among_are_drawn():
    assert branches(diagram(leaf("Writer"), {"Writer": {"fast": "small-1"}})) == [("fast", "small-1")]


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
    hues = {name: re.search(rf'class="box \w+ (hue-\d)">{name}<', drawn)[1] for name in ("A", "C", "Inner", "B")}
    assert hues == {"A": "hue-0", "C": "hue-1", "Inner": "hue-2", "B": "hue-3"}


@pytest.mark.parametrize("kind", ["SequentialAgent", "LoopAgent", "ParallelAgent", "RoutedAgent"])
def test_one_that_runs_nothing_is_a_box(kind):
    assert boxes(diagram(leaf("Empty", kind=kind))) == ["Empty"]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[tuple[str, tuple[str, ...]]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add((tag, tuple(sorted(name for name, _ in attrs))))


@given(st.text(min_size=1))
def test_no_name_is_read_as_html(name):
    tree = leaf("Root", kind="SequentialAgent", children=[leaf(name, tools=[name]), leaf("other")])
    tags = Tags()
    tags.feed(diagram(tree, {name: {name: name}}, large=True))
    root = ("div", ("aria-label", "class", "role"))
    box = ("span", ("class", "title"))  # a name that was cut
    assert tags.found <= {root, ("div", ()), ("div", ("class",)), ("span", ("class",)), box, ("small", ())}


def test_a_tree_reads_as_a_sentence():
    assert in_words(describe_tree(WRITING)) == (
        "Writing (one after the other) with FirstAgent (asks a model), "
        "Round (again and again) with Critic (asks a model), Refiner (asks a model)"
    )


def test_a_name_that_is_cut_is_whole_on_hover():
    name = "SummariserOfQuarterlyFinancialStatements"
    assert f' title="{name}">SummariserOfQuarterlyFinanc…<' in diagram(leaf(name), large=True)
    assert "title=" not in diagram(leaf("Short"), large=True)
