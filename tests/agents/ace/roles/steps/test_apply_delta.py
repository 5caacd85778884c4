"""Right answers that contradict a bullet, and what a correction does to its counters."""

from __future__ import annotations

import pytest

from agents import AgentTool, LlmAgent
from agents.ace.roles.cycle import ace_agent
from agents.ace.roles.settings import AceSettings
from agents.models.scripted import call
from tests.agents.ace.cycles import Stage, add, answer, commit_by, curation, reflection, reviews, said_by, status

pytestmark = pytest.mark.anyio

ASK = "What is the return period for lamps?"
SHORT, LONG = "Return period for lamps: 30 days.", "Return period for lamps: 60 days."


def changes(id_: str, content: str = LONG) -> dict[str, str]:
    return {"type": "UPDATE", "bullet_id": id_, "content": content}


async def taught() -> tuple[Stage, str]:
    """A stage on which one session has taught the short period."""
    stage = Stage(reflector_rounds=1)
    await stage.say(f"{ASK}\nAnswer: 30 days", answer("?"), reflection(), curation(add(SHORT)), session="first")
    return stage, stage.playbook.bullets[0].id


def contradicted(known: str, *operations: dict[str, str]):
    """What the models of another session say that is told the long period."""
    return answer("30 days", known), reflection(**{known: "harmful"}), curation(*(operations or (changes(known),)))


@pytest.mark.parametrize("operation", ["UPDATE", "ADD"])
async def test_two_sessions_that_teach_two_answers_raise_a_conflict_that_waits(operation):
    stage, known = await taught()
    proposed = changes(known) if operation == "UPDATE" else add(LONG)

    run = await stage.say(f"{ASK}\nAnswer: 60 days", *contradicted(known, proposed), session="second")
    meanwhile = await stage.say(ASK, answer("30 days", known), reflection("None."), curation(), session="third")

    (asked,) = reviews(run)
    assert status(run) == "paused"
    assert asked.args["conflicts"] == [{"bullet_id": known, "says": SHORT, "truth": "60 days"}]
    assert f"The right answer “60 days” contradicts {known}, which says: “{SHORT}”." in said_by(run, "ApplyDelta")[0]
    assert [bullet.content for bullet in meanwhile.state["app:playbook"].bullets] == [SHORT]
    assert SHORT in stage.model.requests[0].system_instruction

    await stage.decide(asked, {"verdict": "approve"}, session="second")
    (bullet,) = stage.playbook.bullets
    assert (bullet.id, bullet.content, bullet.tagged) == (known, LONG, (0, 0))


@pytest.mark.parametrize("operation", ["UPDATE", "ADD"])
async def test_a_conflict_that_nobody_decided_on_does_no_harm_to_the_bullet(operation):
    stage, known = await taught()
    proposed = changes(known) if operation == "UPDATE" else add(LONG)

    for other in range(4):
        run = await stage.say(f"{ASK}\nAnswer: 60 days", *contradicted(known, proposed), session=f"other {other}")
        assert status(run) == "paused"
        assert commit_by(run, "reflector")["cited"] == [known]
    await stage.decide(reviews(run)[0], {"verdict": "reject"}, session="other 3")

    (bullet,) = stage.playbook.bullets
    assert (bullet.content, bullet.harmful) == (SHORT, 0)


@pytest.mark.parametrize("curated", [[curation()], [curation(add("Ask at the counter."))], ["no JSON"] * 2])
async def test_a_bullet_that_misled_without_a_conflict_is_harmful(curated):
    stage, known = await taught()
    answered, looked, _ = contradicted(known)

    for other in range(2):
        run = await stage.say(f"{ASK}\nAnswer: 60 days", answered, looked, *curated, session=f"other {other}")
        assert status(run) == "completed"

    assert stage.playbook.bullets[0].harmful == 2


async def test_a_conflict_that_is_rejected_leaves_the_old_answer():
    stage, known = await taught()
    run = await stage.say(f"{ASK}\nAnswer: 60 days", *contradicted(known), session="second")

    await stage.decide(reviews(run)[0], {"verdict": "reject", "reason": "only for members"}, session="second")

    assert [bullet.content for bullet in stage.playbook.bullets] == [SHORT]
    assert "only for members" in stage.store.history()[0].rejected[0]["reason"]


async def test_a_user_who_says_that_the_answer_is_wrong_corrects_it_at_once_and_the_counters_start_anew():
    stage, known = await taught()
    helped = reflection("None.", **{known: "helpful"})
    await stage.say(f"{ASK}\nAnswer: 30 days", answer("30 days", known), helped, curation())
    await stage.say(ASK, answer("30 days", known), start={"feedback_from": "person"}, session="judged")
    assert stage.playbook.bullets[0].helpful == 1

    run = await stage.say("👎 60 days", reflection(**{known: "harmful"}), curation(changes(known)), session="judged")

    (bullet,) = stage.playbook.bullets
    assert status(run) == "completed"
    assert (bullet.content, bullet.helpful, bullet.harmful) == (LONG, 0, 0)
    (change,) = commit_by(run, "curator")["applied"]
    assert change["counted"] == {"helpful": 1, "harmful": 1, "neutral": 0}
    assert change in stage.store.lineage(known)[-1].applied


async def test_a_session_may_correct_what_it_taught_itself():
    stage, known = await taught()

    run = await stage.say(f"{ASK}\nAnswer: 60 days", *contradicted(known), session="first")

    assert status(run) == "completed"
    assert [bullet.content for bullet in stage.playbook.bullets] == [LONG]


async def test_a_run_that_owns_its_playbook_has_nobody_to_ask():
    stage, known = await taught()

    run = await stage.say(f"{ASK}\nAnswer: 60 days", *contradicted(known), session="second", run={"owns_playbook": True})

    assert status(run) == "completed"
    assert [bullet.content for bullet in stage.playbook.bullets] == [LONG]


async def test_a_conflict_in_an_agent_that_is_called_as_a_tool_changes_nothing():
    stage, known = await taught()
    tool = AgentTool(ace_agent(settings=AceSettings(reflector_rounds=1)))
    stage.agent = LlmAgent(name="Asker", instruction="Ask.", tools=[tool])
    asked = f"{ASK}\nAnswer: 60 days"

    await stage.say(asked, [call("AceCycle", request=asked)], *contradicted(known), "Done.", session="second")

    assert [bullet.content for bullet in stage.playbook.bullets] == [SHORT]


async def test_another_wording_of_a_bullet_that_helped_keeps_its_counters():
    stage, known = await taught()
    wording = changes(known, "The return period for lamps: 30 days from delivery.")

    await stage.say(
        f"{ASK}\nAnswer: 30 days",
        answer("30 days", known),
        reflection("None.", **{known: "helpful"}),
        curation(wording),
        session="second",
    )

    (bullet,) = stage.playbook.bullets
    assert (bullet.content, bullet.helpful) == (wording["content"], 1)
