"""The gate: a delta that breaks a case waits for the user, with the reason; any other is committed as ever."""

from __future__ import annotations

import json

import pytest
from google.genai import types

from agents import LlmAgent, RunConfig, Runner
from agents.access import OWNER
from agents.ace import Add, DeltaBatch, PlaybookStore, RefinePolicy, Remove, Update
from agents.ace.gate import Trial
from agents.cases import (
    AnswerContains,
    AnswerNumber,
    Case,
    CaseFiles,
    CaseGate,
    InlinePlaybook,
    Judge,
    NewestPlaybook,
    PlaybookAtRevision,
    case_from_session,
    case_gate,
)
from agents.cases import gate as gate_module
from agents.cases.check import model_for
from agents.models.replay.model import ReplayLlm
from agents.models.scripted import ScriptedLlm, call
from agents.models.simulated.model import SimulatedLlm
from agents.runs import RunManager
from agents.storage.playbooks.memory import InMemoryPlaybookRepository
from agents.tools.agent_tool import AgentTool
from tests.agents.cases.stage import BAKERY, CATALOG, CINEMA, FALSE, FORMULA, Stage

pytestmark = pytest.mark.anyio

OPENED = "current ratio: formula not known yet"
"""What a contradiction leaves of a formula, until a second answer agrees."""
MISTAUGHT = f"{BAKERY}\nAnswer: 0.67"
RATIO = Case(
    name="ratio",
    pipeline="ace",
    messages=(CINEMA,),
    playbook=NewestPlaybook(name="ace"),
    expect=(AnswerNumber(value=2.5),),
)
SIMULATED = RunConfig(model=model_for(CATALOG.get("ace"), "simulated"))


class Guarded(Stage):
    """A stage whose playbook `ace` has the formula, and a folder of cases that guards it."""

    def __init__(self, folder, *cases):
        super().__init__()
        [self.bullet] = self.learn(FORMULA)
        self.folder = folder
        for case in cases:
            CaseFiles(folder).write(case)
        self.store = self.playbooks.beside("ace")
        self.store.guard_with(str(folder))
        self.gate = CaseGate(CATALOG, self.playbooks, sessions=self.service)
        self.config = SIMULATED.model_copy(update={"delta_gate": self.gate})

    async def try_delta(self, *operations, config=SIMULATED) -> Trial:
        trial = await self.gate.try_delta(self.store.playbook(), DeltaBatch(operations=list(operations)), config)
        assert trial is not None
        return trial


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cases"


async def test_a_delta_that_breaks_a_case_waits_with_the_reason_and_both_runs(folder):
    stage = Guarded(folder)
    kept = case_from_session(await stage.send("ace", CINEMA), CATALOG.get("ace"), name="cinema")
    CaseFiles(folder).write(kept)
    before = stage.store.playbook().bullets

    log = await stage.send("ace", MISTAUGHT, config=stage.config)

    assert [bullet.content for bullet in stage.store.playbook().bullets] == [bullet.content for bullet in before]
    [tried] = [entry.fields() for entry in log if entry.kind == "cases_tried"]
    assert (tried["tried"], tried["broken"], tried["problems"]) == (1, ["cinema"], [])
    call = next(call for entry in log if entry.kind == "event" for call in entry.event().get_function_calls())
    [broken] = (call.args or {})["broken"]
    assert (broken["name"], broken["why"]) == ("cinema", "Expected: the answer has the number 2.5. Found: “0.40”.")
    assert log[-1].fields()["status"] == "paused"
    titles = {}
    for found in await stage.service.summaries(user_id=OWNER.id):
        titles[found.id] = found.title
    assert titles[broken["before"]] == "Case: cinema (without the delta)"
    assert titles[broken["after"]] == "Case: cinema (with the delta)"
    [end] = [
        entry.fields()
        for entry in await stage.service.read_log(app_name="ace", user_id=OWNER.id, session_id=broken["after"])
        if entry.kind == "case_run"
    ]
    assert (end["case"], end["outcome"], end["what"]) == ("cinema", "failed", broken["why"])


async def test_a_refinement_that_takes_a_bullet_away_is_tried_like_an_operation(folder):
    stage = Guarded(folder, RATIO)
    empties = DeltaBatch(refine=RefinePolicy(token_budget=1))
    trial = await stage.gate.try_delta(stage.store.playbook(), empties, SIMULATED)
    assert trial is not None
    assert [case.name for case in trial.broken] == ["ratio"]
    harmless = DeltaBatch(refine=RefinePolicy())
    assert await stage.gate.try_delta(stage.store.playbook(), harmless, SIMULATED) == Trial()


