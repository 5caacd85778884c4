"""Agentic context engineering: playbooks that grow by deltas. Public names, each loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.ace.models import Bullet as Bullet
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
    from agents.ace.roles.cycle import ace_agent as ace_agent
    from agents.ace.roles.settings import AceSettings as AceSettings
    from agents.ace.store.playbook_store import PlaybookStore as PlaybookStore

__all__, __getattr__, __dir__ = public_names(
    __name__,
    {
        "agents.ace.models": ("Bullet",),
        "agents.ace.roles.cycle": ("ace_agent",),
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
        "agents.ace.roles.settings": ("AceSettings",),
        "agents.ace.store.playbook_store": ("PlaybookStore",),
    },
)
