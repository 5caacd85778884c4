"""What a simulated model answers for the painter and the checker.

Both read the request in their instruction and the results of their tools; neither knows what the other's tool did.
"""

from __future__ import annotations

import re
from typing import Any

from agents.models.simulated import Reply, SimulatedRequest
from agents.pipelines.banana_painter.reading import read_count

_UNNAMED = re.compile(r"names no number, (\d++)")
_RANGE = re.compile(r"(?<!\d)(\d++) to (\d++)")
_MISS = re.compile(r"(?<!\d)\d++ too (?:many|few)")


def paint(request: SimulatedRequest) -> Reply | str:
    """Calls the brush, then says what was painted; or why that cannot be done."""
    asked = read_count(request.section("Request", until="Finding"))
    wanted = _unnamed(request) if asked is None else asked
    result = _last_result(request, "paint_bananas")
    if result is None:
        return Reply(calls=[("paint_bananas", {"count": wanted})], thought=_thought(asked, wanted))
    if "error" in result:
        return Reply(f"I cannot paint {_bananas(wanted)}. {_range(request, result)}", calls=[("exit_loop", {})])
    said = f"Attempt {result['attempt']}: {_bananas(wanted)}, I believe."
    finding = request.section("Finding")
    if asked is None and not finding:
        said = f"The request names no number, so I take {wanted}. {said}"
    if finding:
        said += f" Last time it was wrong: {_miss_in(finding)}."
    return said


def check(request: SimulatedRequest) -> Reply | str:
    """Counts, then compares with the request."""
    asked = read_count(request.section("Request"))
    wanted = _unnamed(request) if asked is None else asked
    result = _last_result(request, "count_bananas")
    if result is None:
        return Reply(calls=[("count_bananas", {})])
    if "bananas" not in result:
        return f"Nothing could be counted: {result.get('error', 'the tool gave no number')}"
    counted = int(result["bananas"])
    if counted == wanted:
        return Reply(
            f"{_bananas(counted).capitalize()} counted, {wanted} wanted: this one is right.", calls=[("exit_loop", {})]
        )
    miss = f"{abs(counted - wanted)} too {'many' if counted > wanted else 'few'}"
    return f"{_bananas(counted).capitalize()} counted, {wanted} wanted: {miss}."


def _last_result(request: SimulatedRequest, tool: str) -> dict[str, Any] | None:
    results = request.tool_results(tool)
    return (results[-1].response or {}) if results else None


def _unnamed(request: SimulatedRequest) -> int:
    """How many are wanted when the request does not say, as the instruction has it."""
    found = _UNNAMED.search(request.instruction)
    return int(found.group(1)) if found else 1


def _thought(asked: float | None, wanted: float) -> str:
    return "No number in the request." if asked is None else f"{_bananas(wanted).capitalize()} wanted."


def _range(request: SimulatedRequest, result: dict[str, Any]) -> str:
    """What would work: from the tool's error where it says so, else from the instruction."""
    texts = (str(result["error"]), request.instruction)
    found = next((match for text in texts if (match := _RANGE.search(text))), None)
    return f"Ask for {found.group(1)} to {found.group(2)}, and whole ones." if found else str(result["error"])


def _miss_in(finding: str) -> str:
    found = _MISS.search(finding)
    return found.group() if found else finding.rstrip(".")


def _bananas(count: float) -> str:
    return f"{count} banana" if count == 1 else f"{count} bananas"


SIMULATION = {"PainterAgent": paint, "CheckerAgent": check}
