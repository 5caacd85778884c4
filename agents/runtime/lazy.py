"""A package's public names, each loaded with the module that defines it when it is first used (PEP 562).

A package lists its names once: as imports below `if TYPE_CHECKING:`, which type checkers read, and this module too. Pyright
takes them for unused without a comment that says otherwise.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def public_names(package: str, file: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """The `__all__`, `__getattr__` and `__dir__` of a package."""
    home = _homes(file)
    names = sorted(home)

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}; it has {', '.join(names)}.")
        value = getattr(import_module(home[name]), name)
        setattr(sys.modules[package], name, value)  # cached: the next access needs no call
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *names})

    return names, load, listed


def _homes(file: str) -> dict[str, str]:
    """The module of each name that a package imports for type checkers."""
    blocks = [node for node in ast.parse(Path(file).read_bytes()).body if isinstance(node, ast.If)]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module for node in imports if node.module for alias in node.names}
