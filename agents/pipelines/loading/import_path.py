"""Where user packages are imported from, and under which names.

As with ADK's loader, the folder of packages is on `sys.path`: a package can import its own modules by their full name and
share others with its neighbours. It is at the end of the path, so that it hides nothing.
"""

from __future__ import annotations

import hashlib
import itertools
import sys
import threading
from importlib.machinery import PathFinder
from pathlib import Path

from agents.scope import current_scope

OWNER = "__playground_scope__"
"""Attribute of a user package: a weak reference to the `Scope` that imported it. Another living one keeps its modules,
unless they are of the same folder."""

_lock = threading.Lock()
_attempts = itertools.count(1)
_folders: list[str] = []
"""The folders that were put on the path, the latest first."""


def put_on_path(root: Path) -> None:
    """Puts a folder of packages at the end of `sys.path`, before those that were put there earlier."""
    with _lock:
        text = str(root)
        if text in _folders[:1]:
            return
        if text in _folders:
            _folders.remove(text)
            sys.path.remove(text)
        elif text in sys.path:
            return
        place = sys.path.index(_folders[0]) if _folders and _folders[0] in sys.path else len(sys.path)
        sys.path.insert(place, text)
        _folders.insert(0, text)


def module_name_for(folder: Path, root: Path, *, hangs: bool = False) -> str:
    """The name to import a package under: the folder's, or a private one where another module has that name.

    Args:
        folder: The package's folder.
        root: The folder that it lies in.
        hangs: Whether an earlier import of it has not ended: Python lets nobody else import modules of those names.
    """
    name = folder.name
    if hangs:
        return f"_playground_{next(_attempts)}_{name}"
    if _is_free(name, folder):
        return name
    return f"_playground_{hashlib.sha256(str(root).encode()).hexdigest()[:12]}_{name}"


def _is_free(name: str, folder: Path) -> bool:
    if name in sys.stdlib_module_names or name == "agents":
        return False
    held = sys.modules.get(name)
    if held is not None:
        owner = getattr(held, OWNER, None)
        is_same = str(folder) in getattr(held, "__path__", ())
        return owner is not None and (is_same or owner() in {None, current_scope()})
    found = PathFinder.find_spec(name, [place for place in sys.path if place not in _folders])
    return found is None or str(folder) in (found.submodule_search_locations or ())
