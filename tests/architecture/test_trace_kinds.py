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


NAMING = {
    "agents/storage/sessions/claims.py": "the statements in SQL that find a run",
    "agents/storage/sqlite/migrations.py": "steps of the schema, which stay as they were written",
    "ui/cli/trace_words.py": "the table of what each kind reads as in the terminal",
}
"""Modules that say which kind an entry has by a text, and why. All others name the class of the kind."""


def names_a_kind(node: ast.AST) -> bool:
    """Whether a node asks for a kind by a text: in a comparison, a case, or a table by kind."""
    match node:
        case ast.Compare(left=left, comparators=others):
            parts = [left, *others]
            texts = [text for part in parts for text in getattr(part, "elts", [part])]
            return "kind" in ast.unparse(node) and any(is_kind(text) for text in texts)
        case ast.MatchValue(value=value):
            return is_kind(value)
        case ast.Dict(keys=keys):
            return len([key for key in keys if key is not None and is_kind(key)]) > 1
        case ast.Call(keywords=keywords):
            return any(keyword.arg == "kind" and is_kind(keyword.value) for keyword in keywords)
        case ast.Constant(value=str(text)):
            return "kind" in text and any(f"'{kind}'" in text for kind in RECORDS)
        case _:
            return False


def is_kind(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in RECORDS


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("entry.kind == 'run_finished'", True),
        ("entry.kind in {'run_started', 'run_finished'}", True),
        ("match kind:\n    case 'run_started': pass", True),
        ("read_log(kind='model_finished')", True),
        ("{'run_started': 1, 'run_finished': 2}", True),
        ("query = \"WHERE kind = 'run_finished'\"", True),
        ("entry.kind == RunFinished.kind", False),
        ("ctx.record('run_finished')", False),
        ("entry.kind == 'event'", False),
    ],
)
def test_a_kind_that_is_asked_for_by_a_text_is_found(code, names):
    assert any(names_a_kind(node) for node in ast.walk(ast.parse(code))) is names


def test_few_modules_know_kinds_by_their_texts():
    assert {shown(path) for path in SOURCES if any(map(names_a_kind, nodes_of(path)))} == set(NAMING), "take `entry.of(…)`"
