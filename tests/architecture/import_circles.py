"""Finds modules, and folders of them, that import each other in a circle; of Python and of JavaScript."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Place = tuple[str, ...]
"""A module by its folders and its name."""


def cycles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other in a circle (Tarjan's strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for imported in sorted(edges[module]):
            if imported not in index:
                visit(imported)
            if imported in stack:
                low[module] = min(low[module], low[imported])
        if low[module] == index[module]:
            group = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(group) > 1 or module in edges[module]:
                found.append(sorted(group))

    for module in sorted(edges):
        if module not in index:
            visit(module)
    return found


def folder_cycles(imports: Mapping[Place, Iterable[Place]]) -> dict[str, list[list[str]]]:
    """The circles inside each folder that has some, at any depth.

    Args:
        imports: Every module, with those that it imports.
    """
    folders = {module[:depth] for module in imports for depth in range(1, len(module))}
    return {"/".join(folder): found for folder in sorted(folders) if (found := cycles(_inside(folder, imports)))}


def _inside(folder: Place, imports: Mapping[Place, Iterable[Place]]) -> dict[str, set[str]]:
    """What a folder holds, modules and folders, and what of that each imports."""
    depth = len(folder)
    edges: dict[str, set[str]] = {}
    for module, others in imports.items():
        if module[:depth] == folder and len(module) > depth:
            names = {other[depth] for other in others if other[:depth] == folder and len(other) > depth}
            edges.setdefault(module[depth], set()).update(names - {module[depth]})
    return edges
