"""Agentic context engineering: playbooks that grow by deltas. Public names, each loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.ace.bullet import TAGS as TAGS
    from agents.ace.bullet import StoredBullet as StoredBullet
    from agents.ace.bullet import section_key as section_key
    from agents.ace.changes import apply_all as apply_all
    from agents.ace.changes import bullet_from_plain as bullet_from_plain
    from agents.ace.changes import changed_ids as changed_ids
    from agents.ace.formats.file import MAX_PLAYBOOK_BYTES as MAX_PLAYBOOK_BYTES
    from agents.ace.formats.file import playbook_file_text as playbook_file_text
    from agents.ace.formats.skill import has_passed as has_passed
    from agents.ace.formats.skill import skill_name as skill_name
    from agents.ace.formats.skill import unzip_skill as unzip_skill
    from agents.ace.formats.skill import write_skill as write_skill
    from agents.ace.formats.skill import zip_skill as zip_skill
    from agents.ace.models import Bullet as Bullet
    from agents.ace.operations import BY_USER as BY_USER
    from agents.ace.operations import MAX_BULLET_LENGTH as MAX_BULLET_LENGTH
    from agents.ace.operations import MAX_PLAYBOOK_BULLETS as MAX_PLAYBOOK_BULLETS
    from agents.ace.operations import REVIEW_CALL as REVIEW_CALL
    from agents.ace.operations import Add as Add
    from agents.ace.operations import Commit as Commit
    from agents.ace.operations import DeltaBatch as DeltaBatch
    from agents.ace.operations import DeltaOperation as DeltaOperation
    from agents.ace.operations import Judgement as Judgement
    from agents.ace.operations import Merge as Merge
    from agents.ace.operations import RefinePolicy as RefinePolicy
    from agents.ace.operations import Remove as Remove
    from agents.ace.operations import Tag as Tag
    from agents.ace.operations import Update as Update
    from agents.ace.playbook import Playbook as Playbook
    from agents.ace.refine.disagreement import disagrees as disagrees
    from agents.ace.refine.refinement import MAX_DUPLICATE_PAIRS as MAX_DUPLICATE_PAIRS
    from agents.ace.refine.refinement import duplicates as duplicates
    from agents.ace.resolution import import_changes as import_changes
    from agents.ace.roles.cycle import ace_agent as ace_agent
    from agents.ace.roles.feedback import NO_FEEDBACK as NO_FEEDBACK
    from agents.ace.roles.guard import why_no_knowledge as why_no_knowledge
    from agents.ace.roles.instructions import ANSWER_KEY as ANSWER_KEY
    from agents.ace.roles.instructions import CURATION_KEY as CURATION_KEY
    from agents.ace.roles.instructions import FEEDBACK_KEY as FEEDBACK_KEY
    from agents.ace.roles.instructions import REFLECTION_KEY as REFLECTION_KEY
    from agents.ace.roles.instructions import TRUTH_KEY as TRUTH_KEY
    from agents.ace.roles.instructions import VERDICT_KEY as VERDICT_KEY
    from agents.ace.roles.schemas import NO_ERROR as NO_ERROR
    from agents.ace.roles.schemas import ReflectorOutput as ReflectorOutput
    from agents.ace.roles.schemas import role_output as role_output
    from agents.ace.roles.settings import AceSettings as AceSettings
    from agents.ace.roles.steps.apply_delta import ApplyDelta as ApplyDelta
    from agents.ace.store.deltas import DeltaRecord as DeltaRecord
    from agents.ace.store.evidence import evidence_of as evidence_of
    from agents.ace.store.playbook_store import PlaybookStore as PlaybookStore
    from agents.ace.store.reducer import NAME_KEY as NAME_KEY
    from agents.ace.store.reducer import PLAYBOOK_KEY as PLAYBOOK_KEY
    from agents.ace.undo import difference as difference
    from agents.playbook import GrowthPoint as GrowthPoint
    from agents.playbook import JudgedAnswer as JudgedAnswer
    from agents.playbook import PlaybookInfo as PlaybookInfo
    from agents.playbook import check_playbook_name as check_playbook_name
    from agents.playbook import is_playbook_name as is_playbook_name

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
