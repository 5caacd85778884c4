"""The demos of the Lab, by name."""

from __future__ import annotations

from ui.demo.lab import collapse, poison, race, world
from ui.demo.lab.demo import LabDemo

LAB_DEMOS: dict[str, LabDemo] = {one.name: one for one in (collapse.DEMO, world.DEMO, poison.DEMO, race.DEMO)}
