"""A package's public names, each loaded with the module that defines it when it is first used (PEP 562).

Each package lists its names and where they are defined. Types come from imports that only type checkers read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def public_names(
    package: str, homes: Mapping[str, tuple[str, ...]]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """The `__all__`, `__getattr__` and `__dir__` of a package.

    Args:
        package: Its `__name__`.
        homes: The names that each module defines.
    """
    home = {name: module for module, names in homes.items() for name in names}
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
