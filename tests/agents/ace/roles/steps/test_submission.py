from __future__ import annotations

import pytest

from agents import (
    AgentTool,
    Event,
    EventActions,
    InMemorySessionService,
    LlmAgent,
    ParallelAgent,
    SqliteSessionService,
)
from agents.ace.gate import BrokenCase, Trial
from agents.ace.roles.cycle import ace_agent
from agents.ace.roles.settings import AceSettings
from agents.ace.roles.steps.apply_delta import ApplyDelta
from agents.ace.roles.steps.rounds import RoundCheck
from agents.ace.roles.steps.tag_bullets import TagBullets
from agents.ace.store.playbook_store import PlaybookStore
from agents.errors import AnswerError
from agents.models.scripted import call
from tests.agents.ace.cycles import (
    ASK,
    FORMULA,
    LEARNS,
    NO_ERROR,
    Stage,
    add,
    answer,
    commit_by,
    commits,
    curation,
    reflection,
    reviews,
    said_by,
    status,
)
from tests.agents.stage import APP, USER, play

pytestmark = pytest.mark.anyio

OTHER = "quick ratio = (current assets - inventory) / current liabilities"
APPROVE, REJECT = {"verdict": "approve"}, {"verdict": "reject"}


class Office:
    """One database file; every message to it comes after a restart."""

    def __init__(self, path, **settings) -> None:
        self._path, self._settings = path, settings

    async def _with_stage(self, work):
        service = SqliteSessionService(self._path)
        try:
            return await work(Stage(service, **self._settings))
        finally:
            await service.close()

    async def say(self, message, *script, **more):
        return await self._with_stage(lambda stage: stage.say(message, *script, **more))

    async def decide(self, asked, *decisions):
        return await self._with_stage(lambda stage: stage.decide(asked, *decisions))

    @property
    def contents(self) -> list[str]:
        with PlaybookStore(self._path, name=APP) as store:
            return [bullet.content for bullet in store.playbook().bullets]


@pytest.fixture
def office(tmp_path):
    return Office(tmp_path / "office.db", approval=True)


# Approval.


async def test_operations_wait_for_a_person_and_nothing_is_committed(office):
    run = await office.say(f"{ASK}\nAnswer: 1.50", answer(), NO_ERROR, curation(add(), {"type": "MOVE"}))

    (asked,) = reviews(run)
    assert status(run) == "paused"
    assert asked.args["playbook"] == APP
    assert asked.args["reasoning"] == "It was missing."
    assert [operation["content"] for operation in asked.args["operations"]] == [FORMULA]
    assert [rejection["operation"]["type"] for rejection in asked.args["rejected"]] == ["MOVE"]
    assert said_by(run, "ApplyDelta") == ["1 operation to be decided on by the user."]
    assert [commit["by"] for commit in commits(run)] == ["StateInitializer", "reflector"]
    assert office.contents == []


async def test_after_a_restart_each_operation_has_the_fate_that_a_person_gave_it(office):
    run = await office.say(ASK, answer(), NO_ERROR, curation(add(), add(OTHER), add("Bananas."), {"type": "MOVE"}))
    (asked,) = reviews(run)

    run = await office.decide(
        asked,
        APPROVE,
        {"verdict": "approve", "operation": add("quick ratio = quick assets / current liabilities")},
        {**REJECT, "reason": "no finance"},
    )

    assert status(run) == "completed"
    assert office.contents == [FORMULA, "quick ratio = quick assets / current liabilities"]
    commit = commit_by(run, "curator")
    assert [rejection["reason"] for rejection in commit["rejected"]] == [
        "'MOVE' is no type of operation: it must be ADD, UPDATE, REMOVE, MERGE or TAG.",
        "Rejected by the user: no finance",
    ]
    assert commit["reasoning"] == "It was missing."
    assert said_by(run, "ApplyDelta")[0].startswith("Reviewed by the user: 2 operations submitted.")


async def test_all_rejected_is_recorded_and_changes_nothing(office):
    run = await office.say(ASK, *LEARNS)

    run = await office.decide(reviews(run)[0], REJECT)

    assert office.contents == []
    assert commit_by(run, "curator")["rejected"][0]["reason"] == "Rejected by the user."
    assert status(run) == "completed"


