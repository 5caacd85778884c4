"""Reads the card of a built-in pipeline from the files beside its code: `card.toml` and `lesson.md`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.models.simulated.model import Simulation
from agents.pipeline import Break, Card, Control, Highlight, Observation
from agents.runtime.fault import Fault


def card_beside(module: str, *, simulation: Mapping[str, Simulation]) -> Card:
    """The card in the files beside a module. Tables and keys of `card.toml` are those of `Card` and what it is made of.

    Args:
        module: The module's `__file__`.
        simulation: Agent name → what answers for its model.

    Raises:
        TypeError: The file has a key that a card has not, or lacks one.
    """
    folder = Path(module).parent
    texts: dict[str, Any] = tomllib.loads((folder / "card.toml").read_text(encoding="utf-8"))
    made: dict[str, Any] = {
        "samples": tuple(texts["samples"]),
        "breaks": tuple(_break(one) for one in texts.get("breaks", ())),
        "controls": tuple(_control(one) for one in texts.get("controls", ())),
        "observations": tuple(Observation(**one) for one in texts.get("observations", ())),
        "highlights": tuple(Highlight(**one) for one in texts.get("highlights", ())),
    }
    made["lesson"] = (folder / "lesson.md").read_text(encoding="utf-8")
    made["simulation"] = simulation
    return Card(**(texts | made))


def _break(table: dict[str, Any]) -> Break:
    faults: Any = tuple(Fault(**fault) for fault in table.get("faults", ()))
    return Break(**(table | {"faults": faults}))


def _control(table: dict[str, Any]) -> Control:
    choices: Any = tuple(table.get("choices", ()))
    return Control(**(table | {"choices": choices}))
