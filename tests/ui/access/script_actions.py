"""All that a browser tab can make the page's script do, found in the source: callbacks, and buttons that are asked."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import ui

_FOLDER = Path(ui.__file__).parent
_DECORATORS = {"action", "uninterrupted"}
_BUTTONS = {"button", "form_submit_button", "chat_input"}


def script_actions() -> set[str]:
    """Their names: "module:function"."""
    found: set[str] = set()
    for path in _FOLDER.rglob("*.py"):
        module = ".".join(("ui", *path.relative_to(_FOLDER).with_suffix("").parts)).removesuffix(".__init__")
        found |= set(_Module(module, ast.parse(path.read_text(encoding="utf-8"))).actions())
    return found


class _Module:
    def __init__(self, name: str, tree: ast.Module) -> None:
        self._name, self._tree = name, tree
        self._imported = dict(self._imports())
        self._defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}

    def _imports(self) -> Iterator[tuple[str, str]]:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)

    def actions(self) -> Iterator[str]:
        for node in ast.walk(self._tree):
            match node:
                case ast.FunctionDef(decorator_list=decorators):
                    if _DECORATORS & {getattr(one, "id", "") for one in decorators}:
                        yield f"{self._name}:{node.name}"
                    yield from self._decided(node)
                case ast.Call(keywords=keywords):
                    for keyword in keywords:
                        if (keyword.arg or "").startswith("on_"):
                            yield from self._named(keyword.value)
                case ast.Dict(keys=keys, values=values):
                    for key, value in zip(keys, values, strict=True):
                        if isinstance(key, ast.Constant) and str(key.value).startswith("on_"):
                            yield from self._named(value)

    def _named(self, value: ast.expr) -> Iterator[str]:
        """The functions that an expression stands for. A parameter stands for those that its callers hand over."""
        match value:
            case ast.Name(id=name) if name in self._defined:
                yield f"{self._name}:{name}"
            case ast.Name(id=name) if name in self._imported:
                yield ":".join(self._imported[name].rsplit(".", 1))
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in self._imported:
                yield f"{self._imported[module]}:{name}"
            case ast.Call(func=ast.Name(id="partial" | "if_chosen"), args=args):
                yield from self._named(args[0])
            case ast.IfExp(body=body, orelse=other):
                yield from self._named(body)
                yield from self._named(other)
            case ast.Lambda() | ast.Attribute():  # a new place that does this has to be looked at
                yield f"{self._name}:{ast.unparse(value)}"
            case _:
                pass

    def _decided(self, function: ast.FunctionDef) -> Iterator[str]:
        """The function, if it asks a button that has no callback."""
        calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
        for call in calls:
            is_button = isinstance(call.func, ast.Attribute) and call.func.attr in _BUTTONS
            if is_button and not any((keyword.arg or "on_").startswith("on_") for keyword in call.keywords):
                yield f"{self._name}:{function.name} asks"
