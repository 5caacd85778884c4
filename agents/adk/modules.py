"""The modules that stand for ADK's: each has every name, since no two of ADK's mean different things."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from agents.adk.names import is_module, value_of

PACKAGE = "agents.adk.google_adk"
"""Stands for `google.adk`; the modules below it have the names of those below that."""


class _Finder(MetaPathFinder, Loader):
    """Makes the modules, of any name."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=True) if f"{fullname}.".startswith(f"{PACKAGE}.") else None

    def exec_module(self, module: ModuleType) -> None:
        path = module.__name__.removeprefix(PACKAGE).lstrip(".")

        def value(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            if is_module(path, name):
                return import_module(f"{module.__name__}.{name}")
            return value_of(path, name)

        module.__dict__["__getattr__"] = value


def install() -> None:
    """Lets Python find the modules."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
