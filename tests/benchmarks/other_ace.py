"""The same deltas in another implementation of ACE: the package ace-framework, which keeps a playbook in memory.

It is written by Kayba, not by the authors of the paper, whose code is in no registry. It saves a playbook as one JSON file.
"""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.benchmarks.playbooks import SECTIONS, sentences


class OtherBook:
    """A playbook of so many bullets.

    Args:
        path: Where it is saved.
        bullets: How many.
    """

    def __init__(self, path: Path, bullets: int) -> None:
        self._updates: Any = import_module("ace.updates")
        self._book: Any = import_module("ace.skillbook").Skillbook()
        self._path, self._done = path, 0
        texts = enumerate(sentences(bullets))
        self._ids = [self._book.add_skill(SECTIONS[n % len(SECTIONS)], text).id for n, text in texts]

    def seconds_of_delta(self, repeat: int, *, save: bool) -> float:
        """Seconds for a delta of two operations: one bullet counted as helpful, one added.

        Args:
            repeat: How many deltas.
            save: Whether the playbook is saved after each.
        """
        operation, seconds = self._updates.UpdateOperation, 0.0
        for number, text in enumerate(sentences(repeat, seed=self._done), start=self._done):
            tagged = self._ids[number * 37 % len(self._ids)]
            section = SECTIONS[number % len(SECTIONS)]
            tag = operation(type="TAG", section=section, skill_id=tagged, metadata={"helpful": 1})
            batch = self._updates.UpdateBatch(
                reasoning="The formula was used.", operations=[tag, operation(type="ADD", section=section, content=text)]
            )
            started = time.perf_counter()
            self._book.apply_update(batch)
            if save:
                self._book.save_to_file(str(self._path))
            seconds += time.perf_counter() - started
        self._done += repeat
        assert len(self._book.skills()) == len(self._ids) + self._done
        return seconds / repeat
