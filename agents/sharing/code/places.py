"""Where a pipeline's root agent, functions, classes and objects can be imported from."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from agents.pipeline import Pipeline
from agents.sharing.code.python.code_file import CannotWriteError
from agents.workflow.app import App

PRIVATE = "_playground_"
"""What the name begins with under which a package is loaded that has the name of another module."""

_ROOT = "root_agent"


def home_of(pipeline: Pipeline) -> str:
    """The module that defines a pipeline's `root_agent`.

    Raises:
        CannotWriteError: There is none, or it is loaded under a name that no file can import.
    """
    found = [
        name
        for name, module in sys.modules.copy().items()
        if name != "__main__" and getattr(module, "__dict__", {}).get(_ROOT) is pipeline.root_agent
    ]
    homes = sorted(found, key=lambda name: (not name.endswith(".agent"), len(name)))
    if not homes:
        raise CannotWriteError(
            f"No Python module of {pipeline.name} has its agents as `root_agent`, so no file can import them. In a package "
            "with an `app`, add the line `root_agent = app.root_agent`."
        )
    if homes[0].startswith(PRIVATE):
        raise CannotWriteError(
            f"The package {pipeline.name} has the name of another module, so no file can import it. Rename its folder."
        )
    return homes[0]


def app_of(pipeline: Pipeline, home: str) -> tuple[str, str] | None:
    """The module of the `App` that a pipeline has settings of, and its name there; None for a pipeline without any."""
    if any(pipeline.of_app.values()):
        for module in modules_of(home):
            for name, value in vars(module).copy().items():
                if isinstance(value, App) and value.plugins is pipeline.plugins:
                    return module.__name__, name
    return None


def place_of(thing: Any, home: str) -> tuple[str, str]:
    """The module of a function, class or object, and its name there.

    Args:
        thing: What is wanted.
        home: The module of the pipeline, for things that do not know their own.

    Raises:
        CannotWriteError: No module has it under a name.
    """
    module, path = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if isinstance(module, str) and isinstance(path, str) and module in sys.modules and module != "__main__":
        found: Any = sys.modules[module]
        for name in path.split("."):
            found = getattr(found, name, None)
        if found is thing:
            return module, path
    for one in modules_of(home):
        for name, value in vars(one).copy().items():
            if value is thing and name.isidentifier():
                return one.__name__, name
    raise CannotWriteError(f"{_described(thing)} has no name in its module that it could be imported by.")


def modules_of(home: str) -> Iterator[ModuleType]:
    """The loaded modules of the package that a module belongs to."""
    package = home.removesuffix(".agent")
    for name, module in sys.modules.copy().items():
        if name == package or name.startswith(f"{package}."):
            yield module


def _described(thing: Any) -> str:
    name = getattr(thing, "__qualname__", None)
    return name if isinstance(name, str) else f"An object of {type(thing).__qualname__}"
