"""`LabDemo`: a lab run and the steps that look at it. A step names a moment; what is seen there is read from the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.lab import LabRun, Parts
    from ui.demo.lab.board.picture import Picture

_PRESETS = Path(__file__).with_name("presets")
NOTHING = "Nothing of the kind happened in this run."


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What going to a step does to the run; it may be done again, and then does nothing.

    Attributes:
        do: Does it.
        is_done: Whether it was done.
    """

    do: Callable[[LabRun], None]
    is_done: Callable[[LabRun], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabStep:
    """One step.

    Attributes:
        title: A few words.
        look_for: One or two sentences for the audience, true for every outcome.
        picture: What the run shows there; of the first step, also while it is worked on.
        action: What is done on the way there.
    """

    title: str
    look_for: str
    picture: Callable[[LabRun], Picture]
    action: Action | None = None


def no_parts() -> Parts | None:
    """Everything is in the description."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabDemo:
    """A demo of the Lab.

    Attributes:
        name: Its name, and that of its description in the folder `presets`.
        steps: Its steps.
        figures: What it shows, as lines for a terminal, read from a run that has ended with all actions done.
        parts: What is given to the run besides the description.
    """

    name: str
    steps: tuple[LabStep, ...]
    figures: Callable[[LabRun], list[str]]
    parts: Callable[[], Parts | None] = no_parts

    @property
    def description(self) -> str:
        """The run, as TOML."""
        return (_PRESETS / f"{self.name}.toml").read_text(encoding="utf-8")
