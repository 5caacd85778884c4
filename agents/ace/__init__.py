"""Agentic context engineering: playbooks that grow by deltas. Public names, each loaded when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.ace.bullet import Bullet as Bullet
    from agents.ace.cycle import ace_agent as ace_agent
    from agents.ace.operations import Add as Add
    from agents.ace.operations import Commit as Commit
    from agents.ace.operations import DeltaBatch as DeltaBatch
    from agents.ace.operations import DeltaOperation as DeltaOperation
    from agents.ace.operations import Merge as Merge
    from agents.ace.operations import RefinePolicy as RefinePolicy
    from agents.ace.operations import Remove as Remove
    from agents.ace.operations import Tag as Tag
    from agents.ace.operations import Update as Update
    from agents.ace.playbook import Playbook as Playbook
    from agents.ace.settings import AceSettings as AceSettings
    from agents.ace.store import PlaybookStore as PlaybookStore

_HOMES = {
    "agents.ace.bullet": ("Bullet",),
    "agents.ace.cycle": ("ace_agent",),
    "agents.ace.operations": (
        "Add",
        "Commit",
        "DeltaBatch",
        "DeltaOperation",
        "Merge",
        "RefinePolicy",
        "Remove",
        "Tag",
        "Update",
    ),
    "agents.ace.playbook": ("Playbook",),
    "agents.ace.settings": ("AceSettings",),
    "agents.ace.store": ("PlaybookStore",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)  # noqa: PLE0605  # pyright: ignore[reportUnsupportedDunderAll]  names come from __getattr__


def __getattr__(name: str) -> Any:
    """Loads a public name from the module that defines it (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'agents.ace' has no attribute {name!r}; it has {', '.join(__all__)}.")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
