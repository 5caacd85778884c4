from __future__ import annotations

import pytest

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.lab import Outcome, Sample, Score
from agents.lab.data.generated.formulas import sample_of
from agents.pipelines.ace.families import FAMILIES, draw_questions, made_wrong
from ui.demo.measure import Played, Share, play, without

pytestmark = pytest.mark.anyio

SEED = 1
PHYSICS = ["speed", "voltage", "power", "pressure"]
"""Without constants of their own: those take a second example."""


def drawn(seed, count, *families):
    """Questions as samples."""
    return [sample_of(question) for question in draw_questions(seed, count, *families)]


def said(played):
    return [(outcome.answer, outcome.cited, outcome.is_right) for outcome in played.outcomes]


def right(played):
    return [outcome.is_right for outcome in played.outcomes]


# -- how it is learned


async def test_a_stream_and_its_beginning_are_answered_the_same_again():
    again = await play(drawn(SEED, 30))
    assert said(again) == said(await play(drawn(SEED, 30)))
    assert said(again)[:12] == said(await play(drawn(SEED, 12)))


async def test_one_question_of_a_kind_is_enough_for_the_next_one():
    played = await play(drawn(3, 12, PHYSICS))

    assert right(played)[:4] == [False] * 4
    assert all(outcome.is_right and outcome.cited for outcome in played.outcomes[4:])
    assert played.playbook.sections.keys() == {"FORMULAS", "HOUSE RULES"}


async def test_a_formula_with_a_constant_of_its_own_takes_a_second_example():
    played = await play(drawn(3, 8, ["kinetic energy", "perimeter"]))

    assert right(played) == [False] * 4 + [True] * 4


async def test_what_was_learned_is_of_use_to_whoever_gets_the_playbook():
    learned = await play(drawn(3, 8, PHYSICS))

    elsewhere = Playbook.from_text(learned.playbook.to_text())
    played = await play(drawn(4, 12, PHYSICS), playbook=elsewhere, frozen=True)

    assert played.all == Share(12, 12)
    assert played.playbook == elsewhere


async def test_bullets_made_wrong_by_hand_mislead_get_mended_and_count_anew():
    learned = await play(drawn(3, 8, PHYSICS))
    wrong = made_wrong(learned.playbook, [bullet.id for bullet in learned.playbook.bullets])

    played = await play(drawn(4, 12, PHYSICS), playbook=wrong)

    assert not any(right(played)[:4])
    assert all(right(played)[4:])
    mended = [played.playbook.get(outcome.cited[0]) for outcome in played.outcomes[4:]]
    assert all(bullet.helpful > 0 == bullet.harmful for bullet in mended), "the harmful tag was that of the wrong text"


async def test_a_bullet_written_by_hand_is_followed():
    by_hand = Playbook([StoredBullet("hand-00001", "MINE", "Speed = distance ÷ time")])
    played = await play(drawn(5, 1, ["speed"]), playbook=by_hand, frozen=True)

    assert played.outcomes[0].cited == ("hand-00001",)
    assert not played.outcomes[0].is_right, "the house rule is not known"


async def test_every_formula_of_the_bank_can_be_learned():
    names = [family.name for family in FAMILIES]
    questions = [one for seed in (11, 12, 13) for one in drawn(seed, len(names), names)]

    played = await play(questions)

    last = zip(questions[-len(names) :], right(played)[-len(names) :], strict=True)
    assert [sample.labels["family"] for sample, is_right in last if not is_right] == []


async def test_a_guess_that_nobody_checked_is_not_written_down():
    played = await play(drawn(3, 8, PHYSICS), feedback="none")

    assert played.all == Share(0, 8)
    assert len(played.playbook) == 0


# -- measuring


def scored(*verdicts):
    """A stream of such verdicts; of those that are None, the question cannot be learned."""
    samples = [Sample(id="", question="", labels={"learnable": verdict is not None}) for verdict in verdicts]
    return Played(
        samples,
        [Outcome(sample="", score=Score(value=1, is_right=verdict is not False)) for verdict in verdicts],
        Playbook(),
    )


def test_shares_count_what_can_be_learned():
    assert scored(True, None, False).all == Share(1, 2)
    assert str(Share(57, 58)) == "57 of 58 (98.3 %)"
    assert Share(0, 0).percent == 0


def test_start_and_end_are_parts_of_a_stream():
    played = scored(*(number >= 30 for number in range(40)))

    assert (played.start, played.end) == (Share(0, 4), Share(10, 10))


def test_bullets_are_taken_out_and_formulas_turned_into_false_ones():
    playbook = Playbook([StoredBullet(f"f-0000{number}", "F", f"{name} = a / b") for number, name in enumerate("xyz", 1)])

    changed = made_wrong(without(playbook, ["f-00001", "unknown"]), ["f-00002", "unknown"])

    assert [bullet.content for bullet in changed.bullets] == ["y = a * b", "z = a / b"]
