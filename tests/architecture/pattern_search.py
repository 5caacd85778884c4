"""Finds the patterns of the sources: those that modules keep, how each is used, and those that are made elsewhere."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from tests.architecture.sources import ROOT, SOURCES, nodes_of, words_of

ANCHORED = {"match", "fullmatch"}
PASSES = {"search", "finditer", "findall", "sub", "subn", "split"}
USES = ANCHORED | PASSES
ALL_USES = frozenset({"search", "match", "finditer"})
"""Of a pattern whose use cannot be told."""


class Found(NamedTuple):
    """A compiled pattern that a module keeps."""

    name: str
    pattern: re.Pattern[str]
    uses: frozenset[str]


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imports_re(path: Path) -> bool:
    """Read from the text: every worker lists the tests, and trees take long to build."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return any(line.strip().split()[:2] == ["import", "re"] for line in lines)


MODULES = tuple(map(module_of, filter(_imports_re, SOURCES)))
"""The modules that import `re`. Others are not imported: pages are scripts."""


@cache
def patterns() -> tuple[Found, ...]:
    """Every pattern that a module keeps: by itself, or inside a tuple, a list, a set, a mapping, a dataclass or a class."""
    kept = [
        (module, name, inner, pattern)
        for module in MODULES
        for name, value in vars(importlib.import_module(module)).items()
        if not name.startswith("__")
        for inner, pattern in _inside(value, name, module)
    ]
    uses = _uses({name for _, name, _, _ in kept})
    found: dict[tuple[str, int], Found] = {}
    for module, name, inner, pattern in kept:
        used = uses.get((module, name), ALL_USES) if inner == name else ALL_USES
        key = (pattern.pattern, pattern.flags)
        known = found.get(key)
        found[key] = known._replace(uses=known.uses | used) if known else Found(f"{module}:{inner}", pattern, used)
    return tuple(sorted(found.values()))


def made_elsewhere() -> list[tuple[Path, int, str]]:
    """File, line and call, where a pattern is given as text to a function of `re`, or is compiled inside a function."""
    found: list[tuple[Path, int, str]] = []
    for path in SOURCES:
        inside = {
            id(node)
            for function in nodes_of(path)
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for node in ast.walk(function)
        }
        for node in nodes_of(path):
            if isinstance(node, ast.ImportFrom) and node.module == "re":
                found.append((path, node.lineno, "from re import"))
            name = _of_re(node.func) if isinstance(node, ast.Call) else None
            if name in USES or (name == "compile" and id(node) in inside):
                found.append((path, node.lineno, f"re.{name}"))
    return found


def _of_re(function: ast.expr) -> str | None:
    is_re = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re"
    return function.attr if is_re else None


def _inside(value: Any, name: str, module: str, depth: int = 0) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield name, value
        return
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, Mapping):
        parts = [*((f"key {at}", key) for at, key in enumerate(value)), *value.items()]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = enumerate(value)
    elif isinstance(value, type):
        if value.__module__ == module:
            parts = [(key, item) for key, item in vars(value).items() if not key.startswith("__")]
    elif is_dataclass(value):
        parts = [(field.name, getattr(value, field.name, None)) for field in fields(value)]
    if depth > 6:
        return
    for key, item in parts:
        yield from _inside(item, f"{name}[{key}]", module, depth + 1)


def _uses(names: set[str]) -> dict[tuple[str, str], frozenset[str]]:
    """By module and name: the methods that are called on what has this name; `ALL_USES` where it is used in another way.

    What has none of `names` may be left out.
    """
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path in SOURCES:
        if names.isdisjoint(words_of(path)):
            continue
        nodes = nodes_of(path)
        key = partial(_key, module=module_of(path), names=_imported(nodes))
        methods = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr in USES | {"pattern"}]
        told = {id(node.value) for node in methods}
        for node in methods:
            found[key(node.value)] |= {node.attr} & USES
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) > 1:
                if node.func.attr in ANCHORED:
                    found[key(node.func.value)].add("finditer")  # matched from place to place
            elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load) and id(node) not in told:
                found[key(node)] |= ALL_USES
    return {key: frozenset(used) for key, used in found.items() if all(key) and used}


def _imported(nodes: Iterable[ast.AST]) -> dict[str, tuple[str, str]]:
    """The names that a module has from others: from which, and what they are called there."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def _key(node: ast.expr, *, module: str, names: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """Module and name of what an expression means; two empty texts where it is neither a name nor a module's attribute."""
    if isinstance(node, ast.Name):
        return names.get(node.id, (module, node.id))
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
        return ".".join(names[node.value.id]), node.attr
    return "", ""
