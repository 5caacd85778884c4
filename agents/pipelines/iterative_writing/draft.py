"""The simulated first draft: a small scene about any topic, with weaknesses that follow from the topic's own draw.

Everything is drawn with the topic as the seed, so a topic always gets the same draft.
"""

from __future__ import annotations

import random
from typing import Any

from agents.models.simulated.language.words import words_beside
from agents.pipelines.iterative_writing.measures import MEASURES
from agents.pipelines.iterative_writing.prose import capitalise, lead_in, vary_opening
from agents.pipelines.iterative_writing.topic import Topic

LEAST_SENTENCES, MOST_SENTENCES = 3, 7


_DRAFTS = words_beside(__file__, "drafts.toml")
EXACT_NUMBERS: list[str] = _DRAFTS["exact"]
SCENES: list[dict[str, Any]] = words_beside(__file__, "scenes.toml")["scenes"]


def write_draft(topic: Topic) -> str:
    """Three to seven sentences about a topic."""
    draw = random.Random(f"ink {topic.phrase.casefold()}")  # noqa: S311  a draft is no secret
    scene = _scene_for(topic, draw)
    who, pronoun = draw.choice([*scene["people"].items()])
    if topic.pronoun:
        who, pronoun = topic.again, draw.choice(("she", "he")) if topic.pronoun == "they" else topic.pronoun
    flaws = {flaw for flaw, chance in _DRAFTS["flaws"].items() if draw.random() < chance}
    fields = {"who": who, "at": scene["at"], "since": scene["since"], "season": draw.choice(_DRAFTS["seasons"])}
    fields |= {"topic": topic.phrase, "again": topic.again, **_DRAFTS["pronouns"][pronoun]}

    def tell(sentence: str) -> str:
        some = draw.choice(_DRAFTS["vague" if "vague" in flaws else "exact"])
        very = f"{draw.choice(_DRAFTS['empty'])} " if "padded" in flaws else ""
        return capitalise(sentence.format(**fields, some=some, very=very))

    sentences = [tell(sentence) for sentence in _plan(scene, topic, flaws, draw)]
    for _ in sentences if "monotonous" not in flaws else ():
        sentences = vary_opening(sentences, MEASURES["opening"]["links"], draw)
    if "worn" in flaws:
        at = draw.randrange(1, len(sentences))
        if draw.random() < 0.5:  # noqa: PLR2004  every other time
            sentences[at] = lead_in(draw.choice(_DRAFTS["worn_lead"]), sentences[at], " ".join(sentences))
        else:
            sentences[at] = f"{sentences[at].removesuffix('.')}, {draw.choice(_DRAFTS['worn_tail'])}."
    return " ".join(sentences)


def _scene_for(topic: Topic, draw: random.Random) -> dict[str, Any]:
    """The scene that most words of the topic hint at, else any."""
    words = set(topic.phrase.lower().replace("-", " ").split())
    words |= {word.removesuffix("s") for word in words} | {word.removesuffix("es") for word in words}
    hits = [len(words.intersection(scene["hints"].split())) for scene in SCENES]
    return SCENES[hits.index(max(hits))] if any(hits) else draw.choice(SCENES)


def _plan(scene: dict[str, Any], topic: Topic, flaws: set[str], draw: random.Random) -> list[str]:
    """The sentences to tell, unfilled, in their order."""
    kind = "hero" if topic.pronoun else "thing"
    names_season = any(season in topic.phrase.lower() for season in _DRAFTS["seasons"])
    openings = [one for one in _DRAFTS["openings"][kind] if not (names_season and "{season}" in one)]
    counted = draw.choice([act for act in scene["acts"] if "{some}" in act])
    plan = [draw.choice(openings)]
    if "senseless" not in flaws:
        plan.append(draw.choice(scene["senses"]))
    if "passive" in flaws:
        plan.append(draw.choice(scene["passives"]))
    plan.append(counted)
    if "monotonous" in flaws:
        plan.append(draw.choice([act for act in scene["acts"] if act != counted]))
    if ("padded" in flaws and len(plan) < MOST_SENTENCES - 2) or len(plan) < LEAST_SENTENCES:
        plan.append(draw.choice([beat for beat in scene["beats"] if "{very}" in beat]))
    if "unfeeling" not in flaws:
        plan.append(draw.choice(MEASURES["feeling"]["sentences"]))
    if "open_ended" not in flaws:
        plan.append(draw.choice(MEASURES["ending"]["sentences"]))
    if "short" not in flaws and len(plan) < MOST_SENTENCES:
        plan.insert(1, draw.choice(_DRAFTS["turns"][kind]))
    return plan
