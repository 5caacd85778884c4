"""What a router may answer, times what those it chooses may do, and what is to come of it: the same for agents and models.

Those to choose from are called a, b and c. Each gives some outputs ("a1", "a2", …) and then may fail.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.errors import RoutingError
from agents.flows.failover import RouteDecision, RoutingErrorContext


class WorkError(Exception):
    """What those that fail raise; says which of them it was."""


@dataclass(frozen=True)
class Work:
    """How many outputs one gives, and whether it fails then."""

    outputs: int
    fails: bool = False

    def of(self, key: str) -> list[Any]:
        """The outputs' texts, and what is raised after them."""
        return [*(f"{key}{number + 1}" for number in range(self.outputs)), *([WorkError(key)] if self.fails else [])]


@dataclass(frozen=True)
class Later:
    """An answer that the router gives asynchronously."""

    answer: Any


@dataclass
class ScriptedRouter:
    """Gives its answers in turn: keys, decisions, exceptions to raise, each of them later if so written."""

    answers: Sequence[Any]
    asked: list[RoutingErrorContext | None] = field(default_factory=list)
    offered: list[tuple[list[str], Any]] = field(default_factory=list)

    def __call__(self, items: Mapping[str, Any], given: Any, error_context: RoutingErrorContext | None = None) -> Any:
        self.asked.append(error_context)
        self.offered.append((list(items), given))
        assert len(self.asked) <= len(self.answers), "the router was asked too often"
        answer = self.answers[len(self.asked) - 1]
        if isinstance(answer, Later):
            return self._later(answer.answer)
        return self._now(answer)

    async def _later(self, answer: Any) -> Any:
        await asyncio.sleep(0)
        return self._now(answer)

    def _now(self, answer: Any) -> Any:
        if isinstance(answer, BaseException):
            raise answer
        return answer


SILENT, ONE, THREE = Work(0), Work(1), Work(3)
FAILS, FAILS_AFTER_ONE, FAILS_AFTER_THREE = Work(0, fails=True), Work(1, fails=True), Work(3, fails=True)
BROKEN = LookupError("the router is broken")


@dataclass(frozen=True)
class Scenario:
    """A routed run.

    Attributes:
        what: Says what it shows.
        answers: The router's answers; it must be asked for all of them.
        gives: The outputs.
        a: What a does; likewise b and c.
        raises: What is raised: the key of the one whose own error it is, or a type and a part of the message.
        decisions: The keys in the trace; by default the answers.
    """

    what: str
    answers: tuple[Any, ...]
    gives: str = ""
    a: Work = ONE
    b: Work = ONE
    c: Work = ONE
    raises: str | tuple[type[Exception], str] | None = None
    decisions: tuple[str | None, ...] | None = None

    @property
    def works(self) -> dict[str, Work]:
        return {"a": self.a, "b": self.b, "c": self.c}

    @property
    def decided(self) -> list[str | None]:
        return list(self.answers if self.decisions is None else self.decisions)

    def check(self, error: BaseException | None) -> None:
        """That what was raised is what is to be raised."""
        match self.raises:
            case None:
                assert error is None
            case str(key):
                assert type(error) is WorkError
                assert error.args == (key,)
                assert error.__cause__ is None
            case (kind, part):
                assert type(error) is kind
                assert part in str(error)


NONE_SELECTED = (RoutingError, "Initial routing failed, no item selected.")
NO_SUCH_KEY = (RoutingError, "one of these: a, b, c.")
UNKNOWN = (RoutingError, "one of these: a, b, c, or None to give up.")

