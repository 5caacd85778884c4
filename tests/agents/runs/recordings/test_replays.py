"""Sessions replayed: the same again where nothing has changed, and what has changed is told where something has."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress

import pytest
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from agents import LlmAgent, ParallelAgent, SequentialAgent
from agents.access import OWNER, visitor
from agents.errors import ModelNotFoundError, ModelTimeoutError, ProviderError, SessionNotFoundError
from agents.event import Event
from agents.flows.routing import RoutedLlm
from agents.log import LogEntry, TraceRecord, event_to_json
from agents.models.replay.record import RecordedRun, Recording
from agents.models.scripted import ScriptedLlm, call
from agents.pipelines.catalog import BUILT_IN
from agents.runs import Run, RunManager
from agents.runs.recordings.replays import Progress, agents_with_models, next_message, progress_in, recorded_session
from agents.runs.values import SessionKey
from agents.runtime.fault import Fault
from agents.tools.agent_tool import AgentTool
from agents.tools.function import FunctionTool
from tests.agents.pipelines.rehearsal import CATALOG
from tests.agents.runs.replays import APP, Studio, answer_to, calls
from tests.agents.runs.stage import collect, finished
from tests.agents.runs.stage import entries as entries_of

pytestmark = pytest.mark.anyio


def look(where: str) -> dict[str, str]:
    """Looks somewhere."""
    return {"seen": f"a cat at {where}"}


def studio(*script, **agent) -> Studio:
    made = Studio(LlmAgent(name="Writer", instruction="Write.", **agent))
    made.model = ScriptedLlm(script=script)
    return made


# -- everything again


@pytest.mark.parametrize("name", BUILT_IN)
async def test_every_pipeline_is_replayed_without_a_drift(name):
    stage = Studio.of(CATALOG.get(name))
    sample = CATALOG.get(name).card.samples[0]
    recorded = await stage.record(sample)

    on_another_disk = Studio.of(CATALOG.get(name))  # where no playbook has grown yet, and no file was written
    model = await stage.model_for("replaying")
    everybody = dict.fromkeys(agents_with_models(stage.agent), model)
    replayed = await on_another_disk.record(sample, session="replaying", model=model, agent_models=everybody)

    assert replayed.drifts == []
    assert replayed.error is recorded.error is None
    assert replayed.said == recorded.said
    assert replayed.state == recorded.state
    assert _decisions(replayed) == _decisions(recorded)
    assert replayed.records("run_started")[0]["simulated"]
    marks = [event.custom_metadata["replay"]["drifted"] for event in replayed.events if event.model_version]
    assert marks == [[]] * len([event for event in recorded.events if event.model_version])
    assert [end["tokens"] for end in replayed.records("run_finished")] == [recorded.records("run_finished")[0]["tokens"]]


@pytest.mark.parametrize("name", BUILT_IN)
async def test_no_simulation_is_misled_by_an_identity_and_records_without_them_replay(name, monkeypatch):
    sample = CATALOG.get(name).card.samples[0]
    plain = Studio.of(CATALOG.get(name))
    with monkeypatch.context() as patch:
        patch.setattr("agents.llm.llm_agent.introduced", plain_instruction)
        recorded = await plain.record(sample)

    assert (await Studio.of(CATALOG.get(name)).record(sample)).said == recorded.said

    on_another_disk, model = Studio.of(CATALOG.get(name)), await plain.model_for("replaying")
    everybody = dict.fromkeys(agents_with_models(plain.agent), model)
    replayed = await on_another_disk.record(sample, session="replaying", model=model, agent_models=everybody)
    assert (replayed.drifts, replayed.said) == ([], recorded.said)


def _decisions(taken) -> list[tuple]:
    """What routers decided, those of models included, which are told again."""
    return sorted((record["router"], record["key"], record.get("reason", "")) for record in taken.records("route_decided"))


async def test_a_conversation_is_replayed_run_by_run():
    stage = studio("First.", "Second.", "Third.")
    for message in ("One", "Two", "Three"):
        await stage.record(message)

    replayed = [await stage.replay(message) for message in ("One", "Two", "Three")]

    assert [taken.events[-1].text for taken in replayed] == ["First.", "Second.", "Third."]
    assert not any(taken.drifts for taken in replayed)
    past = await stage.replay("Four")
    assert isinstance(past.error, ProviderError)
    assert (past.error.code, past.events[-1].error_code) == ("REPLAY_ENDED", "REPLAY_ENDED")
    assert "has 3 runs, and this would be run 4" in str(past.error)


async def test_tools_run_again_and_their_calls_have_ids_of_their_own():
    stage = studio([call("look", where="home")], "A cat.", tools=[look])
    recorded = await stage.record("Look")

    replayed = await stage.replay("Look", stream=True)

    assert replayed.said == recorded.said
    assert replayed.drifts == []
    ids = [taken.events[0].get_function_calls()[0].id for taken in (recorded, replayed)]
    assert ids[0] != ids[1]
    assert ids[1].startswith("adk-")
    assert "".join(piece.text for piece in replayed.pieces) == "A cat."


async def test_ids_that_the_model_gave_are_given_again():
    stage = studio([types.Part(function_call=types.FunctionCall(id="c7", name="look", args={"where": "home"}))], "A cat.")
    stage.agent.tools.append(look)
    await stage.record("Look")

    replayed = await stage.replay("Look")

    assert replayed.events[0].get_function_calls()[0].id == "c7"
    assert replayed.drifts == []


async def test_parallel_agents_and_agents_as_tools_find_their_answers():
    def clerk(name: str) -> LlmAgent:
        return LlmAgent(name=name, description="Knows.", instruction="Tell what you know.", model=ScriptedLlm(script=[name]))

    helpers = [clerk("Left"), clerk("Right")]
    expert = LlmAgent(name="Expert", description="Knows all.", model=ScriptedLlm(script=["of cats", "of dogs", "of hens"]))
    asks = [call("Expert", request="cats?"), call("Expert", request="dogs?"), call("Expert", request="hens?")]
    asker = LlmAgent(name="Asker", model=ScriptedLlm(script=[asks, "All told."]), tools=[AgentTool(expert)])
    stage = Studio(SequentialAgent(name="All", sub_agents=[ParallelAgent(name="Both", sub_agents=helpers), asker]))
    recorded = await stage.record("Tell")

    assert set(agents_with_models(stage.agent)) == {"Left", "Right", "Asker", "Expert"}
    replayed = await stage.replay("Tell")

    assert (replayed.drifts, replayed.said) == ([], recorded.said)
    found = await stage.recording()
    assert sorted(calls(found)) == [
        ("Asker", 1, "answered"),
        ("Asker", 2, "answered"),
        ("Expert", 1, "answered"),
        ("Expert", 2, "answered"),
        ("Expert", 3, "answered"),
        ("Left", 1, "answered"),
        ("Right", 1, "answered"),
    ]
    assert all(one.branch.startswith("Expert:") for one in found.runs[0].calls_of("Expert"))


async def test_a_replay_can_be_replayed():
    stage = Studio.of(CATALOG.get("tool_loop"))
    sample = CATALOG.get("tool_loop").card.samples[0]
    recorded = await stage.record(sample)
    await stage.replay(sample, session="again")

    third = await stage.replay(sample, session="and again", of="again")

    assert (third.drifts, third.said) == ([], recorded.said)
    assert third.events[-1].custom_metadata["replay"]["session"].startswith("again")
    assert third.events[-1].custom_metadata["simulated"]


async def test_a_run_that_paused_goes_on_in_the_record_too():
    def pay(amount: int) -> dict[str, int]:
        """Pays."""
        return {"paid": amount}

    stage = studio(
        [call("pay", amount=5)],
        "Paid five.",
        [call("pay", amount=7)],
        "Not paid.",
        tools=[FunctionTool(pay, require_confirmation=True)],
    )
    for message, yes in (("Pay 5", True), ("Pay 7", False)):
        asked = await stage.record(message)
        await stage.record(answer_to(asked.events[-1], {"confirmed": yes}))
    assert calls(await stage.recording(), 2) == [("Writer", 1, "answered"), ("Writer", 2, "answered")]

    for message, yes, said in (("Pay 5", True, "Paid five."), ("Pay 7", False, "Not paid.")):
        asked = await stage.replay(message)
        run = asked.records("run_started")[0]["invocation_id"]
        ended = await stage.replay(answer_to(asked.events[-1], {"confirmed": yes}), invocation_id=run)

        assert (asked.drifts, ended.drifts, ended.error) == ([], [], None)
        assert ended.events[-1].text == said
        assert ended.events[-1].custom_metadata["replay"]["position"] == 2


async def test_a_run_that_goes_on_otherwise_than_recorded_drifts_and_goes_on_all_the_same():
    def pay(amount: int) -> dict[str, int]:
        """Pays."""
        return {"paid": amount}

    stage = studio([call("pay", amount=5)], "Paid five.", tools=[FunctionTool(pay, require_confirmation=True)])
    asked = await stage.record("Pay")
    await stage.record(answer_to(asked.events[-1], {"confirmed": True}))
    asked = await stage.replay("Pay")
    run = asked.records("run_started")[0]["invocation_id"]

    ended = await stage.replay(answer_to(asked.events[-1], {"confirmed": False}), invocation_id=run)

    assert ended.drifts == [("Writer", ["conversation"])]
    assert ended.events[-1].text == "Paid five.", "the second answer, not the first once more"


async def test_a_playbook_that_has_grown_since_is_an_instruction_that_has_drifted():
    card = CATALOG.get("ace").card
    stage = Studio.of(CATALOG.get("ace"))
    recorded = await stage.record(card.samples[0])

    replayed = await stage.replay(card.samples[0])  # with the same database, and so with what was learned from the record

    assert {agent for agent, drifted in replayed.drifts if "instruction" in drifted} >= {"Generator", "CuratorModel"}
    assert replayed.error is None
    assert [event.text for event in replayed.events if event.author == "Generator"] == [
        event.text for event in recorded.events if event.author == "Generator"
    ]


# -- failures


async def test_a_failure_is_replayed_and_the_retry_after_it_too():
    stage = studio(ModelTimeoutError("It was silent.", code="TIMEOUT"), "Better.")
    failed = await stage.record("Go")
    await stage.record("Go")

    again = await stage.replay("Go")
    retried = await stage.replay("Go")

    assert type(again.error) is ModelTimeoutError
    assert (again.error.code, str(again.error)) == ("TIMEOUT", "It was silent.")
    assert again.said == failed.said
    assert [taken.records("run_finished")[0]["status"] for taken in (again, retried)] == ["failed", "completed"]
    assert retried.events[-1].text == "Better."


async def test_a_callback_that_stands_in_for_the_model_does_so_again():
    def sorry(callback_context, llm_request, error):
        from agents.model import LlmResponse

        return LlmResponse(content=types.Content(role="model", parts=[types.Part(text=f"Sorry: {error.code}")]))

    stage = studio(ProviderError("Overloaded.", code="503"), on_model_error_callback=sorry)
    recorded = await stage.record("Go")

    replayed = await stage.replay("Go")

    assert [event.text for event in recorded.events] == ["Sorry: 503"]
    assert replayed.said == recorded.said
    assert "replay" not in (replayed.events[0].custom_metadata or {}), "it is no answer of the record"


@pytest.mark.parametrize("kind", ["fail_before", "fail_after", "refuse", "unknown_tool", "malformed_json", "delay"])
async def test_an_injected_fault_is_replayed_with_its_mark(kind):
    stage = studio('{"a": 1}', '{"a": 1}')
    recorded = await stage.record("Go", faults=(Fault(kind=kind, target="Writer", seconds=0),))

    replayed = await stage.replay("Go")

    assert replayed.said == recorded.said
    assert (type(replayed.error), str(replayed.error)) == (type(recorded.error), str(recorded.error))
    (told,) = replayed.records("fault_injected")
    assert (told["fault"], told["model"], told["replayed"]) == (kind, "scripted", True)
    marks = [(event.custom_metadata or {}).get("injected_fault") for event in recorded.events]
    assert [(event.custom_metadata or {}).get("injected_fault") for event in replayed.events] == marks


async def test_which_model_a_router_chose_is_told_again():
    def first_that_is_left(models, llm_request, error_context=None):
        failed = error_context.failed_keys if error_context else ()
        return next((key for key in models if key not in failed), None)

    down = ScriptedLlm(model="down", script=[ProviderError("Overloaded.", code="503")])
    stage = Studio(
        LlmAgent(
            name="Writer",
            model=RoutedLlm(models=[down, ScriptedLlm(model="up", script=["Done."])], router=first_that_is_left),
        )
    )
    await stage.record("Go")

    replayed = await stage.replay("Go")

    assert (replayed.drifts, replayed.events[-1].text, replayed.events[-1].model_version) == ([], "Done.", "up")
    decided = [(record["key"], record["failed"], record["replayed"]) for record in replayed.records("route_decided")]
    assert decided == [("down", [], True), ("up", ["down"], True)]


async def test_what_failed_beside_an_answer_that_was_broken_off_fails_again():
    async def for_ever(_request):
        await asyncio.Event().wait()

    agents = [
        LlmAgent(name="Slow", model=ScriptedLlm(script=[for_ever])),
        LlmAgent(name="Broken", model=ScriptedLlm(script=[ProviderError("Down.", code="503")])),
    ]
    stage = Studio(ParallelAgent(name="Both", sub_agents=agents))
    await stage.record("Go")
    assert sorted(calls(await stage.recording())) == [("Broken", 1, "failed"), ("Slow", 1, "cancelled")]

    replayed = await stage.replay("Go")

    assert (replayed.error.code, str(replayed.error)) == ("503", "Down.")


async def test_a_run_that_was_stopped_has_no_answer_there_and_the_next_one_follows():
    begun = asyncio.Event()

    async def for_ever(_request):
        begun.set()
        await asyncio.Event().wait()

    stage = studio(for_ever, "Done.")
    task = asyncio.create_task(stage.record("Go"))
    await begun.wait()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    await stage.record("Go on")

    stopped, done = await stage.replay("Go"), await stage.replay("Go on")

    assert stopped.error.code == "REPLAY_ENDED"
    assert "the run was stopped before it came" in str(stopped.error)
    assert done.events[-1].text == "Done."


# -- drifts


def plain_instruction(_name: str, _description: str, instruction: str) -> str:
    """What was sent before agents were told who they are."""
    return instruction


async def test_a_session_recorded_before_identities_were_sent_has_not_drifted(monkeypatch):
    stage = studio("Yes.")
    stage.agent.description = 'Says "yes".'
    with monkeypatch.context() as patch:
        patch.setattr("agents.llm.llm_agent.introduced", plain_instruction)
        await stage.record("Go")

    replayed = await stage.replay("Go")

    assert (replayed.drifts, replayed.events[-1].text) == ([], "Yes.")


async def test_in_such_a_session_another_instruction_is_told_by_itself(monkeypatch):
    stage = studio("Yes.")
    with monkeypatch.context() as patch:
        patch.setattr("agents.llm.llm_agent.introduced", plain_instruction)
        await stage.record("Go")
    stage.agent.instruction = "Write well."

    (record,) = (await stage.replay("Go")).records("replay_drifted")

    assert record["detail"] == "The instruction differs: “Write.” was recorded, now it is “Write well.”."


async def test_another_description_is_a_drift():
    stage = studio("Yes.")
    await stage.record("Go")
    stage.agent.description = "Writes."

    (record,) = (await stage.replay("Go")).records("replay_drifted")

    assert record["drifted"] == ["instruction"]
    assert "The description about you" in record["detail"]


async def test_another_instruction_is_told():
    stage = studio("Yes.")
    await stage.record("Go")
    stage.agent.instruction = "Write well."

    replayed = await stage.replay("Go")

    assert replayed.events[-1].text == "Yes."
    (record,) = replayed.records("replay_drifted")
    assert record["drifted"] == ["instruction"]
    assert record["detail"] == "The instruction differs: “Write.” was recorded, now it is “Write well.”."
    assert record["model"] == "replay/stage/recorded"
    assert replayed.events[-1].custom_metadata["replay"]["drifted"] == ["instruction"]


async def test_another_message_is_told():
    stage = studio("Yes.")
    await stage.record("Paint a boat")

    replayed = await stage.replay("Paint a house")

    (record,) = replayed.records("replay_drifted")
    assert record["drifted"] == ["conversation"]
    assert "“Paint a boat” was recorded, now it is “Paint a house”" in record["detail"]


async def test_other_tools_and_settings_are_told():
    stage = studio("Yes.")
    await stage.record("Go")
    stage.agent.tools = [look]
    stage.agent.generate_content_config = types.GenerateContentConfig(temperature=0.5)

    replayed = await stage.replay("Go")

    assert replayed.drifts == [("Writer", ["tools", "settings"])]
    assert replayed.records("replay_drifted")[0]["detail"] == "The tools differ: look was not there."


async def test_a_message_too_many_ends_the_record():
    stage = studio([call("look", where="home")], "A cat.", tools=[look])
    await stage.record("Look")
    stage.agent.output_schema = int

    replayed = await stage.replay("Look")  # it is told that a cat is no number, and asks once more

    assert replayed.error.code == "REPLAY_ENDED"
    assert "it asked for 2 answers there, and all were given again" in str(replayed.error)


async def test_a_replay_that_ended_too_early_is_replayed_again_by_the_next_run():
    stage = studio([call("look", where="home")], "A cat.", "Bye.", tools=[look])
    await stage.record("Look")
    await stage.record("Leave")
    stage.agent.output_schema = int
    assert (await stage.replay("Look")).error.code == "REPLAY_ENDED"
    stage.agent.output_schema = None

    retried, left = await stage.replay("Look"), await stage.replay("Leave")

    assert [taken.events[-1].text for taken in (retried, left)] == ["A cat.", "Bye."]


# -- which run comes next


NAME = "replay/stage/recorded"


def entries(*runs: tuple[str, str | None]) -> list[LogEntry]:
    """A session's runs: model and status; None for one that has not ended."""
    found = []
    for number, (model, status) in enumerate(runs):
        made = f"e-{number}"
        found.append(TraceRecord("run_started", made, data={"model": model}))
        if status is not None:
            code = {"error_code": "REPLAY_ENDED"} if status == "ended" else {}
            found.append(TraceRecord("run_finished", made, data={"status": "failed" if code else status, **code}))
    return [LogEntry(seq, record.kind, record.to_json()) for seq, record in enumerate(found, 1)]


