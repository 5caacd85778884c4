"""What a simulated model answers for both variants: it follows the instruction that it reads.

One function serves both. A and B differ by their instructions alone, as with a real model.
"""

from __future__ import annotations

import re

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import forms_beside
from agents.pipelines.routed_ab.summary import MAX_POINT_WORDS, is_text, key_sentences, key_words, one_sentence, shortened

_FORMS = forms_beside(__file__)
_SAID = phrases_beside(__file__, "simulation.toml")
_COLON = re.compile(r"[:：\n]\s*+")
_WORDS = re.compile(r"(\d{1,3})\s++words?\b")
_POINTS = re.compile(r"(\d{1,3})\s++points?\b")
_KEY_WORDS = re.compile(r"(\d{1,3})\s++key words?\b")


def summarise(request: SimulatedRequest) -> Reply | str:
    """The text of the user's message, as short as the instruction wants it; or who it is that would do that."""
    message = request.last_user_text()
    language = answer_language(message)
    if (reading := _FORMS.read(message)) and reading.form == "who":
        return _SAID.say(language, "who")
    text = _text_of(message)
    if not is_text(text):
        return _FORMS.refusal(message)
    if not (points := _asked_for(request, _POINTS)):
        return one_sentence(text, _asked_for(request, _WORDS) or MAX_POINT_WORDS)
    lines = [f"- {shortened(found, MAX_POINT_WORDS)}" for found in key_sentences(text, points)]
    words = key_words(text, _asked_for(request, _KEY_WORDS))
    listed = _SAID.say(language, "between").join(words)
    return "\n".join([*lines, _SAID.say(language, "key_words", words=listed)] if words else lines)


def _text_of(message: str) -> str:
    """The text to summarise: what follows "Summarise this:", or the whole message."""
    head, *body = _COLON.split(message, maxsplit=1)
    reading = _FORMS.read(head)
    return body[0] if body and reading and reading.form == "summary" else message


def _asked_for(request: SimulatedRequest, things: re.Pattern[str]) -> int:
    """How many of these things the instruction asks for, 0 if it does not speak of them."""
    found = things.search(request.instruction)
    return int(found[1]) if found else 0


SIMULATION = {"BriefSummary": summarise, "DetailedSummary": summarise}
