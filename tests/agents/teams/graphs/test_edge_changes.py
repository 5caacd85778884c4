"""Nodes are added to a graph, moved, renamed, wrapped and removed, and its edges follow."""

from __future__ import annotations

from typing import Any

import pytest

from agents.errors import TeamError
from agents.teams import add_agent, edges_of, move_agent, outline, remove_agent, rename_agent, set_edges, wrap_agent

ONE = {"root_agent.yaml": "name: writer\ninstruction: Write.\n"}
QUESTION = "agents.teams.QuestionNode"


def edges(files: dict[str, str]) -> list[tuple[str, str, Any]]:
    return edges_of(outline(files))


def graph(*names: str) -> dict[str, str]:
    """A chain of agents in a graph called desk, after the writer."""
    files = wrap_agent(ONE, "writer", "Workflow", "desk")
    for name in names:
        files = add_agent(files, "desk", "LlmAgent", name)
    return files


def test_new_nodes_are_linked_to_the_one_before_them():
    assert edges(graph("a")) == [("START", "writer", None), ("writer", "a", None)]


def test_a_node_between_two_stands_between_them():
    files = add_agent(graph("a"), "desk", "JoinNode", "middle", position=1)
    assert edges(files) == [("START", "writer", None), ("writer", "middle", None), ("middle", "a", None)]
    first = add_agent(files, "desk", "JoinNode", "first", position=0)
    assert edges(first)[:2] == [("START", "first", None), ("first", "writer", None)]


def test_nodes_after_a_question_take_its_answers_in_turn():
    files = add_agent(graph(), "desk", QUESTION, "ask")
    for name in ("good", "bad", "third"):
        files = add_agent(files, "desk", "LlmAgent", name, position=2)
    assert edges(files)[2:] == [("ask", "good", "yes"), ("ask", "bad", "no")]


def test_a_removed_node_leaves_no_gap():
    files = remove_agent(graph("a", "b"), "a")
    assert edges(files) == [("START", "writer", None), ("writer", "b", None)]
    assert "a.yaml" not in files


def test_the_routes_of_a_removed_node_go_with_it():
    files = add_agent(graph(), "desk", QUESTION, "ask")
    files = add_agent(files, "desk", "LlmAgent", "good")
    assert edges(remove_agent(files, "ask")) == [("START", "writer", None)]


def test_edges_by_name_follow_a_new_name():
    files = graph("a")
    files["root_agent.yaml"] = files["root_agent.yaml"].replace("from_node: writer.yaml", "from_node: writer")
    assert edges(rename_agent(files, "writer", "poet"))[1] == ("poet", "a", None)


def test_a_wrapped_node_keeps_its_edges():
    files = wrap_agent(graph("a", "b"), "a", "LoopAgent", "loop")
    assert edges(files) == [("START", "writer", None), ("writer", "loop", None), ("loop", "b", None)]


def test_a_node_that_is_moved_out_and_in_is_linked_where_it_stands():
    files = wrap_agent(graph("a", "b"), "b", "LoopAgent", "loop")
    files = move_agent(files, "a", "loop", 0)
    assert edges(files) == [("START", "writer", None), ("writer", "loop", None)]
    assert edges(move_agent(files, "a", "desk", 2))[-1] == ("loop", "a", None)


def test_chains_and_routing_maps_are_single_edges_and_are_written_so_once_they_are_changed():
    files = graph("a")
    root = files["root_agent.yaml"]
    files["root_agent.yaml"] = root[: root.index("edges:")] + "edges:\n  - [START, writer.yaml, {ok: a.yaml, bad: writer}]\n"
    assert edges(files) == [("START", "writer", None), ("writer", "a", "ok"), ("writer", "writer", "bad")]
    changed = set_edges(files, "desk", [("START", "writer", None), ("writer", "a", ["ok", 3, True])])
    assert edges(changed)[1] == ("writer", "a", ["ok", 3, True])


def test_edges_that_are_none_are_said_so():
    files = {"root_agent.yaml": "agent_class: Workflow\nname: desk\nedges: all\n"}
    with pytest.raises(TeamError, match="edges are a list"):
        edges(files)
