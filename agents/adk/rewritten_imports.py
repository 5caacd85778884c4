"""Rewrites a module's imports of `google.adk` to the modules that stand for it. Every statement keeps its line.

Trees are walked without recursion: an expression of a thousand terms is as deep as that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, cast

from agents.adk.modules import PACKAGE
from agents.adk.names import ADK, UNNEEDED, is_here

_ABOVE, _, _LAST = PACKAGE.rpartition(".")
_BOUND = "_google_adk"
_ANNOTATIONS = frozenset({"annotation", "returns"})
_LATER = _ANNOTATIONS | {"body"}


def mentions_adk(source: bytes) -> bool:
    """Whether a source may import `google.adk`."""
    return b"google" in source and b"adk" in source


def rewritten(tree: ast.Module) -> ast.Module:
    """The module with its imports rewritten, in place.

    A name that is not here becomes an empty class if the import of the module does not need it: if only annotations and
    the bodies of functions name it. `names.value_of` makes the class, which raises once it is used. An import that a `try`
    watches fails in any case.
    """
    used = set(_used(tree))
    watched = {id(one) for node in ast.walk(tree) if isinstance(node, ast.Try) for one in node.body}
    bound = False
    for node in list(ast.walk(tree)):
        for statements in _blocks(node):
            bound = bound or any(isinstance(one, ast.Import) and _binds_google(one) for one in statements)
            statements[:] = [new for old in statements for new in _instead(old, None if id(old) in watched else used)]
    if bound:
        _rewrite_attributes(tree)
    return tree


def _instead(statement: ast.stmt, used: set[str] | None) -> list[ast.stmt]:
    """The statements that stand for one.

    Args:
        statement: Any one.
        used: The names that must be here if they are imported; None for all.
    """
    match statement:
        case ast.ImportFrom(module="google", level=0, names=names):
            adk = [ast.alias(_LAST, alias.asname or "adk") for alias in names if alias.name == "adk"]
            others = [alias for alias in names if alias.name != "adk"]
            made = [_from(module, some) for module, some in ((_ABOVE, adk), ("google", others)) if some]
        case ast.ImportFrom(module=str(module), level=0, names=names) if (path := _below_adk(module)) is not None:
            unneeded = [one for one in names if _is_unneeded(path, one, used)]
            others = [one for one in names if one not in unneeded]
            places = ((_joined(PACKAGE, path), others), (_joined(PACKAGE, UNNEEDED, path), unneeded))
            made = [_from(module, some) for module, some in places if some]
        case ast.Import(names=names) if any(_below_adk(alias.name) is not None for alias in names):
            made = [new for alias in names for new in _imports(alias)]
        case _:
            return [statement]
    return [_placed(one, statement) for one in made]


def _placed(made: ast.stmt, old: ast.stmt) -> ast.stmt:
    for node in ast.walk(made):
        ast.copy_location(node, old)
    return made


def _imports(alias: ast.alias) -> Iterator[ast.stmt]:
    path = _below_adk(alias.name)
    if path is None:
        yield ast.Import([alias])
        return
    yield ast.Import([ast.alias(_joined(PACKAGE, path), alias.asname or _BOUND)])
    if not alias.asname:
        yield ast.Import([ast.alias("google")])
        yield _from(_ABOVE, [ast.alias(_LAST, _BOUND)])


def _binds_google(statement: ast.Import) -> bool:
    """Whether it is `import google.adk…`, which gives the module the name `google`."""
    return any(_below_adk(alias.name) is not None and not alias.asname for alias in statement.names)


def _rewrite_attributes(tree: ast.Module) -> None:
    """Rewrites `google.adk` in expressions."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                value[:] = map(_bound, cast("list[Any]", value))
            else:
                setattr(node, name, _bound(value))


def _bound(value: Any) -> Any:
    match value:
        case ast.Attribute(attr="adk", value=ast.Name(id="google"), ctx=ast.Load()):
            return ast.copy_location(ast.Name(_BOUND, ast.Load()), value)
        case _:
            return value


def _is_unneeded(path: str, alias: ast.alias, used: set[str] | None) -> bool:
    if used is None or alias.name == "*" or is_here(path, alias.name):
        return False
    return (alias.asname or alias.name) not in used


def _used(tree: ast.AST) -> Iterator[str]:
    """The names that a module uses while it is imported."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            yield node.id
        later = _LATER if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else _ANNOTATIONS
        fields = [value for name, value in ast.iter_fields(node) if name not in later]
        for value in fields:
            several = cast("list[Any]", value if isinstance(value, list) else [value])
            waiting += [one for one in several if isinstance(one, ast.AST)]


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(cast("list[Any]", value)[0], ast.stmt):
            yield cast("list[ast.stmt]", value)


def _below_adk(module: str) -> str | None:
    """A module's name below `google.adk`; None for another."""
    if module == ADK:
        return ""
    return module.removeprefix(f"{ADK}.") if module.startswith(f"{ADK}.") else None


def _joined(*parts: str) -> str:
    return ".".join(filter(None, parts))


def _from(module: str, names: list[ast.alias]) -> ast.ImportFrom:
    return ast.ImportFrom(module, names, 0)
