"""What a simulated model answers for both clerks: it orders what it reads in the message, and confirms what the tool said.

There is one function for both: the style of the confirmation comes from the instruction.
"""

from __future__ import annotations

from typing import Any

from agents.models.simulated.language.detect import Language, answer_language, is_in_unread_script
from agents.models.simulated.language.phrases import phrases_beside, unread
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.routed_fallback.menu import asks_price, read_order, total

_SAID = phrases_beside(__file__)


def serve(request: SimulatedRequest) -> Reply | str:
    """Places the order, then confirms it in the style that the instruction asks for."""
    results, message = request.tool_results("place_order"), request.last_user_text()
    language = answer_language(message)
    if not results:
        if not (ordered := read_order(message)):
            menu = _translated(language, request.section("Price list", until="Style"))
            return unread() if is_in_unread_script(message) else _SAID.say(language, "nothing", menu=menu)
        if asks_price(message):
            prices = [
                line for line in request.section("Price list", until="Style").splitlines() if _item_of(line) in ordered
            ]
            return _SAID.say(language, "prices", menu=_translated(language, "\n".join(prices)))
        lines = [{"item": item, "count": count} for item, count in ordered.items()]
        return Reply(_SAID.say(language, "moment"), calls=[("place_order", {"lines": lines})])
    placed = results[-1].response or {}
    if "error" in placed:
        return _SAID.say(language, "refused", error=placed["error"])
    is_short = request.section("Style").startswith("one line")
    return _in_one_line(language, placed) if is_short else _in_detail(language, placed)


def _in_one_line(language: Language, placed: dict[str, Any]) -> str:
    lines: dict[str, int] = placed["lines"]
    said = _SAID.say(language, "between").join(f"{count} × {_item(language, item)}" for item, count in lines.items())
    return _SAID.say(language, "line", order=placed["order"], listed=said, total=placed["total"])


def _in_detail(language: Language, placed: dict[str, Any]) -> str:
    lines: dict[str, int] = placed["lines"]
    return "\n".join(
        [
            _SAID.say(language, "placed", order=placed["order"]),
            *(f"- {count} × {_item(language, item)}: {total({item: count})}" for item, count in lines.items()),
            _SAID.say(language, "total", total=placed["total"]),
            _SAID.say(language, "end"),
        ]
    )


def _item(language: Language, item: str) -> str:
    return _SAID.word(language, "items", item)


def _translated(language: Language, price_list: str) -> str:
    """A price list with the names that the language has for what is on it."""
    lines = [(_item_of(line), line.rpartition(": ")[2]) for line in price_list.splitlines()]
    return "\n".join(f"- {_item(language, item)}: {price}" for item, price in lines)


def _item_of(line: str) -> str:
    return line.removeprefix("- ").rpartition(": ")[0]


SIMULATION = {"Clerk": serve, "StandIn": serve}
