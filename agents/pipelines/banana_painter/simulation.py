"""What a simulated model answers for the painter and the checker, in the language of the request.

Each reads the request in its instruction and the results of its own tools.
"""

from __future__ import annotations

import re
from typing import Any

from agents.models.simulated.language.detect import Language, answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import forms_beside

_UNNAMED = re.compile(r"names no number, (\d++)")
_RANGE = re.compile(r"(?<!\d)(\d++) to (\d++)")
_MISS = re.compile(r"(?<!\d)\d++ too (?:many|few)|[：:]\s*+([^：:]++)[。.]\Z")
_FORMS = forms_beside(__file__)
_SAID = phrases_beside(__file__, "simulation.toml")


def paint(request: SimulatedRequest) -> Reply | str:
    """Calls the brush, then says what was painted; or why that cannot be done."""
    asked_for = request.section("Request", until="Finding")
    language = answer_language(asked_for)
    if (wanted := _wanted(request, asked_for)) is None:
        return _FORMS.refusal(asked_for, calls=[("exit_loop", {})])
    names_number = _names_number(asked_for)
    result = request.last_answer("paint_bananas")
    if result is None:
        thought = _SAID.say(language, "wanted" if names_number else "unnamed", bananas=_bananas(language, wanted))
        return Reply(calls=[("paint_bananas", {"count": wanted})], thought=thought)
    if "error" in result:
        said = _SAID.say(language, "cannot", bananas=_bananas(language, wanted), hint=_range(language, request, result))
        return Reply(said, calls=[("exit_loop", {})])
    finding = request.section("Finding")
    said = _SAID.say(language, "painted", attempt=result["attempt"], bananas=_bananas(language, wanted))
    if not names_number and not finding:
        return _SAID.say(language, "no_number", count=wanted, said=said)
    return _SAID.say(language, "last_time", said=said, miss=_miss_in(finding)) if finding else said


def check(request: SimulatedRequest) -> Reply | str:
    """Counts, then compares with the request."""
    asked_for = request.section("Request")
    language, wanted = answer_language(asked_for), _wanted(request, asked_for)
    result = request.last_answer("count_bananas")
    if result is None:
        return Reply(calls=[("count_bananas", {})])
    if "bananas" not in result:
        return _SAID.say(language, "uncounted", error=result.get("error", "the tool gave no number"))
    counted = int(result["bananas"])
    bananas = _bananas(language, counted)
    if wanted is None or counted == wanted:
        return Reply(_SAID.say(language, "right", bananas=bananas, wanted=wanted), calls=[("exit_loop", {})])
    miss = _SAID.say(language, "too_many" if counted > wanted else "too_few", count=abs(counted - wanted))
    return _SAID.say(language, "wrong", bananas=bananas, wanted=wanted, miss=miss)


def _wanted(request: SimulatedRequest, asked_for: str) -> float | None:
    """How many bananas are asked for; None where the request is not read."""
    reading = _FORMS.read(asked_for)
    if reading is None:
        return None
    return 1 if reading.form == "one" else reading.get("number", _unnamed(request))


def _names_number(asked_for: str) -> bool:
    reading = _FORMS.read(asked_for)
    return reading is not None and reading.form != "any"


def _unnamed(request: SimulatedRequest) -> int:
    """How many are wanted when the request does not say, as the instruction has it."""
    found = _UNNAMED.search(request.instruction)
    return int(found.group(1)) if found else 1


def _range(language: Language, request: SimulatedRequest, result: dict[str, Any]) -> str:
    """What would work: from the tool's error where it says so, else from the instruction."""
    texts = (str(result["error"]), request.instruction)
    found = next((match for text in texts if (match := _RANGE.search(text))), None)
    return _SAID.say(language, "hint", fewest=found[1], most=found[2]) if found else str(result["error"])


def _miss_in(finding: str) -> str:
    """By how much the last picture was wrong: the end of the checker's sentence, or all of it."""
    found = _MISS.search(finding)
    return (found[1] or found[0]) if found else finding.rstrip(".。")


def _bananas(language: Language, count: float) -> str:
    return _SAID.say(language, "one" if count == 1 else "many", count=count)


SIMULATION = {"PainterAgent": paint, "CheckerAgent": check}
