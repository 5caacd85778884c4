from __future__ import annotations

import pytest

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.pipelines.ace.families import FAMILIES, Question, draw_questions, made_wrong
from ui.demo.measure import Played, Result, Share, play, without

pytestmark = pytest.mark.anyio

SEED = 1
PHYSICS = ["speed", "voltage", "power", "pressure"]
"""Without constants of their own: those take a second example."""


# -- how it is learned


async def test_a_stream_and_its_beginning_are_answered_the_same_again():
    again = await play(list(draw_questions(SEED, 30)))
    assert again.results == (await play(list(draw_questions(SEED, 30)))).results
    assert again.results[:12] == (await play(list(draw_questions(SEED, 12)))).results


async def test_one_question_of_a_kind_is_enough_for_the_next_one():
    played = await play(list(draw_questions(3, 12, PHYSICS)))

    assert [result.is_right for result in played.results[:4]] == [False] * 4
    assert all(result.is_right and result.cited for result in played.results[4:])
    assert played.playbook.sections.keys() == {"FORMULAS", "HOUSE RULES"}


async def test_a_formula_with_a_constant_of_its_own_takes_a_second_example():
    played = await play(list(draw_questions(3, 8, ["kinetic energy", "perimeter"])))

    assert [result.is_right for result in played.results] == [False] * 4 + [True] * 4


async def test_what_was_learned_is_of_use_to_whoever_gets_the_playbook():
    learned = await play(list(draw_questions(3, 8, PHYSICS)))

    elsewhere = Playbook.from_text(learned.playbook.to_text())
    played = await play(list(draw_questions(4, 12, PHYSICS)), playbook=elsewhere, frozen=True)

    assert Share.among(played.results) == Share(12, 12)
    assert played.playbook == elsewhere


async def test_bullets_made_wrong_by_hand_mislead_get_mended_and_count_anew():
    learned = await play(list(draw_questions(3, 8, PHYSICS)))
    wrong = made_wrong(learned.playbook, [bullet.id for bullet in learned.playbook.bullets])

    played = await play(list(draw_questions(4, 12, PHYSICS)), playbook=wrong)

    assert not any(result.is_right for result in played.results[:4])
    assert all(result.is_right for result in played.results[4:])
    mended = [played.playbook.get(result.cited[0]) for result in played.results[4:]]
    assert all(bullet.helpful > 0 == bullet.harmful for bullet in mended), "the harmful tag was that of the wrong text"


async def test_a_bullet_written_by_hand_is_followed():
    by_hand = Playbook([StoredBullet("hand-00001", "MINE", "Speed = distance ÷ time")])
    played = await play(list(draw_questions(5, 1, ["speed"])), playbook=by_hand, frozen=True)

    assert played.results[0].cited == ("hand-00001",)
    assert not played.results[0].is_right, "the house rule is not known"


async def test_every_formula_of_the_bank_can_be_learned():
    questions = [
        one for seed in (11, 12, 13) for one in draw_questions(seed, len(FAMILIES), [family.name for family in FAMILIES])
    ]

    played = await play(questions)

    last = played.results[-len(FAMILIES) :]
    assert [result.question.family for result in last if not result.is_right] == []


async def test_a_guess_that_nobody_checked_is_not_written_down():
    played = await play(list(draw_questions(3, 8, PHYSICS)), feedback="nothing")

    assert Share.among(played.results) == Share(0, 8)
    assert len(played.playbook) == 0


# -- measuring


def test_shares_count_what_can_be_learned():
    learnable, free = Question("", "", ""), Question("", "", "free", learnable=False)
    results = [Result(learnable, "", (), True), Result(free, "", (), False), Result(learnable, "", (), False)]

    assert Share.among(results) == Share(1, 2)
    assert str(Share(57, 58)) == "57 of 58 (98.3 %)"
    assert Share(0, 0).percent == 0


def test_start_and_end_are_parts_of_a_stream():
    results = tuple(Result(Question("", "", ""), "", (), number >= 30) for number in range(40))
    played = Played(results, Playbook())

    assert (played.start, played.end) == (Share(0, 4), Share(10, 10))


def test_bullets_are_taken_out_and_formulas_turned_into_false_ones():
    playbook = Playbook([StoredBullet(f"f-0000{number}", "F", f"{name} = a / b") for number, name in enumerate("xyz", 1)])

    changed = made_wrong(without(playbook, ["f-00001", "unknown"]), ["f-00002", "unknown"])

    assert [bullet.content for bullet in changed.bullets] == ["y = a * b", "z = a / b"]
