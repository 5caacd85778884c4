"""A rule of the review, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from agents.review.team_view import TeamView


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of one field of an agent that settles a finding.

    Attributes:
        text: What it does, e.g. "Set max_iterations to 5".
        agent: The agent's name.
        field: The field.
        value: Its new value, as plain data; None removes the field. For `tools`, the name of a tool to add or to remove.
    """

    text: str
    agent: str
    field: str
    value: Any


class Place(NamedTuple):
    """What a rule found, and where.

    Attributes:
        agent: The agent's name.
        field: Its field, e.g. "instruction".
        text: One or two sentences: what is wrong, and what to write instead.
        fix: What would settle it, where that is mechanical.
    """

    agent: str
    field: str
    text: str
    fix: Fix | None = None


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
        fix: What would settle it, where that is mechanical.
    """

    rule: Rule
    agent: str
    field: str
    text: str
    fix: Fix | None = None
