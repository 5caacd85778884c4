"""The schema of trace records has each kind and each field that the code records, and no other kind."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import pytest

from agents.log import trace_kinds
from agents.records import RECORDS, fields_of
from tests.architecture.sources import SOURCES, nodes_of, shown

RECORDERS = {"record", "add_record", "note", "_note", "TraceRecord"}
"""Functions whose first argument is a kind. Where that is no text in place, the kind was named by a caller."""

Recorded = tuple[str, set[str]]
"""A kind, and the fields that are given with it by name."""


def recorded(nodes: Iterable[ast.AST]) -> Iterator[Recorded]:
    """What is recorded by name among a module's nodes."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[ast.Constant(value=str(kind)), *_]) if (
                name in RECORDERS
            ):
                yield kind, given(node)
            case ast.Call(
                func=ast.Attribute(attr=name) | ast.Name(id=name),
                args=[ast.Attribute(value=ast.Name(id=record), attr="kind"), *_],
            ) if name in RECORDERS and record in CLASSES:
                yield CLASSES[record], given(node)
            case ast.Call(
                func=ast.Name(id="partial"), args=[ast.Attribute(attr=name), ast.Constant(value=str(kind)), *_]
            ) if name in RECORDERS:
                yield kind, given(node)
            case _:
                pass


CLASSES = {read.__name__: kind for kind, read in RECORDS.items()}


def given(call: ast.Call) -> set[str]:
    """The names of fields in a call: its keywords, and the keys of dictionaries written in place."""
    names = {keyword.arg for keyword in call.keywords if keyword.arg} - {"data", "timestamp"}
    data = (keyword.value for keyword in call.keywords if keyword.arg in (None, "data"))
    dicts = [part for part in (*call.args, *data) if isinstance(part, ast.Dict)]
    return names | {key.value for part in dicts for key in part.keys if isinstance(key, ast.Constant)}


def test_the_schema_has_each_kind_that_is_recorded_and_no_other():
    found = {kind for path in SOURCES for kind, _ in recorded(nodes_of(path))}
    assert found == set(RECORDS), "keep agents/records.py and the code in line"


def test_the_schema_has_each_field_that_is_recorded():
    unknown = [
        (shown(path), kind, extra)
        for path in SOURCES
        for kind, names in recorded(nodes_of(path))
        if (extra := names - fields_of(RECORDS[kind]))
    ]
    assert unknown == []


@pytest.mark.parametrize("kind", trace_kinds())
def test_each_kind_says_what_it_means(kind):
    assert trace_kinds()[kind].means.endswith(".")


@pytest.mark.parametrize(
    "code",
    [
        "ctx.record('transfer', a=1)",
        "observer.note('transfer', a=1)",
        "self._note('transfer', **{'a': 1})",
        "TraceRecord('transfer', '', data={'a': 1})",
        "TraceRecord(Transfer.kind, '', data={'a': 1})",
        "partial(ctx.record, 'transfer', a=1)",
        "ctx.add_record('transfer', {'a': 1, **more})",
    ],
)
def test_what_is_recorded_is_found(code):
    assert list(recorded(ast.walk(ast.parse(code)))) == [("transfer", {"a"})]
