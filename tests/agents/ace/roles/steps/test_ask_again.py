"""The same question once more, with the delta that it led to."""

from __future__ import annotations

import pytest

from agents.errors import ProviderError
from tests.agents.ace.cycles import Stage, add, answer, commit_by, curation, reflection, reviews, said_by, status

pytestmark = pytest.mark.anyio

ASK, GOOD, POOR = "What is the return period for lamps?", "Return period for lamps: 30 days.", "Lamps are returned."
TOLD = f"{ASK}\nAnswer: 30 days"


def stage(**more) -> Stage:
    return Stage(reflector_rounds=1, **more)


async def test_it_is_off_by_default_and_then_says_nothing():
    quiet = stage()

    run = await quiet.say(TOLD, answer("?"), reflection(), curation(add(POOR)))

    assert said_by(run, "AskAgain") == []
    assert [bullet.content for bullet in quiet.playbook.bullets] == [POOR]


async def test_a_bullet_that_helps_its_own_question_stays_and_the_second_answer_is_given_nothing_but_it():
    asked = stage(ask_again=True)

    run = await asked.say(TOLD, answer("?"), reflection(), curation(add(GOOD)), answer("30 days"))

    assert [bullet.content for bullet in asked.playbook.bullets] == [GOOD]
    assert said_by(run, "AskAgain")[-1] == "Asked again, the answer is “30 days”, which is right: the delta helps."
    prompts = [request.system_instruction.partition("You answer")[2] for request in asked.model.requests]
    first, second = prompts[0], prompts[-1]
    assert GOOD in second
    assert second.replace(f"## FORMULAS\n[formu-00001] helpful=0 harmful=0 :: {GOOD}", "(0 bullets)") == first
    assert run.records("run_finished")[-1]["calls"] == 4


async def test_a_bullet_that_does_not_help_is_taken_back_and_the_record_says_why():
    asked = stage(ask_again=True)
    known = asked.know("Another bullet.")[0]
    operations = add(POOR), {"type": "TAG", "bullet_id": known, "tag": "neutral"}

    run = await asked.say(TOLD, answer("?"), reflection(), curation(*operations), answer("7 days"))

    commit = commit_by(run, "curator")
    assert [bullet.content for bullet in asked.playbook.bullets] == ["Another bullet."]
    assert [change["type"] for change in commit["applied"]] == ["TAG"]
    assert [one["reason"] for one in commit["rejected"]] == [
        "Taken back: asked again with it, the answer was “7 days”, which is wrong."
    ]
    assert "the delta is taken back" in said_by(run, "AskAgain")[-1]


async def test_the_switch_of_a_session_decides_and_the_next_question_begins_afresh():
    asked = stage()
    await asked.say(TOLD, answer("?"), reflection(), curation(add(POOR)), answer("7 days"), start={"ask_again": True})

    await asked.say(TOLD, answer("?"), reflection(), curation(add(GOOD)), ask_again=False)

    assert [bullet.content for bullet in asked.playbook.bullets] == [GOOD]


@pytest.mark.parametrize(
    ("message", "script"),
    [
        (ASK, (answer("?"), reflection(), curation(add(GOOD)))),
        (TOLD, (answer("?"), reflection(), curation())),
    ],
    ids=["nobody knows the right answer", "nothing is written"],
)
async def test_without_a_right_answer_or_a_text_it_is_not_asked_again(message, script):
    run = await stage(ask_again=True).say(message, *script)

    assert said_by(run, "AskAgain")[0].startswith("The question is not asked again")


async def test_where_the_second_answer_fails_the_delta_stays():
    asked = stage(ask_again=True)

    run = await asked.say(TOLD, answer("?"), reflection(), curation(add(GOOD)), ProviderError("It is down."))

    assert status(run) == "completed"
    assert [bullet.content for bullet in asked.playbook.bullets] == [GOOD]
    assert said_by(run, "AskAgain")[-1] == "There is no second answer, so the delta stays as it is."


async def test_what_did_not_help_is_not_put_before_the_user():
    asked = stage(ask_again=True, approval=True)

    helped = await asked.say(TOLD, answer("?"), reflection(), curation(add(GOOD)), answer("30 days"), session="a")
    spoiled = await asked.say(TOLD, answer("?"), reflection(), curation(add(POOR)), answer("?"), session="b")

    assert (len(reviews(helped)), len(reviews(spoiled))) == (1, 0)