async def test_what_nobody_decided_on_is_rejected(office):
    run = await office.say(ASK, answer(), NO_ERROR, curation(add(), add(OTHER)))

    run = await office.decide(reviews(run)[0], APPROVE)

    assert office.contents == [FORMULA]
    assert commit_by(run, "curator")["rejected"][0]["reason"] == "The user reviewed the delta and did not decide on this."


async def test_an_approved_operation_that_has_become_impossible_is_rejected_by_the_store():
    stage = Stage(approval=True)
    (known,) = stage.know(FORMULA)
    run = await stage.say(ASK, answer(), NO_ERROR, curation({"type": "REMOVE", "bullet_id": known}))
    stage.store.undo(1)

    run = await stage.decide(reviews(run)[0], APPROVE)

    assert commit_by(run, "curator")["rejected"][0]["reason"].startswith(f"There is no bullet '{known}'")


async def test_a_delta_is_for_the_playbook_that_it_was_shown_for(office):
    run = await office.say(ASK, *LEARNS)
    asked = reviews(run)[0]

    async def switch_and_decide(stage):
        session = await stage.service.get_session(app_name=APP, user_id=USER, session_id="s")
        switch = Event(author="user", actions=EventActions(state_delta={"playbook_name": "x"}))
        await stage.service.append_event(session, switch)
        return await stage.decide(asked, APPROVE)

    run = await office._with_stage(switch_and_decide)

    assert commit_by(run, "curator")["playbook"] == APP
    assert office.contents == [FORMULA]


async def test_where_nothing_is_left_to_decide_nobody_is_asked(office):
    nothing = await office.say(ASK, answer(), NO_ERROR, curation())
    refused = await office.say(ASK, answer(), NO_ERROR, curation({"type": "MOVE"}))

    assert (status(nothing), status(refused)) == ("completed", "completed")
    assert reviews(nothing) == reviews(refused) == []


async def test_a_new_message_gives_the_delta_up(office):
    run = await office.say(ASK, *LEARNS)
    await office.say("Another?", answer(), NO_ERROR, curation())

    with pytest.raises(AnswerError, match="waits for an answer no more"):
        await office.decide(reviews(run)[0], APPROVE)
    assert office.contents == []


async def test_the_control_decides_and_not_only_what_it_was_made_with():
    stage = Stage()

    run = await stage.say(ASK, *LEARNS, start={"approval": True})

    assert status(run) == "paused"


async def test_side_by_side_each_delta_has_its_own_review():
    stage = Stage()
    reviewers = [ApplyDelta(name=name, settings=AceSettings(approval=True)) for name in ("One", "Two")]
    stage.agent = ParallelAgent(name="Both", sub_agents=reviewers)

    run = await stage.say(ASK, start={"curator_output": {"operations": [add(), add(OTHER)]}})
    first, second = reviews(run)
    half = await stage.decide(first, APPROVE)

    assert status(half) == "paused"
    assert reviews(half) == [], "what was asked is not asked again"
    assert [bullet.content for bullet in stage.playbook.bullets] == [FORMULA]
    done = await stage.decide(second, REJECT, APPROVE)
    assert status(done) == "completed"
    assert [bullet.content for bullet in stage.playbook.bullets] == [FORMULA, OTHER]


async def test_called_as_a_tool_it_cannot_wait_so_nothing_is_applied():
    stage = Stage()
    stage.agent = LlmAgent(
        name="Asker", instruction="Ask.", tools=[AgentTool(ace_agent(settings=AceSettings(approval=True)))]
    )

    run = await stage.say(ASK, [call("AceCycle", request=ASK)], *LEARNS, "Done.")

    run.events = run.session.events  # those of an agent that is called as a tool are in the log only
    rejected = [rejection for commit in commits(run) for rejection in commit["rejected"]]
    assert [rejection["reason"] for rejection in rejected] == [
        "The user was to decide, and an agent that is called as a tool cannot wait for that."
    ]
    assert status(run) == "completed"


# Each alone, with whatever state holds.


@pytest.mark.parametrize("agent", [RoundCheck, TagBullets, ApplyDelta])
@pytest.mark.parametrize("value", [None, "text", 3, [], [1], {}, {"operations": 3}, {"final_answer": None}])
async def test_an_agent_survives_what_state_holds_or_lacks(agent, value):
    state = dict.fromkeys(("generator_output", "reflector_output", "curator_output"), value)

    run = await play(agent(), state=state, service=InMemorySessionService())

    assert (run.error, status(run)) == (None, "completed")
    assert run.texts[0][1]


