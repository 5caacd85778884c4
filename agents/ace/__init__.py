"""Agentic context engineering: playbooks that grow by deltas. Public names, each loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.ace.bullet import StoredBullet as StoredBullet
    from agents.ace.bullet import section_key as section_key
    from agents.ace.changes import TAGS as TAGS
    from agents.ace.changes import apply_all as apply_all
    from agents.ace.changes import from_plain as from_plain
    from agents.ace.changes import ids_in as ids_in
    from agents.ace.changes import imported as imported
    from agents.ace.formats.file import text_of as text_of
    from agents.ace.formats.reader import MAX_BULLETS as MAX_BULLETS
    from agents.ace.formats.reader import MAX_BYTES as MAX_BYTES
    from agents.ace.models import Bullet as Bullet
    from agents.ace.operations import MAX_CONTENT as MAX_CONTENT
    from agents.ace.operations import PERSON as PERSON
    from agents.ace.operations import REVIEW as REVIEW
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
    from agents.ace.refine.refinement import MOST_PAIRS as MOST_PAIRS
    from agents.ace.refine.refinement import duplicates as duplicates
    from agents.ace.roles.cycle import ace_agent as ace_agent
    from agents.ace.roles.feedback import NO_FEEDBACK as NO_FEEDBACK
    from agents.ace.roles.instructions import ANSWER as ANSWER
    from agents.ace.roles.instructions import FEEDBACK as FEEDBACK
    from agents.ace.roles.instructions import REFLECTION as REFLECTION
    from agents.ace.roles.instructions import TRUTH as TRUTH
    from agents.ace.roles.instructions import VERDICT as VERDICT
    from agents.ace.roles.schemas import NO_ERROR as NO_ERROR
    from agents.ace.roles.schemas import ReflectorOutput as ReflectorOutput
    from agents.ace.roles.schemas import output_in as output_in
    from agents.ace.roles.settings import AceSettings as AceSettings
    from agents.ace.store.bundles import BundledChanges as BundledChanges
    from agents.ace.store.large_job import AT_ONCE as AT_ONCE
    from agents.ace.store.large_job import MANY as MANY
    from agents.ace.store.large_job import LargeJob as LargeJob
    from agents.ace.store.large_job import Status as Status
    from agents.ace.store.playbook_store import PlaybookStore as PlaybookStore
    from agents.ace.store.reducer import PLAYBOOK_KEY as PLAYBOOK_KEY
    from agents.ace.store.rows import DeltaRecord as DeltaRecord
    from agents.ace.store.rows import PlaybookInfo as PlaybookInfo
    from agents.ace.store.rows import Point as Point
    from agents.ace.store.rows import check_name as check_name
    from agents.ace.store.rows import is_name as is_name
    from agents.ace.undo import difference as difference

__all__, __getattr__, __dir__ = public_names(
    __name__,
    {
        "agents.ace.bullet": ("StoredBullet", "section_key"),
        "agents.ace.changes": ("TAGS", "apply_all", "from_plain", "ids_in", "imported"),
        "agents.ace.formats.file": ("text_of",),
        "agents.ace.formats.reader": ("MAX_BULLETS", "MAX_BYTES"),
        "agents.ace.models": ("Bullet",),
        "agents.ace.operations": (
            "Add",
            "Commit",
            "DeltaBatch",
            "DeltaOperation",
            "MAX_CONTENT",
            "Merge",
            "PERSON",
            "REVIEW",
            "RefinePolicy",
            "Remove",
            "Tag",
            "Update",
        ),
        "agents.ace.playbook": ("Playbook",),
        "agents.ace.refine.refinement": ("MOST_PAIRS", "duplicates"),
        "agents.ace.roles.cycle": ("ace_agent",),
        "agents.ace.roles.feedback": ("NO_FEEDBACK",),
        "agents.ace.roles.instructions": ("ANSWER", "FEEDBACK", "REFLECTION", "TRUTH", "VERDICT"),
        "agents.ace.roles.schemas": ("NO_ERROR", "ReflectorOutput", "output_in"),
        "agents.ace.roles.settings": ("AceSettings",),
        "agents.ace.store.bundles": ("BundledChanges",),
        "agents.ace.store.large_job": ("AT_ONCE", "LargeJob", "MANY", "Status"),
        "agents.ace.store.playbook_store": ("PlaybookStore",),
        "agents.ace.store.reducer": ("PLAYBOOK_KEY",),
        "agents.ace.store.rows": ("DeltaRecord", "PlaybookInfo", "Point", "check_name", "is_name"),
        "agents.ace.undo": ("difference",),
    },
)
