"""The kind of a question, as far as it is understood."""

from __future__ import annotations

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.detect import Language, language_of
from agents.pipelines.ace.simulation.advice.topics import Topic, topic_of
from agents.pipelines.ace.simulation.reading.question import Reading, read
from agents.pipelines.ace.simulation.reading.sums import Sum, has_operators, sum_in
from agents.pipelines.ace.simulation.reading.wording import read_by_wording


def kind_of_question(question: str) -> Sum | Reading | Topic | Language | None:
    """What a question is.

    Returns:
        A sum; quantities with a name to be worked out from them; a topic to give advice on; else only the language that it
        is in, None for one that is not read.
    """
    question = plain(question)
    if (asked := sum_in(question)) is not None:
        return asked
    language = language_of(question)
    if language == "en" and not has_operators(question):
        reading = read(question)
        if reading.can_be_worked_out and (reading.is_named or read_by_wording(question) is None):
            return reading
    return topic_of(question) or language