RUNS = st.lists(
    st.tuples(st.sampled_from([NAME, "simulated"]), st.sampled_from(["completed", "failed", "paused", "stopped", "ended"])),
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(RUNS)
def test_a_run_counts_if_it_replayed_the_record_to_the_end(runs):
    recording = Recording("stage", "recorded", (RecordedRun("e", status="completed"),) * 10)

    counted = [status for model, status in runs if model == NAME and status in ("completed", "failed", "paused")]

    progress = progress_in(entries(*runs), NAME, recording)
    assert (progress.run, progress.used) == (1 + len(counted), {})


@pytest.mark.parametrize(("status", "run"), [("stopped", 2), ("interrupted", 2), ("completed", 1), ("failed", 1)])
def test_where_the_record_was_stopped_its_end_is_the_end(status, run):
    recording = Recording("stage", "recorded", (RecordedRun("e", status=status),))

    assert progress_in(entries((NAME, "ended")), NAME, recording).run == run


def test_an_agents_own_replay_counts_too():
    record = TraceRecord("run_started", "e", data={"model": "simulated", "agent_models": {"Writer": NAME}})
    end = TraceRecord("run_finished", "e", data={"status": "completed"})
    log = [LogEntry(1, "run_started", record.to_json()), LogEntry(2, "run_finished", end.to_json())]

    assert progress_in(log, NAME, Recording("stage", "recorded")).run == 2
    assert progress_in(log, "replay/stage/other", Recording("stage", "other")).run == 1


def test_what_a_paused_run_was_given_is_counted_where_it_became_no_event_too():
    def asked(label: str | None = None) -> TraceRecord:
        return TraceRecord("model_started", "e", "Writer", data={"model": NAME, **({"label": label} if label else {})})

    marks = {"replay": {"session": "recorded", "position": 2}}
    other = {"replay": {"session": "another", "position": 5}}
    records = [
        TraceRecord("run_started", "e", data={"model": NAME}),
        *(asked() for _ in range(3)),
        asked("Judge"),
        TraceRecord("model_started", "e", "Critic", data={"model": "gemini-x"}),
        TraceRecord("run_finished", "e", data={"status": "paused"}),
    ]
    log = [LogEntry(1, record.kind, record.to_json()) for record in records]
    for about in (marks, other):
        event = Event(author="Writer", invocation_id="e", custom_metadata=about)
        log.insert(-1, LogEntry(1, "event", event_to_json(event)))
    recording = Recording("stage", "recorded", (RecordedRun("r"),) * 2)

    assert progress_in(log, NAME, recording, "e") == Progress(1, {"Writer": {1, 2, 3}, "Judge": {1}})
    assert progress_in(log, NAME, recording) == Progress(2)


def test_agents_that_do_not_ask_the_runs_model_are_found():
    def agent(name: str, model: str = "", **more) -> LlmAgent:
        return LlmAgent(name=name, description="Works.", model=model, **more)

    tree = SequentialAgent(
        name="All",
        sub_agents=[
            agent("Run"),
            agent("Own", "simulated", sub_agents=[SequentialAgent(name="Row", sub_agents=[agent("Inherits")])]),
            agent("Asks", tools=[look, AgentTool(agent("Tool", "simulated"))]),
        ],
    )

    assert list(agents_with_models(tree)) == ["Own", "Inherits", "Tool"]


def test_a_name_says_which_session_is_replayed():
    assert recorded_session("replay/stage/a/b c", OWNER.id) == SessionKey("stage", "a/b c", OWNER.id)
    for name in ("replay/stage", "replay//s", "replay/stage/", "simulated"):
        with pytest.raises(ModelNotFoundError, match="replay/PIPELINE/SESSION_ID"):
            recorded_session(name, OWNER.id)


async def test_a_session_that_is_not_there_cannot_be_replayed():
    with pytest.raises(SessionNotFoundError, match="no session 'recorded' of 'stage' that could be replayed"):
        await studio().model_for("replaying")


# -- in the background


def _followed(manager: RunManager, run: Run) -> list[LogEntry]:
    """The run's entries, once it has ended or paused."""

    async def watch():
        async with aclosing(manager.subscribe(run.pipeline, run.session_id, after=run.after)) as news:
            return entries_of(await collect(news, finished))

    return asyncio.run(watch())


def _texts(log: list[LogEntry]) -> list[tuple[str, str]]:
    events = [entry.event() for entry in log if entry.kind == "event"]
    return [(event.author, event.text) for event in events if event.text]


@pytest.fixture
def manager(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    with RunManager(database=None) as made:
        yield made


@pytest.mark.parametrize("name", ["iterative_writing", "routed_llm", "complexity_router"])
def test_a_session_is_replayed_by_the_name_of_the_model(manager, name):
    first = manager.start(name, manager.catalog.get(name).card.samples[0])
    recorded = _followed(manager, first)

    again = manager.start(name, manager.catalog.get(name).card.samples[0], model=f"replay/{name}/{first.session_id}")
    replayed = _followed(manager, again)

    assert again.model == f"replay/{name}/{first.session_id}"
    assert not [entry.fields() for entry in replayed if entry.kind == "replay_drifted"]
    assert _texts(replayed) == _texts(recorded)
    marks = [
        event.custom_metadata["replay"]
        for entry in replayed
        if entry.kind == "event" and (event := entry.event()).usage_metadata
    ]
    assert marks
    assert {mark["session"] for mark in marks} == {first.session_id}


def test_a_paused_session_is_replayed_and_goes_on(manager):
    sample = manager.catalog.get("approval").card.samples[0]
    name, recorded = "", []
    for model in (None, "replayed"):
        run = manager.start("approval", sample, model=model and name)
        log = _followed(manager, run)
        (waiting,) = (call for call in manager.pending("approval") if call.session_id == run.session_id)
        log += _followed(manager, manager.answer("approval", run.session_id, waiting.call_id, {"confirmed": True}))
        assert not [entry for entry in log if entry.kind == "replay_drifted"]
        recorded.append(_texts(log))
        name = name or f"replay/approval/{run.session_id}"

    assert recorded[0] == recorded[1]


@pytest.mark.parametrize(
    ("message", "state", "told"), [(None, {}, "1.50"), (None, {"ground_truth": "2"}, "2"), ("Why?", {}, None)]
)
def test_a_right_answer_that_was_told_beside_a_message_is_told_again_when_it_is_replayed(message, state, told):
    question = "What is the current ratio if current assets are 30 and current liabilities are 20?"
    with RunManager(database=None) as manager:
        recorded = manager.start("ace", question, state={"ground_truth": "1.50"}, simulated_speed=0)
        _followed(manager, recorded)

        run = manager.start("ace", message or question, model=f"replay/ace/{recorded.session_id}", state=state)
        _followed(manager, run)

        assert manager.sessions.state("ace", run.session_id)["ground_truth"] == told


# -- what comes next


async def test_what_was_said_next_follows_what_has_been_replayed():
    stage = studio("one", "two")
    await stage.record("first", session="recorded")
    await stage.record("second", session="recorded")
    name, session = f"replay/{APP}/recorded", SessionKey(APP, "replaying", OWNER.id)
    assert await next_message(stage.service, name, None, user=OWNER) == "first"

    await stage.replay("first")
    assert await next_message(stage.service, name, session, user=OWNER) == "second"

    await stage.replay("second")
    assert await next_message(stage.service, name, session, user=OWNER) is None


async def test_there_is_nothing_next_in_a_session_that_is_not_there():
    with pytest.raises(SessionNotFoundError):
        await next_message(studio().service, f"replay/{APP}/nobody", None, user=OWNER)
    with RunManager(database=None) as manager:
        assert manager.models.next_message("replay/iterative_writing/nobody", "iterative_writing") is None
        assert manager.models.next_message("replay/nonsense", "iterative_writing") is None


def test_a_record_is_the_users_own_session_else_the_owners():
    with RunManager(database=None) as manager:
        ann, ben = (manager.as_user(visitor(name)) for name in ("ann", "ben"))
        owners, anns = (user.start("iterative_writing", "a lighthouse", simulated_speed=0) for user in (manager, ann))
        for user, run, message in (
            (manager, owners, "a lighthouse"),
            (ben, owners, "a lighthouse"),
            (ann, anns, "a lighthouse"),
            (ben, anns, None),
        ):
            assert user.models.next_message(f"replay/iterative_writing/{run.session_id}", "iterative_writing") == message
