from __future__ import annotations

import json
from typing import Any

import pytest
from google.genai import types

from agents import InMemorySessionService, RunConfig, Runner, SqliteSessionService
from agents.ace.operations import DeltaBatch
from agents.ace.store.playbook_store import PlaybookStore
from agents.models.simulated.model import SimulatedLlm
from agents.pipelines.ace.card import card
from agents.pipelines.loading.loader import load_built_in
from agents.state import check_state_value
from tests.agents.ace.cycles import commit_by, reviews, said_by, status
from tests.agents.stage import APP, USER, Play, look, play

pytestmark = pytest.mark.anyio

PIPELINE = load_built_in("ace")
RATIO = card.samples[0]
BREAKS = {one.title: one for one in card.breaks}


class Class:
    """A pipeline on its simulation, with one playbook for all sessions."""

    def __init__(self, service: Any = None) -> None:
        self.service = service or InMemorySessionService()
        self._sessions = 0

    async def ask(self, message: str, *, session: str = "", faults: Any = (), **settings: Any) -> Play:
        """Sends a message, to a new session if none is named."""
        self._sessions += 1
        return await play(
            PIPELINE.root_agent,
            message,
            state=card.first_state,
            state_delta=settings,
            service=self.service,
            session_id=session or f"s{self._sessions}",
            config=self._config(faults),
        )

    async def decide(self, call: types.FunctionCall, *decisions: Any, session: str) -> Play:
        response = types.FunctionResponse(id=call.id, name=call.name, response={"decisions": list(decisions)})
        message = types.Content(role="user", parts=[types.Part(function_response=response)])
        runner = Runner(app_name=APP, agent=PIPELINE.root_agent, session_service=self.service)
        run = runner.run_async(user_id=USER, session_id=session, new_message=message, run_config=self._config(()))
        result = Play(events=[event async for event in run])
        await look(result, self.service, session)
        return result

    def _config(self, faults: Any) -> RunConfig:
        return RunConfig(model=SimulatedLlm(simulation=card.simulation, words_per_second=0), faults=tuple(faults))

    @property
    def store(self) -> PlaybookStore:
        return PlaybookStore(self.service.tables, name=APP)


def answer_of(run: Play) -> str:
    return run.state["generator_output"]["final_answer"]


def cited_by(run: Play) -> list[str]:
    return run.state["generator_output"]["bullet_ids"]


def right_answer(sample: str) -> str:
    return sample.rpartition("Answer: ")[2]


@pytest.mark.parametrize("sample", [sample for sample in card.samples if "Answer:" in sample])
async def test_a_sample_is_answered_wrongly_and_in_a_new_session_rightly_by_a_bullet_of_the_first(sample):
    lesson = Class()

    first, second = await lesson.ask(sample), await lesson.ask(sample)

    assert answer_of(first) != right_answer(sample) == answer_of(second)
    added = {change["bullet_id"] for change in commit_by(first, "curator")["applied"]}
    assert cited_by(second)
    assert set(cited_by(second)) <= added
    assert status(first) == status(second) == "completed"


async def test_the_next_question_of_its_kind_is_answered_without_being_told():
    lesson = Class()
    await lesson.ask(RATIO)

    run = await lesson.ask("An inn has current assets of 300 and current liabilities of 90. What is the current ratio?")

    assert answer_of(run) == "3.33"
    assert run.state["feedback"] == "None."


async def test_with_the_playbook_frozen_empty_it_stays_wrong():
    lesson = Class()
    lesson.store.create(APP).freeze()

    runs = [await lesson.ask(RATIO) for _ in range(3)]

    assert {answer_of(run) for run in runs} == {answer_of(runs[0])}
    assert "1.50" not in answer_of(runs[0])
    assert "The playbook is frozen" in said_by(runs[0], "ApplyDelta")[1]


async def test_taking_the_delta_back_takes_the_answer_back():
    lesson = Class()
    first = await lesson.ask(RATIO)
    lesson.store.undo(commit_by(first, "curator")["revision"])

    again = await lesson.ask(RATIO)

    assert answer_of(again) == answer_of(first)
    assert cited_by(again) == []