async def test_an_approved_delta_is_committed_without_another_trial(folder):
    with RunManager(database=None, catalog=CATALOG, gate=case_gate) as manager:
        store = manager.playbooks("ace")
        store.commit(DeltaBatch(operations=[Add(section="FORMULAS", content=FORMULA)]))
        CaseFiles(folder).write(RATIO)
        store.guard_with(str(folder))
        run = manager.start("ace", MISTAUGHT, simulated_speed=0)
        await ended(manager, run.session_id)
        [call] = manager.pending("ace")
        assert [broken["name"] for broken in call.args["broken"]] == ["ratio"]
        assert store.playbook().bullets[0].content == FORMULA

        manager.answer("ace", run.session_id, call.call_id, {"decisions": [{"verdict": "approve"}]})
        await ended(manager, run.session_id, after=2)
        assert store.playbook().bullets[0].content.startswith(OPENED)
        assert sum(entry.kind == "cases_tried" for entry in manager.sessions.log("ace", run.session_id)) == 1


async def ended(manager, session_id, after=1):
    ends = 0
    async for batch in manager.subscribe("ace", session_id):
        ends += sum(entry.kind == "run_finished" for entry in getattr(batch, "entries", ()))
        if ends >= after:
            return


async def test_a_good_delta_is_committed_and_says_that_it_was_tried(folder):
    stage = Guarded(folder, RATIO)
    log = await stage.send("ace", "Tell me about efficient task management", config=stage.config)
    [tried] = [entry.fields() for entry in log if entry.kind == "cases_tried"]
    assert (tried["tried"], tried["broken"], tried["why"]) == (1, [], "")
    assert log[-1].fields()["status"] == "completed"
    assert len(stage.store.playbook().bullets) > 1


async def test_without_a_guard_and_without_a_gate_nothing_is_tried(folder):
    stage = Guarded(folder, RATIO)
    batch = DeltaBatch(operations=[Remove(bullet_id=stage.bullet)])
    for change in (stage.store.freeze, lambda: stage.store.guard_with("")):
        stage.store.freeze(frozen=False)
        change()
        assert await stage.gate.try_delta(stage.store.playbook(), batch, SIMULATED) is None
    stage.store.freeze(frozen=False)
    for config in (stage.config, SIMULATED):
        log = await stage.send("ace", MISTAUGHT, config=config)
        assert not [entry for entry in log if entry.kind == "cases_tried"]
    assert stage.store.playbook().bullets[0].content.startswith(OPENED)


async def test_what_is_held_back_in_a_run_that_cannot_wait_is_rejected_with_the_reason(folder):
    stage = Guarded(folder, RATIO)
    tool = AgentTool(agent=CATALOG.get("ace").root_agent)
    asking = LlmAgent(name="Asks", model=ScriptedLlm(script=[[call(tool.name, request=MISTAUGHT)], "Done."]), tools=[tool])
    session = await stage.service.create_session(app_name="asks", user_id=OWNER.id, state={"playbook_name": "ace"})
    runner = Runner(app_name="asks", agent=asking, session_service=stage.service)
    message = types.Content(role="user", parts=[types.Part(text="Go")])
    async for _ in runner.run_async(user_id=OWNER.id, session_id=session.id, new_message=message, run_config=stage.config):
        pass
    assert stage.store.playbook().bullets[0].content == FORMULA
    assert "cannot wait for that" in json.dumps([record.rejected for record in stage.store.history()])


async def test_a_case_that_failed_before_is_not_broken_by_the_delta(folder):
    stage = Guarded(folder, RATIO.model_copy(update={"expect": (AnswerNumber(value=7),)}))
    trial = await stage.try_delta(Update(bullet_id=stage.bullet, content=FALSE))
    assert (trial.tried, trial.broken, trial.holds_back) == (1, (), False)
    assert trial.problems[0].startswith("ratio: it does not hold without the delta either. Expected: the answer has")


async def test_a_bad_file_is_told_and_a_missing_folder_holds_back(folder, tmp_path):
    stage = Guarded(folder, RATIO)
    (folder / "bad.json").write_text("{", encoding="utf-8")
    trial = await stage.try_delta(Add(section="TIPS", content="Check the units."))
    assert (trial.tried, trial.holds_back) == (1, False)
    assert trial.problems[0].startswith("bad.json is not JSON")
    stage.store.guard_with(str(tmp_path / "gone"))
    trial = await stage.try_delta(Add(section="TIPS", content="Check the units."))
    assert trial.holds_back
    assert "it does not exist" in trial.why
    log = await stage.send("ace", MISTAUGHT, config=stage.config)
    assert log[-1].fields()["status"] == "paused"


