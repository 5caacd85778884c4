"""The simulated first draft: a small scene about any topic, with weaknesses that follow from the topic's own draw.

Everything is drawn with the topic as the seed, so a topic always gets the same draft. Knows no critic.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from agents.pipelines.iterative_writing import lexicon
from agents.pipelines.iterative_writing.prose import capitalise, lead_in, split_sentences, vary_openings
from agents.pipelines.iterative_writing.scenes import SCENES, Person, Scene
from agents.pipelines.iterative_writing.topic import Topic

MIN_SENTENCES, MAX_SENTENCES = 3, 7
SEASONS = ("spring", "summer", "autumn", "winter")


@dataclass(frozen=True, slots=True)
class Weaknesses:
    """What a first draft gets wrong.

    Attributes:
        short: One thing fewer happens.
        senseless: Nothing is heard, smelled, tasted or touched.
        unfeeling: No feeling is named.
        open_ended: It stops without a closing sentence.
        vague: Quantities are "a few" and the like.
        monotonous: Sentences begin alike.
        worn: It has a cliché.
        passive: Something "was done by" somebody.
        padded: It has empty words.
    """

    short: bool
    senseless: bool
    unfeeling: bool
    open_ended: bool
    vague: bool
    monotonous: bool
    worn: bool
    passive: bool
    padded: bool

    @classmethod
    def drawn(cls, draw: random.Random) -> Weaknesses:
        """Some weaknesses, seldom none, seldom all."""
        chances = (0.4, 0.65, 0.5, 0.55, 0.5, 0.4, 0.4, 0.35, 0.4)
        return cls(*(draw.random() < chance for chance in chances))


def write_draft(topic: Topic) -> str:
    """Three to seven sentences about a topic."""
    draw = random.Random(f"ink {topic.phrase.casefold()}")  # noqa: S311  a draft is no secret
    scene = _scene_for(topic, draw)
    person = draw.choice(scene.people)
    if topic.pronoun is not None:
        person = Person(topic.again, draw.choice(("she", "he")) if topic.pronoun == "they" else topic.pronoun)
    flaws = Weaknesses.drawn(draw)
    season = draw.choice(SEASONS)
    about = {"season": season, "Season": season.capitalize(), "topic": topic.phrase, "again": topic.again}
    slots = {**scene.slots(person), **about}

    def tell(sentence: str) -> str:
        amount = draw.choice(lexicon.VAGUE_QUANTITIES if flaws.vague else lexicon.EXACT_QUANTITIES)
        padding = f"{draw.choice(lexicon.EMPTY_DEGREES)} " if flaws.padded else ""
        return capitalise(sentence.format(**slots, some=amount, very=padding))

    sentences = [tell(sentence) for sentence in _plan(scene, topic, flaws, draw)]
    if not flaws.monotonous:
        sentences = vary_openings(sentences, draw)
    return " ".join(_spoil(sentences, flaws, draw))


def _scene_for(topic: Topic, draw: random.Random) -> Scene:
    """The scene that most words of the topic hint at, else any."""
    words = {word.strip("“”’'.,!?…").lower() for word in topic.phrase.replace("-", " ").split()}
    words |= {word.removesuffix("s") for word in words} | {word.removesuffix("es") for word in words}
    chosen = draw.choice(SCENES)  # drawn in any case, so that what follows is drawn alike
    hits = {scene.at: len(words & set(scene.hints.split())) for scene in SCENES}
    best = max(SCENES, key=lambda scene: hits[scene.at])
    return best if hits[best.at] else chosen


def _plan(scene: Scene, topic: Topic, flaws: Weaknesses, draw: random.Random) -> list[str]:
    """The sentences to tell, unfilled, in their order."""
    openings, turns = _ABOUT_TITLES if topic.is_title else _ABOUT_THINGS if topic.pronoun is None else _ABOUT_HEROES
    has_season = any(season in topic.phrase.lower() for season in SEASONS)
    plan = [draw.choice([sentence for sentence in openings if not (has_season and "eason}" in sentence)])]
    counted = draw.choice([act for act in scene.acts if "{some}" in act])
    others = [act for act in scene.acts if act != counted]
    if not flaws.senseless:
        plan.append(draw.choice(scene.senses))
    if flaws.passive:
        plan.append(draw.choice(scene.passives))
    plan.append(counted)
    if flaws.monotonous:
        plan.append(draw.choice(others))
    if len(plan) < MIN_SENTENCES or (flaws.padded and len(plan) < MAX_SENTENCES - 2):
        plan.append(draw.choice([beat for beat in scene.beats if "{very}" in beat]))
    if not flaws.unfeeling:
        plan.append(draw.choice(lexicon.FEELINGS))
    if not flaws.open_ended:
        plan.append(draw.choice(lexicon.CLOSINGS))
    if not flaws.short and len(plan) < MAX_SENTENCES - 1:
        plan.insert(1, draw.choice(turns))
    return plan


def _spoil(sentences: list[str], flaws: Weaknesses, draw: random.Random) -> list[str]:
    """The sentences with an empty word and a worn phrase added, if those are weaknesses that this draft is to have."""
    text, place = " ".join(sentences), draw.randrange(1, max(2, len(sentences) - 1))
    spoiled = list(sentences)
    if flaws.padded and not lexicon.EMPTY_DEGREE.search(text):
        spoiled[-1] = lead_in(draw.choice(lexicon.EMPTY_LEADS), spoiled[-1], text)
    if not flaws.worn:
        return spoiled
    if draw.random() < 0.5:  # noqa: PLR2004  every other time
        spoiled[place] = lead_in(draw.choice(lexicon.CLICHE_LEADS), spoiled[place], text)
    else:
        spoiled[place] = f"{spoiled[place].removesuffix('.')}, {draw.choice(lexicon.CLICHE_TAILS)}."
    return split_sentences(" ".join(spoiled))


_ABOUT_TITLES = (lexicon.TITLE_OPENINGS, lexicon.TITLE_TURNS)
_ABOUT_THINGS = (lexicon.TOPIC_OPENINGS, lexicon.TURNS)
_ABOUT_HEROES = (lexicon.HERO_OPENINGS, lexicon.HERO_TURNS)
