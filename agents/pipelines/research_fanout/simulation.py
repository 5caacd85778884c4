"""What a simulated model answers for the researchers and the synthesiser.

A researcher takes its viewpoint's signs from its instruction and quotes sentences that have them; the synthesiser sees notes
and no article.
"""

from __future__ import annotations

import re

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import Forms
from agents.pipelines.library.quotes import citations_in, pick
from agents.pipelines.library.research import articles_of
from agents.pipelines.library.subjects import read_about, title

MOST_NOTES = 3
NOTHING = "Nothing"

_FORMS = Forms(words_beside(__file__, "simulation.toml"), {"title": title})
_SIGNS = re.compile(r"^Signs of your viewpoint: *+(.+)$", re.MULTILINE)
_WORD = re.compile(r"\w+")
_HEADINGS = {"history": "History", "science": "Science", "everyday": "Everyday life"}


def research(request: SimulatedRequest) -> Reply | str:
    """Searches, reads, then notes the sentences about the topic that have signs of the viewpoint."""
    if (reading := read_about(_FORMS, request.section("topic"))) is None:
        return NOTHING
    articles = articles_of(request, reading)
    if isinstance(articles, Reply):
        return articles
    line = _SIGNS.search(request.instruction)
    signs = _WORD.findall(line[1]) if line else []
    quotes = pick(articles, most=MOST_NOTES, signs=signs, needs_sign=True)
    return "\n".join(f"- {quote}" for quote in quotes) or NOTHING


def synthesise(request: SimulatedRequest) -> Reply | str:
    """A paragraph for each viewpoint, each note once; then what is missing and where it all is from."""
    if read_about(_FORMS, request.section("topic")) is None:
        return _FORMS.refusal(request.section("topic"))
    told: set[str] = set()
    paragraphs: list[str] = []
    missing: list[str] = []
    for section, heading in _HEADINGS.items():
        lines = [line.removeprefix("- ") for line in request.section(section).splitlines() if line.startswith("- ")]
        if not lines:
            missing.append(heading.lower())
        elif fresh := [line for line in lines if line not in told]:
            paragraphs.append(f"**{heading}.** {' '.join(fresh)}")
            told.update(fresh)
    if not paragraphs:
        return "Nothing was noted about this topic."
    if missing:
        paragraphs.append(f"Nothing was noted about this topic from the side of {' and '.join(missing)}.")
    sources = ", ".join(citations_in(" ".join(paragraphs)))
    return "\n\n".join([*paragraphs, f"Sources: {sources}"])


SIMULATION = {"Historian": research, "Scientist": research, "Observer": research, "Synthesiser": synthesise}
