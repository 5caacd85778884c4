"""A session's log read as a record of its model calls."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from google.genai import types

from agents import LlmAgent, SequentialAgent, ask_model
from agents.access import OWNER
from agents.errors import ModelTimeoutError, ProviderError
from agents.event import Event
from agents.log import TraceRecord
from agents.model import LlmRequest, LlmResponse
from agents.models.replay.record import RecordedFailure
from agents.models.replay.request import SentRequest, content_key
from agents.models.scripted import ScriptedLlm, call
from agents.models.simulated.model import SimulatedLlm
from agents.pipelines.catalog import BUILT_IN
from agents.runs.recordings.recording import read_recording
from agents.runs.values import SessionKey
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import CATALOG
from tests.agents.runs.replays import APP, Studio, calls, user
from tests.agents.stage import Actor

pytestmark = pytest.mark.anyio

IDENTITY = 'You are an agent. Your internal name is "Writer".'


def look(where: str) -> dict[str, str]:
    """Looks somewhere."""
    return {"seen": f"a cat at {where}"}


def studio(*script, **agent) -> Studio:
    made = Studio(LlmAgent(name="Writer", **agent))
    made.model = ScriptedLlm(script=script)
    return made


@pytest.mark.parametrize("name", BUILT_IN)
async def test_what_was_sent_is_worked_out_again_from_the_log(name):
    stage, sent = Studio.of(CATALOG.get(name)), []

    class Spy(SimulatedLlm):
        def generate_content_async(self, llm_request, stream=False):
            sent.append((llm_request.config.labels["adk_agent_name"], SentRequest.of(llm_request)))
            return super().generate_content_async(llm_request, stream=stream)

    stage.model = Spy(simulation=stage.model.simulation, words_per_second=0)
    sample = CATALOG.get(name).card.samples[0]
    taken = await stage.record(sample)

    recording = await stage.recording()
    (run,) = recording.runs
    recorded = {(one.agent, *_key(one.request)) for one in run.calls}
    assert {(agent, *_key(request)) for agent, request in sent} <= recorded
    assert run.message == sample
    assert recording.is_simulated
    assert {one.ending for one in run.calls} == {"answered"}
    assert {one.agent for one in run.calls} <= set(CATALOG.get(name).card.simulation), "each has a simulation of its own"
    assert all(event.custom_metadata == {"simulated": True} for event in taken.events if event.usage_metadata)


def _key(sent: SentRequest) -> tuple:
    return sent.instruction, sent.contents, sent.tools, str(sent.settings)


async def test_a_call_is_recorded_with_all_there_is_to_know():
    parts = [types.Part(text="Hm.", thought=True), types.Part(text="Yes.")]
    usage = types.GenerateContentResponseUsageMetadata(
        prompt_token_count=5, candidates_token_count=2, thoughts_token_count=1, total_token_count=8
    )
    said = LlmResponse(
        content=types.Content(role="model", parts=parts),
        stop_reason="max_tokens",
        finish_reason=types.FinishReason.MAX_TOKENS,
        usage_metadata=usage,
        model_version="gemini-x-001",
        custom_metadata={"note": 1},
    )
    stage = studio(said, instruction="Write.", generate_content_config=types.GenerateContentConfig(temperature=0.5))
    await stage.record("Go")

    recording = await stage.recording()

    assert (recording.pipeline, recording.session_id, recording.model) == (APP, "recorded", "replay/stage/recorded")
    (run,) = recording.runs
    assert (run.message, run.status) == ("Go", "completed")
    (recorded,) = run.calls
    assert recorded.answer == said
    assert recorded.request == SentRequest(f"{IDENTITY}\n\nWrite.", (content_key(user("Go")),), (), {"temperature": 0.5})
    assert (recorded.agent, recorded.position, recorded.model) == ("Writer", 1, "scripted")
    assert (recorded.ending, recorded.is_simulated, recorded.injected_fault) == ("answered", False, "")
    assert not recording.is_simulated


async def test_ids_that_we_made_up_are_not_recorded():
    given = types.Part(function_call=types.FunctionCall(id="theirs", name="look", args={"where": "b"}))
    stage = studio([call("look", where="a"), given], "Two cats.", tools=[look])
    await stage.record("Look")

    first, second = (await stage.recording()).runs[0].calls

    assert [made.id for made in first.answer.get_function_calls()] == [None, "theirs"]
    assert len(second.request.contents) == 3
    assert second.request.tools == ("look",)


async def test_what_a_callback_made_of_the_request_is_what_was_sent():
    def shout(callback_context, llm_request):
        llm_request.contents = [user(llm_request.contents[-1].parts[0].text.upper())]
        llm_request.append_instructions(["Be loud."])

    stage = studio("YES.", before_model_callback=shout)
    await stage.record("Go")

    (recorded,) = (await stage.recording()).runs[0].calls
    assert recorded.request == SentRequest(f"{IDENTITY}\n\nBe loud.", (content_key(user("GO")),))


async def test_what_a_router_asks_is_recorded_though_it_becomes_no_event():
    question = LlmRequest(
        contents=[user("Which?")],
        config=types.GenerateContentConfig(system_instruction="Judge.", labels={"adk_agent_name": "Judge"}),
    )

    async def ask(ctx):
        return (await ask_model(ctx, question)).text

    stage = Studio(Actor(name="Router", lines=[ask, ask]))
    stage.model = ScriptedLlm(script=["left", ProviderError("Down.", code="503")])
    await stage.record("Go")

    recording = await stage.recording()
    first, second = recording.runs[0].calls
    assert calls(recording) == [("Judge", 1, "answered"), ("Judge", 2, "failed")]
    assert (first.answer.text, first.request) == ("left", SentRequest("Judge.", (content_key(user("Which?")),)))
    assert second.failure == RecordedFailure("ProviderError", "Down.", "503")
    replayed = await stage.replay("Go")
    assert [event.text for event in replayed.events] == ["left", ""]
    assert replayed.error.code == "503"


@pytest.mark.parametrize(
    ("raised", "failure"),
    [
        (ProviderError("Down: 1.", code="503"), RecordedFailure("ProviderError", "Down: 1.", "503")),
        (ModelTimeoutError("Late."), RecordedFailure("ModelTimeoutError", "Late.", "MODEL_TIMEOUT")),
        (KeyError("k"), RecordedFailure("KeyError", "'k'", "KeyError")),
    ],
)
async def test_a_failure_has_its_class_message_and_code(raised, failure):
    stage = studio(raised)
    await stage.record("Go")

    (recorded,) = (await stage.recording()).runs[0].calls

    assert (recorded.ending, recorded.failure, recorded.answer) == ("failed", failure, None)


async def test_an_answer_that_is_an_error_is_an_answer():
    stage = studio(LlmResponse(stop_reason="safety", error_code="SAFETY", error_message="Held back."))
    await stage.record("Go")

    (recorded,) = (await stage.recording()).runs[0].calls

    assert recorded.ending == "answered"
    assert (recorded.answer.stop_reason, recorded.answer.error_message) == ("safety", "Held back.")


async def test_an_answer_that_a_callback_failed_on_is_not_known():
    def broken(callback_context, llm_response):
        raise LookupError("No such thing.")

    stage = studio("Yes.", after_model_callback=broken)
    await stage.record("Go")

    (recorded,) = (await stage.recording()).runs[0].calls
    assert (recorded.ending, recorded.answer) == ("cancelled", None)


async def test_a_call_that_was_broken_off_is_in_the_record_without_an_answer():
    begun = asyncio.Event()

    async def for_ever(_request):
        begun.set()
        await asyncio.Event().wait()

    stage = studio("One.", for_ever)
    await stage.record("Go")
    task = asyncio.create_task(stage.record("Go on"))
    await begun.wait()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task

    recording = await stage.recording()

    assert [run.status for run in recording.runs] == ["completed", "stopped"]
    assert calls(recording, 2) == [("Writer", 1, "cancelled")]


async def test_a_session_that_runs_is_read_as_far_as_it_is():
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def later(_request):
        begun.set()
        await go_on.wait()
        return "Two."

    stage = studio([call("look", where="home")], later, tools=[look])
    task = asyncio.create_task(stage.record("Go"))
    await begun.wait()

    recording = await stage.recording()

    assert (recording.runs[0].status, calls(recording)[0]) == ("", ("Writer", 1, "answered"))
    assert ("Writer", 2, "answered") not in calls(recording)
    go_on.set()
    await task
    assert calls(await stage.recording())[1] == ("Writer", 2, "answered")


@pytest.mark.parametrize("kind", ["refuse", "unknown_tool", "malformed_json"])
async def test_an_answer_that_a_fault_made_says_so(kind):
    stage = studio('{"a": 1}', "Done.")
    await stage.record("Go", faults=(Fault(kind=kind, target="Writer"),))

    first = (await stage.recording()).runs[0].calls[0]

    assert (first.ending, first.injected_fault) == ("answered", kind)
    ((noted, data),) = first.notes
    assert noted == "fault_injected"
    assert set(data) == {"fault", "target", "model"}


async def test_a_run_of_which_part_was_simulated_is_not_a_simulation():
    def half(model):
        return LlmAgent(name=f"Half{model.model}", model=model)

    simulated = SimulatedLlm(simulation={"Halfsimulated": lambda _: "Made up."}, words_per_second=0)
    stage = Studio(SequentialAgent(name="Both", sub_agents=[half(simulated), half(ScriptedLlm(script=["Real."]))]))
    await stage.record("Go")

    recording = await stage.recording()

    assert [one.is_simulated for one in recording.runs[0].calls] == [True, False]
    assert not recording.is_simulated


@pytest.mark.parametrize("kind", ["refuse", "unknown_tool"])
async def test_a_simulation_with_a_fault_is_one_all_the_same(kind):
    stage = studio()
    stage.model = SimulatedLlm(simulation={"Writer": lambda _: "Made up."}, words_per_second=0)
    await stage.record("Go", faults=(Fault(kind=kind, target="Writer"),))
    await stage.record("Go")

    assert (await stage.recording()).is_simulated


@pytest.mark.parametrize("simulated", [True, False])
async def test_of_a_log_without_marks_the_run_says_whether_it_was_simulated(simulated):
    stage = studio()
    session = await stage.service.create_session(app_name=APP, user_id=OWNER.id, session_id="old")
    place = {"invocation_id": "e-1", "agent": "Writer"}
    answer = Event(
        author="Writer", invocation_id="e-1", content=types.Content(role="model", parts=[types.Part(text="Yes.")])
    )
    log = [
        TraceRecord("run_started", **place, data={"simulated": simulated, "model": "m"}),
        Event(author="user", invocation_id="e-1", content=user("Go")),
        TraceRecord("model_started", **place, data={"call": 1, "model": "m"}),
        TraceRecord("model_finished", **place, data={"call": 1, "stop_reason": "end_turn", "usage": {"input": 1}}),
        answer,
        TraceRecord("run_finished", **place, data={"status": "completed"}),
    ]
    await stage.service.append(session, log)

    recording = await read_recording(stage.service, SessionKey(APP, "old", OWNER.id))

    assert recording.is_simulated == simulated
    assert recording.runs[0].calls[0].answer.text == "Yes."
    assert recording.runs[0].calls[0].request == SentRequest()


async def test_the_messages_of_a_person_between_runs_are_no_runs():
    stage = studio("One.")
    await stage.record("Go")
    session = await stage.service.get_session(app_name=APP, user_id=OWNER.id, session_id="recorded")
    await stage.service.append_event(session, Event(author="user", content=user("A note.")))

    assert [run.message for run in (await stage.recording()).runs] == ["Go"]
