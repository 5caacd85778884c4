"""`LabDemo`: a lab run and the steps that look at it. What a step shows is read from the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ui.demo.preset import lab_description, preset

if TYPE_CHECKING:
    from agents.lab import LabRun, Parts
    from ui.demo.stage.picture import Picture

NOTHING = "Nothing of the kind happened in this run."


class Action(NamedTuple):
    """What going to a step does to the run; it may be done again, and then does nothing.

    Attributes:
        do: Does it.
        is_done: Whether it was done.
    """

    do: Callable[[LabRun], None]
    is_done: Callable[[LabRun], bool]


class LabStep(NamedTuple):
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
    action: Action | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabDemo:
    """A demo of the Lab: its preset, and how its run is read.

    Attributes:
        name: Its name, and that of its preset.
        pictures: What the run shows, one for each step of the preset.
        figures: What it shows, as lines for a terminal, read from a run that has ended with all actions done.
        actions: What is done on the way to a step, by the step's number.
        parts: What is given to the run besides the description.
    """

    name: str
    pictures: tuple[Callable[[LabRun], Picture], ...]
    figures: Callable[[LabRun], list[str]]
    actions: Mapping[int, Action] = field(default_factory=dict[int, Action])
    parts: Callable[[], Parts | None] = lambda: None

    @property
    def description(self) -> str:
        """The run, as TOML."""
        return lab_description(self.name)

    @property
    def steps(self) -> list[LabStep]:
        """Its steps."""
        pairs = zip(preset(self.name).tables["steps"], self.pictures, strict=True)
        return [LabStep(**table, picture=shown, action=self.actions.get(at)) for at, (table, shown) in enumerate(pairs, 1)]
