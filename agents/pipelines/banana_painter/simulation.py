"""What a simulated model answers for the painter and the checker, in the language of the request.

Each reads the request in its instruction and the results of its own tools.
"""

from __future__ import annotations

import re
from typing import Any

from agents.models.simulated.language.detect import Language, answer_language, is_in_unread_script, language_of
from agents.models.simulated.language.phrases import phrases_beside, unread
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.banana_painter.wish import Wish, read_wish
from agents.pipelines.tool_answers import last_answer

_UNNAMED = re.compile(r"names no number, (\d++)")
_RANGE = re.compile(r"(?<!\d)(\d++) to (\d++)")
_MISS = re.compile(r"(?<!\d)\d++ too (?:many|few)|[：:]\s*+([^：:]++)[。.]\Z")
_SAID = phrases_beside(__file__)


def paint(request: SimulatedRequest) -> Reply | str:
    """Calls the brush, then says what was painted; or why that cannot be done."""
    asked_for = request.section("Request", until="Finding")
    wish, language = read_wish(asked_for), answer_language(asked_for)
    if (refusal := _refusal(asked_for, wish)) is not None:
        return Reply(refusal, calls=[("exit_loop", {})])
    wanted = _unnamed(request) if wish.count is None else wish.count
    result = last_answer(request, "paint_bananas")
    if result is None:
        return Reply(calls=[("paint_bananas", {"count": wanted})], thought=_thought(language, wish, wanted))
    if "error" in result:
        said = _SAID.say(language, "cannot", bananas=_bananas(language, wanted), hint=_range(language, request, result))
        return Reply(said, calls=[("exit_loop", {})])
    finding = request.section("Finding")
    said = _SAID.say(language, "painted", attempt=result["attempt"], bananas=_bananas(language, wanted))
    if wish.count is None and not finding:
        return _SAID.say(language, "no_number", count=wanted, said=said)
    return _SAID.say(language, "last_time", said=said, miss=_miss_in(finding)) if finding else said


def check(request: SimulatedRequest) -> Reply | str:
    """Counts, then compares with the request."""
    asked_for = request.section("Request")
    wish, language = read_wish(asked_for), answer_language(asked_for)
    wanted = _unnamed(request) if wish.count is None else wish.count
    result = last_answer(request, "count_bananas")
    if result is None:
        return Reply(calls=[("count_bananas", {})])
    if "bananas" not in result:
        return _SAID.say(language, "uncounted", error=result.get("error", "the tool gave no number"))
    counted = int(result["bananas"])
    bananas = _bananas(language, counted)
    if counted == wanted:
        return Reply(_SAID.say(language, "right", bananas=bananas, wanted=wanted), calls=[("exit_loop", {})])
    miss = _SAID.say(language, "too_many" if counted > wanted else "too_few", count=abs(counted - wanted))
    return _SAID.say(language, "wrong", bananas=bananas, wanted=wanted, miss=miss)


def _refusal(asked_for: str, wish: Wish) -> str | None:
    """Why nothing is painted: no bananas are asked for, or the request cannot be read; None if something is."""
    if is_in_unread_script(asked_for) or (wish.count is None and language_of(asked_for) is None):
        return unread()
    return _SAID.say(answer_language(asked_for), "none") if wish.is_for_none else None


def _unnamed(request: SimulatedRequest) -> int:
    """How many are wanted when the request does not say, as the instruction has it."""
    found = _UNNAMED.search(request.instruction)
    return int(found.group(1)) if found else 1


def _thought(language: Language, wish: Wish, wanted: float) -> str:
    if wish.count is None:
        return _SAID.say(language, "unnamed")
    return _SAID.say(language, "wanted", bananas=_bananas(language, wanted))


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
