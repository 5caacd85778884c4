"""What a simulated model answers for the writer: it puts what it reads into one of three letters, the next one each time."""

from __future__ import annotations

import ast

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import forms_beside

_FORMS = forms_beside(__file__)
_SAID = phrases_beside(__file__, "simulation.toml")
_LETTERS = 3
_MOST_LETTERS = 80


def write(request: SimulatedRequest) -> Reply:
    """Hands in a draft that was not handed in before."""
    asked = request.section("request")
    if (reading := _FORMS.read(asked)) is None:
        return _FORMS.refusal(asked)
    language = answer_language(asked)
    guests = _SAID.say(language, "and").join(reading.all("guests"))[:_MOST_LETTERS]
    occasion = reading.get("occasion")[:_MOST_LETTERS]
    place = reading.get("place", "")[:_MOST_LETTERS]
    where = _SAID.say(language, "where", place=place) if place else ""
    letter = _SAID.say(language, f"letter_{_drafts(request) % _LETTERS + 1}", guests=guests, occasion=occasion, where=where)
    return Reply(calls=[("hand_in", {"text": letter[:1].upper() + letter[1:]})])


def _drafts(request: SimulatedRequest) -> int:
    """How many drafts the instruction lists."""
    try:
        return len(ast.literal_eval(request.section("drafts") or "[]"))
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return 0


SIMULATION = {"InvitationWriter": write}
