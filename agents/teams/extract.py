"""Takes out of a Python module what some of its names need: their definitions, what those use, and the imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from copy import copy

_LONGEST_LINE = 125
_NAME = re.compile(r"[^\W\d]\w*+")


def extract(source: str, names: Collection[str]) -> str:
    """The definitions of names in a module's source, with all that they use, in their order; "" if there are none.

    Args:
        source: The module.
        names: Names that it defines or imports at its top.

    Raises:
        SyntaxError: The source is not Python.
    """
    tree, lines = ast.parse(source), source.split("\n")
    needed = _needed(tree.body, names)
    kept, gap, defines = "", 0, False
    for at, node in enumerate(tree.body):
        begin = _begin(node, lines)
        gap = max(gap, _empty_lines_before(begin, lines))
        if isinstance(node, ast.Import | ast.ImportFrom):
            text = _import(node, needed)
        elif needed.isdisjoint(_defined(node)):
            continue
        else:
            after = tree.body[at + 1] if at + 1 < len(tree.body) else None
            told = after if after is not None and _is_text(after) else node  # the text below a constant tells of it
            text = "\n".join(lines[begin : told.end_lineno])
        if text:
            kept, gap = kept + "\n" * gap + text + "\n", 0
            defines = defines or not needed.isdisjoint(_defined(node))
    return kept.lstrip("\n") if defines else ""


def imported(source: str) -> dict[str, tuple[str, str]]:
    """The names that a module imports from others: name → module, with a dot for each level up, and the name there."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom):
            found |= {one.asname or one.name: ("." * node.level + (node.module or ""), one.name) for one in node.names}
    return found


def _needed(body: list[ast.stmt], names: Collection[str]) -> set[str]:
    """The names, and those that their definitions use."""
    definitions: dict[str, list[ast.stmt]] = {}
    for node in body:
        for name in _defined(node):
            definitions.setdefault(name, []).append(node)
    needed, waiting = set[str](), list(names)
    while waiting:
        name = waiting.pop()
        if name not in needed and name in definitions:
            needed.add(name)
            for node in definitions[name]:
                waiting += _used(node)
                waiting += _defined(node) if not isinstance(node, ast.Import | ast.ImportFrom) else ()
    return needed


def _used(node: ast.stmt) -> Iterator[str]:
    """The names in a statement, those in annotations that are written as texts too."""
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.arg | ast.AnnAssign | ast.FunctionDef | ast.AsyncFunctionDef):
            hint = one.annotation if isinstance(one, ast.arg | ast.AnnAssign) else one.returns
            if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
                yield from _NAME.findall(hint.value)


def _defined(node: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a module gives a value."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (one.asname or one.name.partition(".")[0] for one in names)
        case ast.If() | ast.Try() | ast.With() | ast.For():
            yield from (name for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt) for name in _defined(one))
        case _:
            yield from (one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))


def _import(node: ast.Import | ast.ImportFrom, needed: set[str]) -> str:
    names = [one for one in node.names if (one.asname or one.name.partition(".")[0]) in needed]
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        names = node.names
    if not names:
        return ""
    trimmed = copy(node)
    trimmed.names = names
    text = ast.unparse(trimmed)
    if len(text) <= _LONGEST_LINE:
        return text
    begin, _, listed = text.partition(" import ")
    return f"{begin} import (\n" + "".join(f"    {one},\n" for one in listed.split(", ")) + ")"


def _begin(node: ast.stmt, lines: list[str]) -> int:
    """The index of a statement's first line, with its decorators and the comments right above."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    begin = min([node.lineno, *(one.lineno for one in decorators)]) - 1
    while begin and lines[begin - 1].startswith("#"):
        begin -= 1
    return begin


def _empty_lines_before(begin: int, lines: list[str]) -> int:
    count = 0
    while count < begin and not lines[begin - 1 - count].strip():
        count += 1
    return count


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
