"""`Playbook`: bullets with what users do with them: read and write the formats, apply a delta."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from agents.ace.bullet import Contents
from agents.ace.formats.dictionary import from_dict, to_dict
from agents.ace.formats.reader import from_json, read_any, read_file, to_json
from agents.ace.formats.text import read_text, write_text
from agents.ace.models import ModelMethods, batch_of
from agents.ace.operations import DeltaBatch
from agents.ace.resolution import resolve
from agents.ace.value.bullets import Bullets


class Playbook(Bullets, ModelMethods):
    """Bullets in order, grouped by section; equal to another with the same contents and counts.

    A playbook of a store has a name and never changes. An unstored one, made by `Playbook()`, is changed by
    `apply_delta` alone. Attributes and arguments are those of `Bullets`.
    """

    __slots__ = ()

    def apply_delta(self, batch: DeltaBatch | Mapping[str, Any]) -> Playbook:
        """Applies a batch by the store's rules: ids are given here, and what cannot be applied is left out.

        An unstored playbook is changed and returned. For one of a store a changed copy is returned: commit the batch to
        change the stored one, which also says what was rejected and why.

        Args:
            batch: The operations, as a `DeltaBatch` or its fields.
        """
        asked = batch_of(batch)
        changed = resolve(self, asked.operations, by=asked.by, at=time.time()).playbook
        if self.name:
            return changed
        self._become(changed)
        return self

    def to_text(self) -> str:
        """The official text format."""
        return write_text(self.sections)

    @staticmethod
    def from_text(text: str) -> Playbook:
        """Reads the official text format.

        Raises:
            PlaybookFormatError: A line cannot be read; the message names it.
        """
        return Playbook(read_text(text))

    def to_json(self) -> str:
        """The playbook with provenance as JSON; the same bytes for the same playbook."""
        return to_json(
            self.bullets, name=self.name, revision=self.revision, next_number=self.next_number, queries=self.queries
        )

    @staticmethod
    def from_json(text: str) -> Playbook:
        """Reads what `to_json` wrote.

        Raises:
            PlaybookFormatError: It is something else; the message says where.
        """
        return _of(from_json(text))

    def to_dict(self) -> dict[str, Any]:
        """The dictionary form of ADK's ACE: `{"bullets": {id: {…}}, "sections": {name: [ids]}, "next_id": n}`."""
        return to_dict(self.bullets, self.sections, self.next_number)

    @staticmethod
    def from_dict(value: Any) -> Playbook:
        """Reads the dictionary form, or makes an unstored copy of another playbook.

        Raises:
            PlaybookFormatError: It has another shape; the message says where.
        """
        return _of(from_dict(value.to_dict() if isinstance(value, Playbook) else value))

    @staticmethod
    def read(text: str) -> Playbook:
        """Reads a playbook in any of the three formats.

        Raises:
            PlaybookFormatError: It is in none of them, or beyond the limits; the message says where.
        """
        return _of(read_any(text))

    @staticmethod
    def from_file(content: bytes) -> Playbook:
        """Reads a file: a text in any of the formats, a SKILL.md, or the ZIP archive of a skill's folder.

        Raises:
            PlaybookFormatError: It is none of them, or beyond the limits.
        """
        return _of(read_file(content))

    def as_reference(self) -> dict[str, Any]:
        """A short reference to the playbook, for logs."""
        return {"playbook": self.name, "revision": self.revision, "bullets": len(self)}

    def stats(self) -> dict[str, Any]:
        """Counts: bullets, active, archived (with their ids), sections, tags, tokens of the active ones."""
        bullets = self.bullets
        archived = [bullet.id for bullet in bullets if bullet.archived]
        return {
            "bullets": len(bullets),
            "active": len(bullets) - len(archived),
            "archived": archived,
            "sections": {name: len(found) for name, found in self.sections.items()},
            "helpful": self.helpful,
            "harmful": self.harmful,
            "neutral": sum(bullet.neutral for bullet in bullets),
            "tokens": self.tokens,
            "queries": self.queries,
        }


def _of(found: Contents) -> Playbook:
    """The playbook of a file. Its next number is past all numbers in the file, whatever the file says."""
    playbook = Playbook(found.bullets, name=found.name, revision=found.revision, queries=found.queries)
    return playbook.replace(next_number=max(playbook.next_number, found.next_number))