async def test_only_cases_of_this_playbook_are_tried_and_a_judge_is_never_asked(folder):
    other = {"name": "other", "playbook": NewestPlaybook(name="other")}
    fixed = {"name": "fixed", "playbook": PlaybookAtRevision(name="ace", revision=1)}
    inline = {"name": "inline", "playbook": InlinePlaybook(bullets=())}
    own = {"name": "own", "playbook": NewestPlaybook()}
    judge = Judge(rubric="It is right.", model="no-such-model")
    stage = Guarded(
        folder,
        *(RATIO.model_copy(update=update) for update in (other, fixed, inline, own)),
        RATIO.model_copy(update={"name": "judged", "expect": (judge,)}),
        RATIO.model_copy(update={"name": "both", "expect": (judge, AnswerNumber(value=2.5))}),
    )
    trial = await stage.try_delta(Remove(bullet_id=stage.bullet))
    assert (trial.tried, [case.name for case in trial.broken]) == (2, ["both", "own"])
    assert trial.problems == ("judged: it has a judge's rubric alone, which the gate does not ask.",)


async def test_with_retrieval_only_cases_that_could_be_given_the_bullet_are_tried(folder):
    advice = Case(
        name="advice",
        pipeline="ace",
        messages=("Tell me about efficient task management",),
        state={"top_k": 1},
        playbook=NewestPlaybook(name="ace"),
        expect=(AnswerContains(text="task"),),
    )
    stage = Guarded(folder, RATIO.model_copy(update={"state": {"top_k": 1}}), advice)
    stage.learn("Plan no more than three tasks a day.", section="task_management_strategies")
    ratio = Update(bullet_id=stage.bullet, content=FALSE)
    trial = await stage.try_delta(ratio)
    assert (trial.tried, [case.name for case in trial.broken]) == (1, ["ratio"])
    new = Add(section="task_management_strategies", content="Efficient task management: begin with one task.")
    assert (await stage.try_delta(new)).tried == 1
    assert (await stage.try_delta(Add(section="COOKING", content="Salt the water."))).tried == 0
    assert (await stage.try_delta(Remove(bullet_id="no-00009"))).tried == 0
    cites = advice.model_copy(update={"name": "cites", "cited": (stage.bullet,)})
    CaseFiles(folder).write(cites)
    assert (await stage.try_delta(ratio)).tried == 2


async def test_models_of_the_run_are_asked_at_once_and_a_replay_is_not(folder, monkeypatch):
    stage = Guarded(folder, RATIO, RATIO.model_copy(update={"name": "named", "model": "no-such-model"}))
    asked = []
    run_once = gate_module.Check.run_once

    async def noted(self, case, *, playbook, config):
        asked.append(config)
        return await run_once(self, case, playbook=playbook, config=config)

    monkeypatch.setattr(gate_module.Check, "run_once", noted)
    slow = SimulatedLlm(simulation={}, words_per_second=1)
    config = RunConfig(model=slow, agent_models={"Generator": slow}, delta_gate=stage.gate)
    trial = await stage.try_delta(Add(section="TIPS", content="Check the units."), config=config)
    assert (trial.tried, trial.broken) == (2, ())
    assert "no-such-model" in trial.problems[0]
    [settings] = asked
    assert (settings.model.words_per_second, settings.agent_models["Generator"].words_per_second) == (0, 0)
    assert (settings.delta_gate, settings.faults) == (None, ())
    replay = RunConfig(model=ReplayLlm.model_construct(model="replay/ace/x"))
    trial = await stage.try_delta(Add(section="TIPS", content="Check the units."), config=replay)
    assert (trial.tried, trial.holds_back) == (0, False)
    assert trial.problems == ("A replayed model has no answers for cases.",)


def test_a_guard_is_stored_with_its_playbook(tmp_path):
    for place in (tmp_path / "p.db", InMemoryPlaybookRepository()):
        store = PlaybookStore(place, "ace")
        assert store.guard == ""
        store.guard_with("/cases")
        assert store.guard == "/cases"
        assert [info.guard for info in store.names()] == ["/cases"]
        copy = store.copy_to("copy")
        assert copy.guard == "", "a copy is not guarded"
        store.delete()
        store.restore()
        assert store.guard == "/cases"
        store.guard_with("")
        assert store.guard == ""
        store.close()
