"""*free advice*: free questions without a right answer, in several languages, scored by the reflector's rubric."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from pydantic import BaseModel, ConfigDict, TypeAdapter

from agents.lab.data.data_set import Split
from agents.lab.data.generated_set import Kind
from agents.lab.sample import Sample
from agents.models.simulated.language.words import words_beside

ABOUT = (
    "Shows whether answers to free questions grow by what earlier ones taught, and whether that carries over to another "
    "wording. The rubric counts forms such as a first step or a limit; it does not say whether advice is good. There is no "
    "right answer, and the topics are some of those for which the simulated learner has strategies."
)


class _Language(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    code: str
    asks: dict[Split, list[str]]
    topics: list[str]


def draw_free_advice(split: Split, seed: int, count: int) -> Iterator[Sample]:
    """Questions in rounds, each topic of each language once a round.

    Args:
        split: Validation and test ask in other words than training does.
        seed: The same seed gives the same questions.
        count: How many.
    """
    rng = Random(seed)  # noqa: S311  nothing is secret here
    topics = [(language, topic) for language in _languages() for topic in language.topics]
    for number in range(count):
        if number % len(topics) == 0:
            rng.shuffle(topics)
        language, topic = topics[number % len(topics)]
        ask = rng.choice(language.asks[split])
        yield Sample(id="", question=ask.format(topic=topic), labels={"language": language.code, "topic": topic})


@cache
def _languages() -> list[_Language]:
    return TypeAdapter(list[_Language]).validate_python(words_beside(__file__, "free_advice.toml")["language"])


FREE_ADVICE = Kind(ABOUT, {"kind": "rubric"}, draw_free_advice)
