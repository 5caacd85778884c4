"""The columns of a graph's picture."""

from __future__ import annotations

from typing import Any

import pytest

from agents.pipeline import describe_tree
from agents.pipelines.catalog import Catalog
from ui.gallery.diagrams import diagram
from ui.gallery.graph_columns import GraphEdge, edges_from, graph_columns

CATALOG = Catalog()


def tree(names: str, **edges: list[Any]) -> dict[str, Any]:
    """A graph of nodes with names of one letter; `START` has the edges of its start."""
    return {
        "children": [{"name": name} for name in names],
        "edges": {"" if source == "START" else source: [[to, []] for to in targets] for source, targets in edges.items()},
    }


@pytest.mark.parametrize(
    ("graph", "columns"),
    [
        (tree("abc", START="a", a="b", b="c"), ["a", "b", "c"]),
        (tree("abcd", START="a", a="bc", b="d", c="d"), ["a", "bc", "d"]),
        (tree("abc", START="a", a="bc", b="c"), ["a", "b", "c"]),
        (tree("abc", START="a", a="b", b="ac"), ["a", "b", "c"]),
        (tree("abz", START="a", a="b"), ["a", "b", "z"]),
        (tree("ab"), ["ab"]),
        (tree(""), []),
    ],
    ids=["a chain", "a fan-out", "a way past a node", "a loop", "a node without a way", "no edges", "no nodes"],
)
def test_nodes_stand_by_their_distance_from_the_start(graph, columns):
    assert ["".join(column) for column in graph_columns(graph)] == columns


def test_a_route_is_said_in_words():
    graph = {"children": [], "edges": {"a": [["b", ["x", 1]], ["c", ["__DEFAULT__"]], ["d", []]]}}
    assert edges_from(graph, "a") == [
        GraphEdge("a", "b", "x or 1"),
        GraphEdge("a", "c", "any other"),
        GraphEdge("a", "d", ""),
    ]


def test_edges_that_lead_elsewhere_than_on_are_written_out():
    drawn = diagram(describe_tree(CATALOG.get("invitation").root_agent), large=True)
    assert "again → InvitationWriter" in drawn
    assert "send → send" in drawn
    assert drawn.index(">ask<") < drawn.index(">decide<") < drawn.index(">drop<")
