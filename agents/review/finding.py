"""A rule of the review, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from agents.review.team_view import TeamView


class Place(NamedTuple):
    """What a rule found, and where.

    Attributes:
        agent: The agent's name.
        field: Its field, e.g. "instruction".
        text: One or two sentences: what is wrong, and what to write instead.
    """

    agent: str
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: what it looks for, and why that matters.

    Attributes:
        id: A short name, e.g. "endless-loop".
        level: "error" for what fails or never ends, "warning" for what is seldom meant.
        why: One or two sentences for somebody who meets it for the first time.
        find: Its findings in a team.
    """

    id: str
    level: Literal["error", "warning"]
    why: str
    find: Callable[[TeamView], Iterator[Place]]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a team.

    Attributes:
        rule: The rule.
        agent: The agent's name.
        field: Its field.
        text: What is wrong, and what to write instead.
    """

    rule: Rule
    agent: str
    field: str
    text: str
