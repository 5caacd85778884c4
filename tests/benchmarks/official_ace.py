"""The same deltas in the code that the authors of the ACE paper have published, github.com/ace-agent/ace.

It is in no registry, so a checkout is named by `--ace`. Its playbook is one text, which each delta reads and writes anew.
"""

from __future__ import annotations

import io
import sys
import time
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.benchmarks.playbooks import SECTIONS, id_of, sentences

_MODULE = "playbook_utils"
_OF_MODELS = {"openai": ("OpenAI",), "tiktoken": ("get_encoding",), "dotenv": ("load_dotenv",)}
"""Packages that its modules import and that only asking a model needs, with the names that are used on import."""


class OfficialBook:
    """A playbook of so many bullets.

    Args:
        checkout: The folder of the code.
        path: Where the playbook is saved.
        bullets: How many.
    """

    def __init__(self, checkout: Path, path: Path, bullets: int) -> None:
        self._code, self._path, self._bullets, self._done = _imported(checkout), path, bullets, 0
        lines = [
            (n % len(SECTIONS), self._code.format_playbook_line(id_of(n), 0, 0, text))
            for n, text in enumerate(sentences(bullets), start=1)
        ]
        parts = [[f"## {title}", *(line for at, line in lines if at == place)] for place, title in enumerate(SECTIONS)]
        self._text = "\n".join(line for part in parts for line in part)

    def seconds_of_delta(self, repeat: int, *, save: bool) -> float:
        """Seconds for a delta of two operations: one bullet counted as helpful, one added.

        Args:
            repeat: How many deltas.
            save: Whether the playbook is saved after each.
        """
        seconds = 0.0
        for number, text in enumerate(sentences(repeat, seed=self._done), start=self._done):
            tags = [{"id": id_of(number * 37 % self._bullets + 1), "tag": "helpful"}]
            operations = [{"type": "ADD", "section": SECTIONS[number % len(SECTIONS)], "content": text}]
            started = time.perf_counter()
            with redirect_stdout(io.StringIO()):  # it prints each bullet that it adds
                counted = self._code.update_bullet_counts(self._text, tags)
                next_id = self._bullets + number + 1
                self._text, _ = self._code.apply_curator_operations(counted, operations, next_id)
            if save:
                self._path.write_text(self._text, encoding="utf-8")
            seconds += time.perf_counter() - started
        self._done += repeat
        assert self._text.count(" :: ") == self._bullets + self._done
        return seconds / repeat


def _imported(checkout: Path) -> Any:
    """Its module. It asks no model here, so the packages for that are stood in for where they are missing."""
    for name, used in _OF_MODELS.items():
        try:
            import_module(name)
        except ImportError:
            sys.modules[name] = ModuleType(name)
            for attribute in used:
                setattr(sys.modules[name], attribute, lambda *_, **__: None)
    sys.path.insert(0, str(checkout))
    try:
        return import_module(_MODULE)
    finally:
        sys.path.remove(str(checkout))