async def test_a_bullet_made_false_by_hand_misleads_is_tagged_harmful_and_mended():
    lesson = Class()
    first = await lesson.ask(RATIO)
    (formula,) = [
        change["bullet_id"] for change in commit_by(first, "curator")["applied"] if change["section"] == "FORMULAS"
    ]
    false = {"type": "UPDATE", "bullet_id": formula, "content": "current ratio = current assets * current liabilities"}
    lesson.store.commit(DeltaBatch(by="person", operations=[false]))

    misled = await lesson.ask(RATIO)
    mended = await lesson.ask(RATIO)

    assert answer_of(misled).startswith("9600")
    assert cited_by(misled)[0] == formula
    assert {"type": "TAG", "bullet_id": formula, "tag": "harmful"} in commit_by(misled, "reflector")["applied"]
    assert answer_of(mended) == "1.50"


async def test_a_thumb_down_with_the_right_answer_teaches_what_the_message_did_not():
    lesson = Class()
    question = RATIO.rpartition("\n")[0]
    await lesson.ask(question, session="s", feedback_from="person")

    judged = await lesson.ask("👎", session="s", verdict={"right": False, "answer": "1.50", "event": None})
    later = await lesson.ask(question)

    assert "rests on a person's verdict" in said_by(judged, "ApplyDelta")[0]
    assert answer_of(later) == "1.50"


async def test_what_came_of_running_an_answer_teaches_and_a_pass_counts_as_verified():
    lesson = Class()
    question = RATIO.rpartition("\n")[0]
    waits = await lesson.ask(question, session="s", feedback_from="execution")
    failed = await lesson.ask("Outcome: exit code 1: expected 1.50", session="s")
    used = await lesson.ask(question)
    passed = await lesson.ask(f"{question}\nOutcome: exit code 0", feedback_from="execution")

    assert "feedback is to come from running something" in said_by(waits, "Reflector")[0]
    assert "rests on the outcome of something executed" in said_by(failed, "ApplyDelta")[0]
    (bullet,) = lesson.store.playbook().bullets
    assert answer_of(used) == answer_of(passed) == "1.50"
    assert (bullet.helpful, bullet.harmful, bullet.neutral) == (1, 0, 1), "verified by the pass; only used before"


async def test_what_a_person_edits_before_they_approve_is_what_is_learned(tmp_path):
    async def restarted(work):
        service = SqliteSessionService(tmp_path / "p.db")
        try:
            return await work(Class(service))
        finally:
            await service.close()

    waiting = await restarted(lambda lesson: lesson.ask(RATIO, session="s", approval=True))
    (call,) = reviews(waiting)
    (formula,) = call.args["operations"]
    edited = {**formula, "content": "current ratio = current liabilities / current assets"}
    decisions = [{"verdict": "approve", "operation": edited}]
    done = await restarted(lambda lesson: lesson.decide(call, *decisions, session="s"))

    assert (status(waiting), status(done)) == ("paused", "completed")
    assert formula["section"] == "FORMULAS"
    assert [bullet.content for bullet in done.state["app:playbook"].bullets] == [edited["content"]]


async def test_each_model_is_sent_json_that_fits():
    run = await Class().ask(RATIO)

    for key in ("generator_output", "reflector_output", "curator_output"):
        assert isinstance(run.state[key], dict)
    assert not [event for event in run.events if (event.custom_metadata or {}).get("output_retry")]
    assert all(json.loads(text) for text in said_by(run, "Generator") + said_by(run, "CuratorModel"))


# The card.


def test_every_control_begins_as_the_agent_was_made():
    begins = {control.key: control.default for control in card.controls}
    made = PIPELINE.root_agent.find_agent("ApplyDelta").settings.model_dump()

    assert begins.pop("playbook_name") == ""
    assert begins == {key: made[key] for key in begins}
    assert set(made) - set(begins) == {"min_uses", "similarity"}
    for key, value in card.first_state.items():
        check_state_value(key, value)


@pytest.mark.parametrize("title", BREAKS)
async def test_each_break_does_what_it_says(title):
    broken = BREAKS[title]

    run = await Class().ask(broken.message or RATIO, faults=broken.faults, **broken.settings)

    expected = {
        "The curator answers broken JSON": ("completed", "The curator submitted nothing that could be read."),
        "The reflector refuses": ("completed", "There is no reflection, so the playbook stays as it is."),
        "The generator fails": ("failed", ""),
        "Learn without feedback": ("completed", "This rests on nothing: no feedback, so this may well be wrong."),
        "Teach it something wrong": ("completed", "1 operation submitted. This rests on the right answer."),
    }[title]
    assert status(run) == expected[0]
    assert any(expected[1] in event.text for event in run.events)
    assert {record["target"] for record in run.records("fault_injected")} == {fault.target for fault in broken.faults}


