"""The vocabulary of trace records has each kind that the code records, and no other."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import pytest

from agents.log import trace_kinds
from tests.architecture.sources import SOURCES, nodes_of

RECORDERS = {"record", "add_record", "note", "_note", "TraceRecord"}
"""Functions whose first argument is a kind. Where that is no text in place, the kind was named by a caller."""


def recorded(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The kinds that are recorded by name among a module's nodes."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[ast.Constant(value=str(kind)), *_]) if (
                name in RECORDERS
            ):
                yield kind
            case ast.Call(
                func=ast.Name(id="partial"), args=[ast.Attribute(attr=name), ast.Constant(value=str(kind)), *_]
            ) if name in RECORDERS:
                yield kind
            case _:
                pass


def test_the_vocabulary_has_each_kind_that_is_recorded_and_no_other():
    found = {kind for path in SOURCES for kind in recorded(nodes_of(path))}
    assert found == set(trace_kinds()), "keep agents/trace_kinds.json and the code in line"


@pytest.mark.parametrize("kind", trace_kinds())
def test_each_kind_says_what_it_means(kind):
    assert trace_kinds()[kind].means.endswith(".")


@pytest.mark.parametrize(
    "code",
    ["ctx.record('x', a=1)", "observer.note('x')", "self._note('x')", "TraceRecord('x', '')", "partial(ctx.record, 'x')"],
)
def test_a_kind_that_is_recorded_is_found(code):
    assert list(recorded(ast.walk(ast.parse(code)))) == ["x"]