SCENARIOS = [
    # the first choice
    Scenario("the chosen one gives nothing", ("a",), a=SILENT),
    Scenario("the chosen one gives one output", ("b",), "b1"),
    Scenario("the chosen one gives all its outputs", ("c",), "c1 c2 c3", c=THREE),
    Scenario("an async answer", (Later("b"),), "b1", decisions=("b",)),
    Scenario("a decision", (RouteDecision("b", "it can"),), "b1", decisions=("b",)),
    Scenario("an async decision", (Later(RouteDecision("c")),), "c1", decisions=("c",)),
    Scenario("no first answer", (None,), raises=NONE_SELECTED),
    Scenario("an empty first answer", ("",), raises=NONE_SELECTED, decisions=(None,)),
    Scenario("an async answer that names none", (Later(None),), raises=NONE_SELECTED, decisions=(None,)),
    Scenario("a decision for none", (RouteDecision(None, "too hard"),), raises=NONE_SELECTED, decisions=(None,)),
    Scenario("an unknown first key", ("x",), raises=NO_SUCH_KEY),
    Scenario("an unknown key, async", (Later("x"),), raises=NO_SUCH_KEY, decisions=("x",)),
    Scenario("an answer that is no key", (7,), raises=NO_SUCH_KEY, decisions=("7",)),
    Scenario("a router that raises", (BROKEN,), raises=(LookupError, "broken"), decisions=(None,)),
    Scenario("an async router that raises", (Later(BROKEN),), raises=(LookupError, "broken"), decisions=(None,)),
    # one fails before its first output
    Scenario("another takes over", ("a", "b"), "b1", a=FAILS),
    Scenario("another takes over with all its outputs", ("a", "c"), "c1 c2 c3", a=FAILS, c=THREE),
    Scenario("another takes over and gives nothing", ("a", "b"), a=FAILS, b=SILENT),
    Scenario("another takes over, chosen async", ("a", Later("b")), "b1", a=FAILS, decisions=("a", "b")),
    Scenario("another takes over by a decision", ("a", RouteDecision("b")), "b1", a=FAILS, decisions=("a", "b")),
    Scenario("nobody else", ("a", None), a=FAILS, raises="a"),
    Scenario("an empty key after a failure", ("a", ""), a=FAILS, raises=UNKNOWN, decisions=("a", None)),
    Scenario("an empty key after a failure, async", ("a", Later("")), a=FAILS, raises=UNKNOWN, decisions=("a", None)),
    Scenario("a decision for an empty key", ("a", RouteDecision("")), a=FAILS, raises=UNKNOWN, decisions=("a", None)),
    Scenario("no key at all after a failure", ("a", 0), a=FAILS, raises=UNKNOWN, decisions=("a", None)),
    Scenario("nobody else, said async", ("a", Later(None)), a=FAILS, raises="a", decisions=("a", None)),
    Scenario("nobody else, with a reason", ("a", RouteDecision(None, "?")), a=FAILS, raises="a", decisions=("a", None)),
    Scenario("the one that failed again", ("a", "a"), a=FAILS, raises="a"),
    Scenario("the one that failed again, async", ("a", Later("a")), a=FAILS, raises="a", decisions=("a", "a")),
    Scenario("an unknown key after a failure", ("a", "x"), a=FAILS, raises=UNKNOWN),
    Scenario("no key after a failure", ("a", 7), a=FAILS, raises=UNKNOWN, decisions=("a", "7")),
    Scenario(
        "a router that raises after a failure",
        ("a", BROKEN),
        a=FAILS,
        raises=(LookupError, "broken"),
        decisions=("a", None),
    ),
    # several fail
    Scenario("the third takes over", ("a", "b", "c"), "c1", a=FAILS, b=FAILS),
    Scenario("nobody after two", ("a", "b", None), a=FAILS, b=FAILS, raises="b"),
    Scenario("the first again after two", ("a", "b", "a"), a=FAILS, b=FAILS, raises="b"),
    Scenario("all fail", ("c", "b", "a", None), a=FAILS, b=FAILS, c=FAILS, raises="a"),
    Scenario("all fail and the router goes round", ("a", "b", "c", "a"), a=FAILS, b=FAILS, c=FAILS, raises="c"),
    # one fails after an output
    Scenario("a failure after one output", ("a",), "a1", a=FAILS_AFTER_ONE, raises="a"),
    Scenario("a failure after three outputs", ("a",), "a1 a2 a3", a=FAILS_AFTER_THREE, raises="a"),
    Scenario("the second fails after an output", ("a", "b"), "b1", a=FAILS, b=FAILS_AFTER_ONE, raises="b"),
    Scenario("the third fails late", ("a", "b", "c"), "c1", a=FAILS, b=FAILS, c=FAILS_AFTER_ONE, raises="c"),
]
