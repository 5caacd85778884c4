"""A model that answers from a record; records that come from logs are tested with `agents.runs`."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.errors import EmptyResponseError, InjectedFaultError, ModelTimeoutError, ProviderError
from agents.model import LlmResponse
from agents.models.answer import content_of
from agents.models.replay.model import ReplayLlm
from agents.models.replay.record import RecordedCall, RecordedFailure, RecordedRun, Recording
from agents.models.replay.request import SentRequest
from tests.agents.models.providers import Said, ask, request
from tests.agents.models.providers_replay import answer, record

pytestmark = pytest.mark.anyio


class Observer:
    """Takes the notes of a call."""

    run_model = None

    def __init__(self) -> None:
        self.notes: list[tuple[str, dict]] = []

    def note(self, kind, **data):
        self.notes.append((kind, data))

    def fault_for(self, model):
        return None


def asked(*texts: str, **config):
    made = request(*texts, **config)
    made.observer = Observer()
    return made


def heard(*pairs: tuple[str, str], agent: str = "agent", status: str = "completed") -> Recording:
    """A run in which an agent was asked and answered so."""
    calls = tuple(
        RecordedCall(agent=agent, position=place, model="m", sent=_sends(question), answer=answer(Said(said)))
        for place, (question, said) in enumerate(pairs, 1)
    )
    return Recording("stage", "s-1", (RecordedRun("e-1", "Hello?", status, calls),))


def _sends(question: str):
    return lambda: SentRequest.of(request(question))


def replay(recording: Recording, **more) -> ReplayLlm:
    return ReplayLlm(recording=recording, words_per_second=0, **more)


def about(response: LlmResponse) -> dict:
    return response.custom_metadata["replay"]


async def test_the_answer_is_what_was_recorded_and_says_where_it_comes_from():
    recorded = answer(Said("Yes.", thought="Hm."))

    (whole,) = await ask(replay(record(recorded)), asked())

    assert about(whole) == {"session": "s-1", "run": 1, "position": 1, "drifted": []}
    assert whole.model_copy(update={"custom_metadata": None}) == recorded
    assert whole.content is not recorded.content, "whoever is given it may change it"


async def test_it_is_called_as_its_record_unless_told_otherwise():
    assert replay(record()).model == "replay/stage/s-1"
    assert replay(record(), model="again").model == "again"


async def test_the_same_request_gets_its_answer_in_whatever_order_it_comes():
    model = replay(heard(("One?", "1"), ("Two?", "2"), ("Three?", "3")))

    requests = [asked("Three?"), asked("One?"), asked("Two?")]
    wholes = [(await ask(model, one))[-1] for one in requests]

    assert [whole.text for whole in wholes] == ["3", "1", "2"]
    assert [about(whole)["position"] for whole in wholes] == [3, 1, 2]
    assert not any(one.observer.notes for one in requests)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["One?", "Two?", "Three?"]), max_size=6), st.randoms())
def test_any_order_of_the_same_requests_gets_the_same_answers_without_a_drift(questions, random):
    numbered = [(question, f"{question} {place}") for place, question in enumerate(questions)]
    shuffled = list(questions)
    random.shuffle(shuffled)
    model = replay(heard(*numbered))

    async def all_of_them():
        return [(await ask(model, request(question)))[-1] for question in shuffled]

    wholes = asyncio.run(all_of_them())

    assert sorted(whole.text for whole in wholes) == sorted(said for _, said in numbered)
    assert all(whole.text.startswith(question) for whole, question in zip(wholes, shuffled, strict=True))
    assert not any(about(whole)["drifted"] for whole in wholes)


async def test_a_request_that_has_drifted_gets_the_next_answer_and_it_is_said_in_what():
    model, drifted = replay(heard(("One?", "1"), ("Two?", "2"))), asked("Eins?", temperature=0.3)

    (whole,) = await ask(model, drifted)

    assert whole.text == "1"
    assert about(whole) == {"session": "s-1", "run": 1, "position": 1, "drifted": ["conversation", "settings"]}
    assert drifted.observer.notes == [
        (
            "replay_drifted",
            {
                "model": "replay/stage/s-1",
                "agent": "agent",
                "position": 1,
                "drifted": ["conversation", "settings"],
                "detail": "Message 1 of the conversation differs: “One?” was recorded, now it is “Eins?”.",
            },
        )
    ]
    assert (await ask(model, asked("Two?")))[-1].text == "2"


async def test_each_agent_has_its_own_answers():
    one, other = heard(("Go.", "mine")).runs[0].calls[0], heard(("Go.", "theirs"), agent="other").runs[0].calls[0]
    model = replay(Recording("stage", "s-1", (RecordedRun("e-1", calls=(one, other)),)))

    theirs = await ask(model, request("Go.", labels={"adk_agent_name": "other"}))
    mine = await ask(model, request("Go."))

    assert (mine[-1].text, theirs[-1].text) == ("mine", "theirs")


@pytest.mark.parametrize(
    ("model", "agent", "says"),
    [
        (
            replay(heard(("One?", "1")), used={"agent": {1}}),
            "agent",
            "run 1: it asked for 1 answer there, and all were given again. Choose another model to go on, or send what was",
        ),
        (replay(heard(("One?", "1"))), "other", "it asked for none there; those who did are agent. Choose"),
        (replay(heard()), "other", "those who did are none."),
        (
            replay(heard(("One?", "1")), run=2),
            "agent",
            "'s-1' of 'stage' has 1 run, and this would be run 2. Choose another model to go on, or replay it in a new",
        ),
        (
            replay(record(None, status="stopped")),
            "agent",
            "no answer to call 1 of agent 'agent' in run 1: the run was stopped before it came.",
        ),
        (replay(record(None)), "agent", "it was broken off before it came."),
    ],
)
async def test_the_end_of_the_record_is_told_with_what_was_recorded_and_what_to_do(model, agent, says):
    with pytest.raises(ProviderError) as raised:
        await ask(model, request("One?", labels={"adk_agent_name": agent}))

    assert raised.value.code == "REPLAY_ENDED"
    assert not raised.value.retryable
    assert says in str(raised.value)
    assert str(raised.value).endswith(" in a new session.")


@pytest.mark.parametrize(
    ("failure", "kind", "code", "message"),
    [
        (RecordedFailure("ModelTimeoutError", "It was silent.", "TIMEOUT"), ModelTimeoutError, "TIMEOUT", "It was silent."),
        (RecordedFailure("EmptyResponseError", "Nothing."), EmptyResponseError, "EMPTY_RESPONSE", "Nothing."),
        (RecordedFailure("InjectedFaultError", "Asked for."), InjectedFaultError, "INJECTED_FAULT", "Asked for."),
        (RecordedFailure("ProviderError", "Overloaded.", "503"), ProviderError, "503", "Overloaded."),
        (RecordedFailure("RoutingError", "None left."), ProviderError, "ROUTING", "None left."),
        (RecordedFailure("KeyError", "'k'"), ProviderError, "KeyError", "KeyError: 'k'"),
        (RecordedFailure("annotations", "odd"), ProviderError, "annotations", "annotations: odd"),
        (RecordedFailure("Any", "odd"), ProviderError, "Any", "Any: odd"),
    ],
)
async def test_a_recorded_failure_is_raised_again(failure, kind, code, message):
    model = replay(record(failure, answer(Said("Better."))))

    with pytest.raises(ProviderError) as raised:
        await ask(model)

    assert (type(raised.value), raised.value.code, str(raised.value)) == (kind, code, message)
    assert (await ask(model))[-1].text == "Better.", "it is used"


async def test_what_was_told_on_the_way_is_told_again_and_marked():
    recording = record(answer(Said("Yes.")))
    decided = ("route_decided", {"level": "model", "key": "careful"})
    calls = tuple(replace(call, notes=(decided,)) for call in recording.runs[0].calls)
    model = replay(replace(recording, runs=(replace(recording.runs[0], calls=calls),)))

    again = asked()
    await ask(model, again)

    assert again.observer.notes == [("route_decided", {"level": "model", "key": "careful", "replayed": True})]


async def test_what_was_said_of_the_answer_stays_beside_the_mark():
    recorded = answer(Said("Yes."))
    recorded.custom_metadata = {"simulated": True, "injected_fault": "refuse", "replay": {"session": "older"}}

    (whole,) = await ask(replay(record(recorded)))

    assert whole.custom_metadata == {"simulated": True, "injected_fault": "refuse", "replay": about(whole)}
    assert about(whole)["session"] == "s-1"


async def test_pieces_come_in_the_order_of_the_parts():
    parts = [types.Part(text="a b", thought=True), types.Part(text="c d"), *(content_of("e").parts or ())]
    recorded = LlmResponse(content=types.Content(role="model", parts=parts), stop_reason="end_turn")

    *pieces, whole = await ask(replay(record(recorded)), stream=True)

    assert [(piece.parts[0].text, bool(piece.parts[0].thought)) for piece in pieces] == [
        ("a", True),
        (" b", True),
        ("c", False),
        (" d", False),
        ("e", False),
    ]
    assert [part.text for part in whole.parts] == ["a b", "c d", "e"]


async def test_the_replay_of_a_simulation_is_one():
    def recording(*marks: bool, **more) -> Recording:
        calls = record(*[answer(Said("x"))] * len(marks), **more).runs[0].calls
        called = tuple(replace(call, is_simulated=mark) for call, mark in zip(calls, marks, strict=True))
        return Recording("stage", "s-1", (RecordedRun("e-1", calls=called),))

    assert replay(recording(True, True)).simulated
    assert not replay(recording(True, False)).simulated
    assert not replay(recording()).simulated
    assert not replay(record(None)).simulated


async def test_two_of_one_record_do_not_disturb_each_other():
    recording = heard(("One?", "1"))

    assert [(await ask(replay(recording), request("One?")))[-1].text for _ in range(2)] == ["1", "1"]


async def test_a_speed_or_a_run_that_is_none_is_refused():
    for wrong in ({"words_per_second": -1}, {"words_per_second": float("inf")}, {"run": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            ReplayLlm(recording=record(), **wrong)


async def test_the_speed_is_that_of_the_environment_unless_given(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "fast")
    with pytest.raises(ValueError, match="PLAYGROUND_SIMULATED_SPEED"):
        await ask(ReplayLlm(recording=record(answer(Said("Yes.")))))
