"""*moving world*: at a step a definition changes, and what was learned about it becomes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, TypeAdapter

from agents.lab.data.data_set import Split
from agents.lab.data.generated.formulas import sample_of
from agents.lab.data.generated_set import Kind
from agents.lab.sample import Sample
from agents.models.simulated.language.words import words_beside
from agents.pipelines.ace.families import FAMILIES, Question, draw_question, is_right
from agents.pipelines.ace.families.family import Family

FAMILIES_ASKED = 4
"""Families of one stream; each comes once in a round of as many questions."""


class Change(BaseModel):
    """A definition that changes.

    Attributes:
        family: The family whose answers change.
        formula: The new formula.
        says: The change in a sentence.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    family: str
    formula: str
    says: str


class World(NamedTuple):
    """The families of a stream before the change and after it, and the change."""

    before: tuple[Family, ...]
    after: tuple[Family, ...]
    change: Change


def moving_world(change_at: int, world_seed: int) -> Kind:
    """The kind of data set whose definition changes before the training sample at `change_at`, counted from 0.

    Args:
        change_at: Number of training samples before the change. Validation and test are of the world after it.
        world_seed: Chooses the families and the change.
    """
    change = world_of(world_seed).change

    def draw(split: Split, seed: int, count: int) -> Iterator[Sample]:
        return draw_moving_world(seed, count, change_at if split == "train" else 0, world_seed=world_seed)

    about = (
        f"Shows whether knowledge that became wrong is corrected: before training sample {change_at + 1} a definition "
        f"changes. {change.says} No question says so, only the right answers do. It is a closed world made for the "
        f"simulated learner, with one change of one of {FAMILIES_ASKED} formulas."
    )
    return Kind(about, {"kind": "families"}, draw)


def world_of(seed: int) -> World:
    """The families and the change that a seed chooses."""
    rng = Random(f"world {seed}")  # noqa: S311  nothing is secret here
    changes = _changes()
    change = rng.choice(changes)
    others = [one.family for one in changes if one.family != change.family]
    names = {change.family, *rng.sample(others, FAMILIES_ASKED - 1)}
    before = tuple(family for family in FAMILIES if family.name in names)
    after = tuple(one._replace(formula=change.formula) if one.name == change.family else one for one in before)
    return World(before, after, change)


def draw_moving_world(seed: int, count: int, change_at: int, *, world_seed: int | None = None) -> Iterator[Sample]:
    """Questions in rounds, each family of the world once a round. Labels say `world` and whether the family `changes`.

    Args:
        seed: The same seed gives the same questions.
        count: How many.
        change_at: Number of questions before the change.
        world_seed: Chooses the families and the change; `seed` if None.
    """
    world, rng = world_of(seed if world_seed is None else world_seed), Random(seed)  # noqa: S311  as above
    order = list(range(FAMILIES_ASKED))
    for number in range(count):
        if number % FAMILIES_ASKED == 0:
            rng.shuffle(order)
        is_after, place = number >= change_at, order[number % FAMILIES_ASKED]
        changes = world.before[place].name == world.change.family
        sample = sample_of(_drawn(world, place, rng, is_after=is_after, changes=changes))
        labels = {"world": "after" if is_after else "before", "changes": changes}
        yield Sample(id="", question=sample.question, truth=sample.truth, labels={**sample.labels, **labels})


def _drawn(world: World, place: int, rng: Random, *, is_after: bool, changes: bool) -> Question:
    """A question. After the change, one whose right answer is another one than it was before."""
    while True:
        state = rng.getstate()
        now = draw_question((world.after if is_after else world.before)[place], rng)
        if not (is_after and changes):
            return now
        end = rng.getstate()
        rng.setstate(state)
        then = draw_question(world.before[place], rng)
        rng.setstate(end)
        if then.text == now.text and not is_right(then.answer, now.answer, now):
            return now


@cache
def _changes() -> list[Change]:
    return TypeAdapter(list[Change]).validate_python(words_beside(__file__, "moving_world.toml")["change"])
