from __future__ import annotations

import pytest

from agents.pipelines.iterative_writing.agent import CRITIC_INSTRUCTION
from agents.pipelines.iterative_writing.draft import SCENES
from agents.pipelines.iterative_writing.measures import MEASURES, PASSIVE, VAGUE, WORDS
from agents.pipelines.iterative_writing.review import Finding, choose_worst, judge, read_criteria

CRITERIA = read_criteria(CRITIC_INSTRUCTION.partition("<document>")[0])
GOOD = (
    "Autumn came late on the quay. The air smelled of wet tar. She wrote seven letters and posted none of them. "
    "Nothing had given her so much hope. In the end she went home."
)
SPOILED = {
    "Length": ("She wrote seven letters and posted none of them. Nothing had given her so much hope. ", ""),
    "Ending": ("In the end she", "Then she"),
    "Senses": ("smelled of wet", "was full of"),
    "Feeling": ("hope", "mail"),
    "Openings": ("Autumn", "The autumn"),
    "Numbers": ("seven", "several"),
    "Clichés": ("Autumn came", "Needless to say, autumn came"),
    "Voice": ("She wrote seven letters", "Seven letters were carried home by the clerk"),
    "Empty words": ("late", "quite late"),
}


def found(text: str) -> list[str]:
    return [finding.name for finding in judge(text, CRITERIA)]


def test_the_critic_can_measure_every_criterion_of_its_own_prompt():
    assert [criterion.name for criterion in CRITERIA] == list(SPOILED)
    assert all(criterion.measure for criterion in CRITERIA)
    assert found(GOOD) == []


@pytest.mark.parametrize("name", SPOILED)
def test_each_weakness_is_found_in_the_text(name):
    old, new = SPOILED[name]
    assert old in GOOD

    assert name in found(GOOD.replace(old, new))


def test_a_criterion_that_is_taken_out_of_the_prompt_is_not_asked_for():
    text = GOOD.replace(*SPOILED["Empty words"])
    without = CRITIC_INSTRUCTION.replace("- Empty words:", "Empty words")

    assert judge(text, read_criteria(without)) == []


@pytest.mark.parametrize(
    ("line", "is_met"),
    [
        ("- Length: at least 5 sentences.", True),
        ("- Length: at least 6 sentences.", False),
        ("- Senses: at least 3 things.", False),
        ("- Numbers: at least 1.", True),
        ("- Numbers: at least 3.", False),
        ("- Empty words: none of home, letters.", False),
        ("- Empty words: none of banana.", True),
        ("- Charm: it has some.", True),
    ],
)
def test_the_numbers_and_words_of_a_criterion_count(line, is_met):
    assert (judge(GOOD, read_criteria(line)) == []) is is_met


def test_the_topic_and_quotations_are_not_judged():
    text = GOOD.replace("Autumn", "“Really very quite. Suddenly!” and a very old fox")

    assert [f.name for f in judge(text, CRITERIA, ("a very old fox",))] == []
    assert [f.name for f in judge(text, CRITERIA)] == ["Empty words"]


def test_the_advice_quotes_what_is_wrong():
    (finding,) = judge(GOOD.replace("late", "quite late, really"), CRITERIA)

    assert finding.advice == "Cut what adds nothing: “really”, “quite”."


@pytest.mark.parametrize(
    ("kinds", "chosen"), [("s", 1), ("w", 1), ("ss", 1), ("ww", 1), ("sw", 2), ("ws", 2), ("ssw", 2), ("wws", 2)]
)
def test_at_most_one_new_sentence_and_one_change_of_words_is_asked_for(kinds, chosen):
    worst = choose_worst([Finding(str(n), "", kind == "s") for n, kind in enumerate(kinds)])

    assert len(worst) == chosen
    assert worst[0].name == "0"


def test_the_sentences_of_the_scenes_are_what_they_are_there_for():
    for scene in SCENES:
        assert all(WORDS["sense"].search(sentence) for sentence in scene["senses"]), scene["at"]
        for sentence in (*scene["beats"], *scene["acts"]):
            assert not any(WORDS[measure].search(sentence) for measure in ("sense", "feeling", "ending")), sentence
            assert not PASSIVE.match(sentence), sentence
        for sentence in (passive.format(who=who) for passive in scene["passives"] for who in scene["people"]):
            assert not any(WORDS[measure].search(sentence) for measure in ("sense", "feeling", "ending")), sentence
            assert PASSIVE.match(sentence), sentence


@pytest.mark.parametrize("measure", ["ending", "sense", "feeling"])
def test_the_sentences_for_any_scene_are_what_they_are_there_for(measure):
    assert all(WORDS[measure].search(sentence) for sentence in MEASURES[measure]["sentences"])


def test_sentences_that_count_have_room_for_a_number():
    assert all("{some}" in sentence for sentence in MEASURES["number"]["sentences"])
    assert all(VAGUE.search(f"{words} letters") for words in ("a few", "several", "some", "many"))


def test_scenes_share_no_people_and_no_place():
    names = [person for scene in SCENES for person in scene["people"]]

    assert len(set(names)) == len(names)
    assert len({scene["at"] for scene in SCENES}) == len(SCENES)
