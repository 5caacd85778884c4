"""What a simulated model answers for both clerks: it orders what it reads in the message, and confirms what the tool said.

There is one function for both: the style of the confirmation comes from the instruction.
"""

from __future__ import annotations

from typing import Any

from agents.models.simulated.language.detect import Language, answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import Reading, forms_beside
from agents.pipelines.routed_fallback.menu import total

_FORMS = forms_beside(__file__)
_SAID = phrases_beside(__file__, "simulation.toml")
_MOST_OF_ONE = 99


def serve(request: SimulatedRequest) -> Reply | str:
    """Places the order, then confirms it in the style that the instruction asks for."""
    placed, message = request.last_answer("place_order"), request.last_user_text()
    language = answer_language(message)
    if placed is None:
        return _answer(request, message, language)
    if "error" in placed:
        return _SAID.say(language, "refused", error=placed["error"])
    is_short = request.section("Style").startswith("one line")
    return _in_one_line(language, placed) if is_short else _in_detail(language, placed)


def _answer(request: SimulatedRequest, message: str, language: Language) -> Reply | str:
    """The order as a call, the prices that are asked for, or what can be said here."""
    reading, menu = _FORMS.read(message), request.section("Price list", until="Style")
    if reading and reading.form == "menu":
        return _SAID.say(language, "menu", menu=_translated(language, menu))
    if reading and reading.form == "price":
        asked = _named(reading)
        prices = [line for line in menu.splitlines() if _item_of(line) == asked]
        return _SAID.say(language, "prices", menu=_translated(language, "\n".join(prices)))
    counts = [(_named(line), line.get("count", 1)) for line in reading.all("line")] if reading else []
    ordered = {item: sum(count for one, count in counts if one == item) for item, _ in counts}
    if (
        not ordered
        or any(count % 1 for _, count in counts)
        or not all(0 < count <= _MOST_OF_ONE for count in ordered.values())
    ):
        return _FORMS.refusal(message)
    lines = [{"item": item, "count": count} for item, count in ordered.items()]
    return Reply(_SAID.say(language, "moment"), calls=[("place_order", {"lines": lines})])


def _named(reading: Reading) -> str:
    """The item of a reading, by its name on the price list."""
    return reading.get("item").form.replace("_", " ")


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
