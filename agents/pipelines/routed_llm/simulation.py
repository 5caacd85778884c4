"""What the two simulated models answer for the dice table.

Both read the message and the results of the tool. The quick one gives the result and no more; the careful one thinks
first, and compares the total with the expected value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agents.models.simulated.language.detect import Language, answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.language.words import words_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import Forms
from agents.models.simulated.reading.kinds import Message
from agents.models.simulated.reading.numbers import number_at
from agents.models.simulated.reading.tokens import tokens_of
from agents.pipelines.routed_llm.dice import chance_of_at_least

_LIMITS = re.compile(
    r"(?<!\d)(?P<fewest>\d{1,6}) to (?P<most>\d{1,6}) dice of (?P<fewest_sides>\d{1,6}) to (?P<most_sides>\d{1,6}) sides"
)
_SAID = phrases_beside(__file__, "simulation.toml")
_USUAL_SIDES = 6


def _sided(message: Message, at: int) -> Iterator[tuple[int, float]]:
    """How many sides in one word: ten-sided."""
    if at < len(message.tokens) and message.tokens[at].key.endswith("-sided"):
        number = tokens_of(message.tokens[at].key.removesuffix("-sided"))
        if found := number_at(number, 0):
            yield at + 1, found[1]


FORMS = Forms(words_beside(__file__, "simulation.toml"), {"sided": _sided})


def be_quick(request: SimulatedRequest) -> Reply | str:
    """Calls the tool, or says in a few words what it gave."""
    if (rolled := request.last_answer("roll_dice")) is None:
        return _call(request, thought=False)
    if "error" in rolled:
        return _refused(request, rolled, "refused")
    return f"{_listed(rolled)}{_SAID.say(_language(request), 'end')}"


def be_careful(request: SimulatedRequest) -> Reply | str:
    """Calls the tool after some thought, or explains what it gave."""
    if (rolled := request.last_answer("roll_dice")) is None:
        return _call(request, thought=True)
    if "error" in rolled:
        return _refused(request, rolled, "refused_kindly")
    language = _language(request)
    came_up, sides = list(rolled["came_up"]), int(rolled["sides"])
    dice, total = len(came_up), sum(came_up)
    expected, mean = f"{dice * (sides + 1) / 2:g}", f"{(sides + 1) / 2:g}"
    chance = float(chance_of_at_least(total, dice=dice, sides=sides))
    return Reply(
        _SAID.say(
            language,
            "as_much" if 2 * total == dice * (sides + 1) else "more" if 2 * total > dice * (sides + 1) else "less",
            listed=_listed(rolled),
            expected=expected,
            named=_named(language, dice, sides),
            total=total,
            percent=_percent(language, chance),
        ),
        thought=_SAID.say(language, "working", mean=mean, expected=expected, total=total),
    )


def _call(request: SimulatedRequest, *, thought: bool) -> Reply | str:
    message, language = request.last_user_text(), _language(request)
    reading = FORMS.read(message)
    dice, sides = (reading.get("dice", 1), reading.all("sides") or [_USUAL_SIDES]) if reading else (0, [])
    if len(sides) != 1 or dice % 1 or sides[0] % 1:
        return FORMS.refusal(message)
    dice, sides = int(dice), int(sides[0])
    why = _SAID.say(language, "thought", named=_named(language, dice, sides)) if thought else ""
    return Reply(calls=[("roll_dice", {"dice": dice, "sides": sides})], thought=why)


def _refused(request: SimulatedRequest, rolled: dict[str, Any], key: str) -> str:
    """Why the tool did not roll, with the limits that its error names."""
    if (limits := _LIMITS.search(str(rolled["error"]))) is None:
        return _SAID.say(_language(request), "failed", error=rolled["error"])
    return _SAID.say(_language(request), key, error=rolled["error"], **limits.groupdict())


def _language(request: SimulatedRequest) -> Language:
    return answer_language(request.last_user_text())


def _listed(rolled: dict[str, Any]) -> str:
    came_up: list[int] = rolled["came_up"]
    listed = " + ".join(str(value) for value in came_up)
    return listed if len(came_up) == 1 else f"{listed} = {sum(came_up)}"


def _named(language: Language, dice: int, sides: int) -> str:
    return _SAID.say(language, "die" if dice == 1 else "dice", dice=dice, sides=sides)


def _percent(language: Language, chance: float) -> str:
    return _SAID.say(language, "few") if chance < 0.001 else f"{100 * chance:.1f} %"  # noqa: PLR2004  as it is said


QUICK_SIMULATION = {"DiceTable": be_quick}
CAREFUL_SIMULATION = {"DiceTable": be_careful}