async def test_without_any_state_each_agent_says_what_is_missing():
    said = [(await play(agent())).texts for agent in (RoundCheck, TagBullets, ApplyDelta)]

    assert said == [
        [("RoundCheck", "There is no reflection.")],
        [("TagBullets", "There is no answer, so there is nothing to count.")],
        [("ApplyDelta", "The curator submitted nothing that could be read. The answer stands.")],
    ]


TAKES = {
    "token_budget": 1,
    "min_uses": 1,
    "similarity": 0.01,
    "archive_after": 1,
    "refinement": "proactive",
    "pruning": True,
}
"""Settings in a session's state that would take everything from a playbook."""


async def test_a_sessions_settings_take_nothing_from_the_playbook_that_all_share():
    stage = Stage()
    known = stage.know("one rule about ratios", "another fact about rent", "a third thing about boats")
    run = await stage.say(ASK, *LEARNS, start=dict(TAKES))
    assert len(commit_by(run, "curator")["applied"]) == 1, "what it learned, and no refinement"
    assert {*known} < {bullet.id for bullet in stage.playbook.bullets}
    assert not any(bullet.archived for bullet in stage.playbook.bullets)


async def test_the_agents_own_settings_and_those_of_a_run_that_owns_its_playbook_refine_it():
    for stage, more in ((Stage(token_budget=1), {}), (Stage(), {"run": {"owns_playbook": True}, "start": dict(TAKES)})):
        stage.know("one rule about ratios", "another fact about rent", "a third thing about boats")
        await stage.say(ASK, *LEARNS, **more)
        assert not [bullet for bullet in stage.playbook.bullets if not bullet.archived]


class Breaks:
    """A gate that lets operations pass, and holds back what a refinement takes."""

    def __init__(self) -> None:
        self.tried = []

    async def try_delta(self, playbook, batch, config):
        self.tried.append(batch)
        case = BrokenCase(name="rent", why="It is gone.", pipeline="ace")
        return Trial(tried=1, broken=(case,) if batch.refine is not None and batch.refine.token_budget else ())


async def test_the_gate_judges_the_refinement_even_without_an_operation():
    gate, stage = Breaks(), Stage(token_budget=1)
    known = stage.know("one rule about ratios", "another fact about rent")
    await stage.say(ASK, answer(), NO_ERROR, curation(), run={"delta_gate": gate})
    assert len(gate.tried) == 1
    assert [bullet.id for bullet in stage.playbook.bullets] == known


async def test_what_the_gate_held_back_is_not_refined_away_after_the_review():
    gate, stage = Breaks(), Stage(token_budget=1)
    known = stage.know("one rule about ratios", "another fact about rent")
    run = await stage.say(ASK, *LEARNS, run={"delta_gate": gate})
    [asked] = reviews(run)
    await stage.decide(asked, APPROVE)
    assert {*known} < {bullet.id for bullet in stage.playbook.bullets}
    assert FORMULA in {bullet.content for bullet in stage.playbook.bullets}


async def test_what_a_user_without_the_right_teaches_waits_for_approval():
    stage = Stage()
    [known] = stage.know("one rule about ratios")
    run = await stage.say(
        ASK,
        answer("1.50", known),
        reflection("None.", **{known.replace("-", "_"): "harmful"}),
        curation(add()),
        run={"needs_approval": True},
    )
    assert status(run) == "paused"
    assert commits(run) == []
    assert [(bullet.content, bullet.harmful) for bullet in stage.playbook.bullets] == [("one rule about ratios", 0)]
    await stage.decide(reviews(run)[0], APPROVE)
    assert FORMULA in {bullet.content for bullet in stage.playbook.bullets}


async def test_a_user_without_the_right_has_nothing_refined_away():
    stage = Stage(token_budget=1)
    known = stage.know("one rule about ratios", "another fact about rent")
    run = {"needs_approval": True, "owns_playbook": True}
    done = await stage.say(ASK, answer("1.50"), reflection("None."), curation(), run=run)
    assert status(done) == "completed"
    assert [bullet.id for bullet in stage.playbook.bullets] == [*known]
