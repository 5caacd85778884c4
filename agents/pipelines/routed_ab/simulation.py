"""What a simulated model answers for both variants: it follows the instruction that it reads.

One function serves both. A and B differ by their instructions alone, as with a real model.
"""

from __future__ import annotations

import re

from agents.models.simulated.language.detect import answer_language, is_in_unread_script
from agents.models.simulated.language.phrases import phrases_beside, unread
from agents.models.simulated.model import SimulatedRequest
from agents.pipelines.routed_ab.summary import MAX_POINT_WORDS, key_sentences, key_words, one_sentence, shortened

_SAID = phrases_beside(__file__)
_WORDS = re.compile(r"(\d{1,3})\s++words?\b")
_POINTS = re.compile(r"(\d{1,3})\s++points?\b")
_KEY_WORDS = re.compile(r"(\d{1,3})\s++key words?\b")


def summarise(request: SimulatedRequest) -> str:
    """The text of the user's message, as short as the instruction wants it."""
    text = request.last_user_text()
    if is_in_unread_script(text):
        return unread()
    language = answer_language(text)
    if not (sentence := one_sentence(text, _asked_for(request, _WORDS) or MAX_POINT_WORDS)):
        return _SAID.say(language, "nothing")
    if not (points := _asked_for(request, _POINTS)):
        return sentence
    lines = [f"- {shortened(found, MAX_POINT_WORDS)}" for found in key_sentences(text, points)]
    words = key_words(text, _asked_for(request, _KEY_WORDS))
    listed = _SAID.say(language, "between").join(words)
    return "\n".join([*lines, _SAID.say(language, "key_words", words=listed)] if words else lines)


def _asked_for(request: SimulatedRequest, things: re.Pattern[str]) -> int:
    """How many of these things the instruction asks for, 0 if it does not speak of them."""
    found = things.search(request.instruction)
    return int(found[1]) if found else 0


SIMULATION = {"BriefSummary": summarise, "DetailedSummary": summarise}
