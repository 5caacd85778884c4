"""The verdict on a session: each expectation that does not hold, with the first entry that differs.

Pure functions of expectations and evidence. A judge's rubric is left to `judge`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from agents.cases.evidence import Called, Evidence, LoopEnd, Said
from agents.cases.expectations import (
    AgentsInOrder,
    AnswerContains,
    AnswerEquals,
    AnswerMatches,
    AnswerNumber,
    AtMost,
    Expectation,
    Judge,
    LoopEnded,
    StateEquals,
    ToolCalled,
)
from agents.flows.pattern import matches

_NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,3})?", re.ASCII)
_MOST_TEXT = 50_000
"""Most characters of an answer in which numbers are looked for."""
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Difference:
    """An expectation that does not hold.

    Attributes:
        expected: The expectation, in a few words.
        found: What there is instead.
        seq: The entry that differs; the last one if something is missing.
        event: The number of that event in the session; of a record, that of the event before it.
    """

    expected: str
    found: str
    seq: int
    event: int

    def __str__(self) -> str:
        """One sentence."""
        return f"Expected: {self.expected}. Found: {self.found}."


def differences(expect: Iterable[Expectation], evidence: Evidence) -> list[Difference]:
    """The expectations that a session does not fulfil, first entry first. Rubrics are not looked at."""
    found = [
        Difference(expectation.describe(), told, seq, evidence.number_of(seq))
        for expectation in expect
        if (problem := _problem(expectation, evidence)) is not None
        for told, seq in (problem,)
    ]
    return sorted(found, key=lambda one: one.seq)


def _problem(expectation: Expectation, evidence: Evidence) -> tuple[str, int] | None:
    """What there is instead of what is expected, and the entry; None if it holds."""
    match expectation:
        case AnswerContains() | AnswerEquals() | AnswerNumber() | AnswerMatches():
            problem = _answer(expectation, evidence)
        case AgentsInOrder():
            problem = _order(expectation, evidence)
        case ToolCalled():
            problem = _call(expectation, evidence)
        case LoopEnded():
            problem = _loop(expectation, evidence)
        case StateEquals():
            value, seq = evidence.state.get(expectation.key, (None, evidence.last))
            problem = None if same(value, expectation.value) else (in_short(repr(value)), seq)
        case AtMost():
            problem = next((over for limit in _LIMITS if (over := limit(expectation, evidence)) is not None), None)
        case Judge():
            problem = None
        case _:
            assert_never(expectation)
    return problem


def in_short(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text[: 4 * _SHOWN].split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def same(found: Any, expected: Any) -> bool:
    """Whether two JSON values are equal; true and 1 are not."""
    if isinstance(found, bool) or isinstance(expected, bool):
        return found is expected
    return found == expected


def numbers_in(text: str) -> list[float]:
    """The numbers in a text: digits of any width, a point for decimals, commas between thousands."""
    plain = unicodedata.normalize("NFKC", text[:_MOST_TEXT])
    return [float(found.replace(",", "").replace("−", "-")) for found in _NUMBER.findall(plain)]


def _answer(
    expectation: AnswerContains | AnswerEquals | AnswerNumber | AnswerMatches, evidence: Evidence
) -> tuple[str, int] | None:
    said = evidence.answer(expectation.agent)
    if said is None:
        return f"no answer{f' of {expectation.agent}' if expectation.agent else ''}", evidence.last
    return None if _fits(expectation, said) else (f"“{in_short(said.text)}”", said.seq)


def _fits(expectation: AnswerContains | AnswerEquals | AnswerNumber | AnswerMatches, said: Said) -> bool:
    match expectation:
        case AnswerContains():
            return expectation.text in said.text
        case AnswerEquals():
            return expectation.text.strip() == said.text.strip()
        case AnswerMatches():
            return matches(expectation.pattern, said.text)
        case AnswerNumber():
            near = expectation.tolerance + 1e-9 * abs(expectation.value)
            return any(abs(number - expectation.value) <= near for number in numbers_in(said.text))
        case _:
            assert_never(expectation)


def _order(expectation: AgentsInOrder, evidence: Evidence) -> tuple[str, int] | None:
    wanted, last = list(expectation.agents), 0
    for author, seq in evidence.authors:
        if wanted and author == wanted[0]:
            del wanted[0]
            last = seq
    if not wanted:
        return None
    came = list(dict.fromkeys(author for author, _ in evidence.authors))
    after = next((seq for _, seq in evidence.authors if seq > last), evidence.last)
    return f"{wanted[0]} says nothing there; agents: {', '.join(came) or 'none'}", after


def _call(expectation: ToolCalled, evidence: Evidence) -> tuple[str, int] | None:
    calls = [call for call in evidence.called if call.tool == expectation.tool and expectation.agent in {"", call.agent}]
    if any(_has(call, expectation.args) for call in calls):
        return None
    if not calls:
        return f"no call of {expectation.tool}", evidence.last
    return f"{calls[0].tool}({in_short(', '.join(f'{k}={v!r}' for k, v in calls[0].args.items()))})", calls[0].seq


def _has(call: Called, args: Mapping[str, Any]) -> bool:
    return all(name in call.args and same(call.args[name], value) for name, value in args.items())


def _loop(expectation: LoopEnded, evidence: Evidence) -> tuple[str, int] | None:
    ends = [end for end in evidence.loops if end.loop == expectation.loop]
    if not ends:
        return f"{expectation.loop} did not run to an end", evidence.last
    wrong = next((end for end in ends if not _ended_so(end, expectation)), None)
    if wrong is None:
        return None
    return f"it ended by {wrong.by or wrong.reason} after {wrong.iterations}", wrong.seq


def _ended_so(end: LoopEnd, expectation: LoopEnded) -> bool:
    by = expectation.by in {"", end.by, end.reason}
    return by and (expectation.within is None or end.iterations <= expectation.within)


def _calls_over(expectation: AtMost, evidence: Evidence) -> tuple[str, int] | None:
    if expectation.calls is None or len(evidence.calls) <= expectation.calls:
        return None
    return f"{len(evidence.calls)} calls", evidence.calls[expectation.calls].seq


def _cost_over(expectation: AtMost, evidence: Evidence) -> tuple[str, int] | None:
    if expectation.cost is None:
        return None
    total = 0.0
    for call in evidence.calls:
        if call.cost is None:
            return f"a call of {call.model}, which has no price: set one in the settings", call.seq
        total += call.cost
        if total > expectation.cost:
            return f"${sum(one.cost or 0.0 for one in evidence.calls):.6f}", call.seq
    return None


def _seconds_over(expectation: AtMost, evidence: Evidence) -> tuple[str, int] | None:
    total = sum(run.seconds for run in evidence.runs)
    if expectation.seconds is None or total <= expectation.seconds:
        return None
    return f"{total:.1f} s", evidence.runs[-1].seq


_LIMITS: Sequence[Callable[[AtMost, Evidence], tuple[str, int] | None]] = (_calls_over, _cost_over, _seconds_over)
