"""The simulated writer's memory: it is often wrong, so that there is something for a critic to find."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from agents.pipelines.library.articles import Article, sentences_of
from agents.pipelines.library.quotes import Quote
from agents.pipelines.library.subjects import within_a_sentence

_PLAIN_NUMBER = re.compile(r"(?<![\d.,/])\d++(?![\d/]|[.,]\d)")
_LAST_YEAR = 2024
_HEARSAY = (
    "More has been written about {} than about anything else of its kind.",
    "Most experts agree that nobody can explain {} in full.",
    "People have told stories about {} for longer than anybody can say.",
)


def remember(article: Article, quotes: Sequence[Quote], *, how_many: int, draw: random.Random) -> list[str]:
    """Sentences from memory, in turn: one with a wrong number, one of hearsay, one that is right."""
    quoted = {quote.sentence for quote in quotes}
    unused = [sentence for sentence in sentences_of(article.text) if sentence not in quoted]
    draw.shuffle(unused)
    hearsay = draw.sample(_HEARSAY, len(_HEARSAY))
    said: list[str] = []
    for place in range(how_many):
        numbered = [sentence for sentence in unused if _PLAIN_NUMBER.search(sentence)]
        if place % 3 == 0 and numbered:
            unused.remove(numbered[0])
            said.append(_misremember(numbered[0], draw))
        elif place % 3 == 2 and unused:  # noqa: PLR2004  every third
            said.append(unused.pop())
        else:
            said.append(hearsay[place % len(hearsay)].format(within_a_sentence(article)))
    return said


def _misremember(sentence: str, draw: random.Random) -> str:
    """The sentence with its first plain number off by some."""
    found = _PLAIN_NUMBER.search(sentence)
    assert found is not None
    number = int(found[0])
    off = draw.choice([1, 2, 3, 5, 10, 20])
    wrong = number - off if number > _LAST_YEAR - off or (number > off and draw.random() < 0.5) else number + off  # noqa: PLR2004  even chances
    return f"{sentence[: found.start()]}{wrong}{sentence[found.end() :]}"