async def test_what_was_taught_wrongly_misleads_the_next_session_until_it_is_corrected():
    lesson = Class()
    await lesson.ask(BREAKS["Teach it something wrong"].message)

    misled = await lesson.ask("An inn has current assets of 300 and current liabilities of 90. What is the current ratio?")
    await lesson.ask(RATIO)
    corrected = await lesson.ask(
        "An inn has current assets of 300 and current liabilities of 90. What is the current ratio?"
    )

    assert answer_of(misled) == "0.30"
    assert answer_of(corrected) == "3.33"


async def test_messages_with_one_answer_become_a_label_that_is_used_for_another_message():
    lesson = Class()
    for message in (
        "My card was declined at the shop\nAnswer: card_declined",
        "The payment says declined\nAnswer: card_declined",
        "My parcel is still not here\nAnswer: parcel_late",
        "The parcel is late again\nAnswer: parcel_late",
    ):
        await lesson.ask(message)

    runs = [await lesson.ask(text) for text in ("Again the card got declined", "No parcel today", "Do you have a vase?")]

    assert [answer_of(run) for run in runs] == ["card_declined", "parcel_late", "I do not know."]
    assert [len(cited_by(run)) for run in runs] == [1, 1, 0]


LAMPS = "What is the return period for lamps?"


async def test_two_sessions_that_teach_two_answers_raise_a_conflict_and_answers_go_on_with_the_first():
    lesson = Class()
    await lesson.ask(f"{LAMPS}\nAnswer: 30 days")
    waiting = await lesson.ask(f"{LAMPS}\nAnswer: 60 days", session="second")
    meanwhile = await lesson.ask(LAMPS)

    (call,) = reviews(waiting)
    (conflict,) = call.args["conflicts"]
    assert status(waiting) == "paused"
    assert (conflict["says"], conflict["truth"]) == (f"Asked: {LAMPS} Answer: 30 days", "60 days")
    assert answer_of(meanwhile) == "30 days"

    await lesson.decide(call, {"verdict": "approve"}, session="second")
    decided = await lesson.ask(LAMPS)
    (bullet,) = lesson.store.playbook().bullets
    assert (answer_of(decided), bullet.tagged) == ("60 days", (0, 0))


async def test_a_thumb_down_with_the_right_answer_corrects_a_fact_at_once():
    lesson = Class()
    await lesson.ask(f"{LAMPS}\nAnswer: 30 days")
    await lesson.ask(LAMPS, session="s")

    judged = await lesson.ask("👎 60 days", session="s")

    (bullet,) = lesson.store.playbook().bullets
    assert (status(judged), bullet.content) == ("completed", f"Asked: {LAMPS} Answer: 60 days")
    assert (bullet.helpful, bullet.harmful) == (0, 0)


WORDINGS = {
    "30 days": (
        "What is the return period for lamps?",
        "How long can I return a lamp?",
        "Until when may lamps be returned?",
        "For how many days can customers return lamps?",
        "lamp returns: how much time do I have?",
    ),
    "blue-heron-42": (
        "What is the Wi-Fi password?",
        "Tell me the password of the wifi",
        "wifi password please",
        "Which password does the guest Wi-Fi have?",
        "What do I type in as password for the WiFi?",
    ),
    "30 Tage": (
        "Wie lange ist die Rückgabefrist für Lampen?",
        "Bis wann kann ich eine Lampe zurückgeben?",
        "Rückgabefrist Lampen?",
        "Wie viele Tage habe ich für die Rückgabe einer Lampe?",
        "Was gilt als Rückgabefrist bei Lampen?",
    ),
    "佐藤": (
        "営業部長は誰ですか？",
        "営業部の部長は誰？",
        "営業部長の名前は？",
        "営業の責任者は誰ですか？",
        "誰が営業部長ですか？",
    ),
}


@pytest.mark.parametrize("truth", WORDINGS)
async def test_one_truth_in_five_wordings_is_one_bullet_with_five_examples(truth):
    lesson = Class()
    for wording in WORDINGS[truth]:
        await lesson.ask(f"{wording}\nAnswer: {truth}")

    (bullet,) = lesson.store.playbook().bullets
    assert bullet.content == f"Asked: {' | '.join(WORDINGS[truth])} Answer: {truth}"
    assert (bullet.helpful > 0, bullet.harmful) == (True, 0), "a wording that is added is no correction"
