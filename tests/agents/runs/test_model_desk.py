"""Which models a run gets, what is preferred, and whether a model answers."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from google.genai import types
from pydantic import ValidationError

from agents import AgentTool, LlmAgent
from agents.errors import ConnectionInputError, ModelNotFoundError, ProviderError
from agents.model import BaseLlm, LlmResponse
from agents.models import registry
from agents.models.answer import content_of, piece
from agents.models.connections import use_key
from agents.models.registry import LLMRegistry
from agents.pipeline import Pipeline
from agents.pipelines.plain_card import plain_card
from agents.runs import RunManager, model_desk
from agents.runs.model_desk import ModelTest
from agents.runs.values import ModelChoice
from agents.scope import OUTSIDE
from tests.agents.runs.stage import collect, entries, finished

STAGES = Path(__file__).parent / "stages"
KEY = "a-key-that-a-person-typed"

pytestmark = pytest.mark.anyio


class Parrot(BaseLlm):
    """Answers in two pieces; by its name, it fails, hangs or says nothing."""

    @classmethod
    def supported_models(cls):
        return [r"parrot.*"]

    async def generate_content_async(self, llm_request, stream=False):
        if self.model == "parrot-fails":
            raise ProviderError(f"It is down, says {KEY}.", code="503")
        if self.model == "parrot-breaks":
            raise LookupError(KEY)
        if self.model == "parrot-hangs":
            await asyncio.Event().wait()
        if self.model != "parrot-mute":
            yield piece(self.model)
            usage = types.GenerateContentResponseUsageMetadata(prompt_token_count=3, candidates_token_count=2)
            yield LlmResponse(content=content_of(self.model), stop_reason="end_turn", usage_metadata=usage)


@pytest.fixture(autouse=True)
def parrots(monkeypatch):
    monkeypatch.setitem(OUTSIDE._parts, registry._Registered, registry._Registered())
    LLMRegistry.register(Parrot)


@pytest.fixture
def manager(tmp_path):
    with RunManager(database=tmp_path / "playground.db", agents_dir=STAGES) as manager:
        yield manager


async def said(manager, run) -> tuple[dict, list[str]]:
    """What a run's start says, and the texts of its model's answers."""
    log = entries(await collect(manager.subscribe(run.pipeline, run.session_id, after=run.after), finished))
    (start,) = [entry.fields() for entry in log if entry.kind == "run_started"]
    events = [entry.event() for entry in log if entry.kind == "event"]
    return start, [event.text for event in events if event.author != "user"]


async def test_a_run_gets_the_preferred_model_unless_one_is_named(manager):
    manager.models.change(model="parrot-1")

    first = manager.start("duet", "hello")
    start, texts = await said(manager, first)
    assert (start["model"], texts) == ("parrot-1", ["parrot-1", "parrot-1"])
    start, texts = await said(manager, manager.start("duet", "hello", model="parrot-2", session_id=first.session_id))
    assert (start["model"], texts) == ("parrot-2", ["parrot-2", "parrot-2"])


async def test_single_agents_get_models_of_their_own(manager):
    manager.models.change(agent_models={"duet": {"Second": "parrot-2"}})

    run = manager.start("duet", "hello", model="parrot-1")
    start, texts = await said(manager, run)
    assert (start["agent_models"], texts) == ({"Second": "parrot-2"}, ["parrot-1", "parrot-2"])

    again = manager.rerun("duet", run.session_id)
    assert (await said(manager, again))[1] == ["parrot-1", "parrot-2"]

    otherwise = manager.rerun("duet", run.session_id, agent_models={"First": "parrot-3"})
    start, texts = await said(manager, otherwise)
    assert (start["agent_models"], texts) == ({"First": "parrot-3"}, ["parrot-3", "parrot-1"])

    none = manager.start("duet", "hello", model="parrot-1", agent_models={})
    start, texts = await said(manager, none)
    assert ("agent_models" in start, texts) == (False, ["parrot-1", "parrot-1"])


async def test_a_recorded_session_answers_for_agents_that_usually_have_another_model(manager):
    recorded = manager.start("duet", "hello", model="parrot-1", agent_models={"Second": "parrot-2"})
    await said(manager, recorded)
    manager.models.change(agent_models={"duet": {"First": "parrot-3"}})
    name = f"replay/duet/{recorded.session_id}"

    run = manager.start("duet", "hello", model=name)
    start, texts = await said(manager, run)
    assert ("agent_models" in start, texts) == (False, ["parrot-1", "parrot-2"])

    mixed = manager.start("duet", "hello", model=name, agent_models={"Second": "parrot-4"})
    assert (await said(manager, mixed))[1] == ["parrot-1", "parrot-4"]


async def test_another_model_replaces_the_runs_for_single_agents_too(manager):
    run = manager.start("duet", "hello", model="parrot-1", agent_models={"First": "parrot-1", "Second": "parrot-2"})
    await said(manager, run)

    start, texts = await said(manager, manager.rerun("duet", run.session_id, model="parrot-3"))
    assert (start["agent_models"], texts) == ({"Second": "parrot-2"}, ["parrot-3", "parrot-2"])


@pytest.mark.parametrize("name", ["replay/", "replay/duet", "replay//x"])
def test_a_name_of_no_recorded_session_is_refused(manager, name):
    with pytest.raises(ModelNotFoundError, match="names no recorded session"):
        manager.models.check(name)


async def test_nothing_begins_with_a_model_that_is_not_known(manager):
    with pytest.raises(ModelNotFoundError, match="'nobody'"):
        manager.start("duet", "hello", model="parrot-1", agent_models={"Second": "nobody"})
    with pytest.raises(ModelNotFoundError, match="'nobody'"):
        manager.models.change(model="nobody")

    assert manager.sessions.summaries("duet") == []
    assert manager.models.preferences.model == "simulated"


@pytest.mark.parametrize(("given", "speed"), [(None, 7), (0.0, 0)])
def test_a_run_may_have_a_speed_of_its_own(manager, given, speed):
    manager.models.change(simulated_speed=7)
    pipeline = manager.catalog.get("duet")
    model, _ = asyncio.run(manager.models.for_run(pipeline, ModelChoice("simulated", simulated_speed=given)))
    assert model.words_per_second == speed


def test_preferences_last_and_a_server_is_used_at_once(tmp_path):
    path = tmp_path / "playground.db"
    with RunManager(database=path) as manager:
        manager.models.change(base_urls={"llama": "http://127.0.0.1:5/v1"})
        assert manager.models.connection("llama").base_url == "http://127.0.0.1:5/v1"
        with pytest.raises(ConnectionInputError):
            manager.models.change(base_urls={"llama": "nowhere"})
        with pytest.raises(ValidationError):
            manager.models.change(simulated_speed="fast")
    with RunManager(database=path) as manager:
        assert manager.models.connection("llama").base_url == "http://127.0.0.1:5/v1"
        manager.models.change(base_urls={})
        assert manager.models.connection("llama").base_url == "http://127.0.0.1:8080/v1"


def test_a_key_is_in_no_preference(manager, tmp_path):
    use_key("gemini", KEY)
    manager.models.change(model="gemini-flash-latest")

    assert KEY not in manager.models.preferences.model_dump_json()
    manager.close()
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.iterdir())


def test_a_model_that_answers_passes(manager):
    test = manager.models.test("parrot")

    assert (test.ok, test.text, test.error, test.tokens) == (True, "parrot", "", 2)
    assert 0 <= test.first_token <= test.seconds


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("parrot-fails", "503", "It is down, says [key]."),
        ("parrot-breaks", "LookupError", "LookupError: [key]"),
        ("parrot-mute", "EMPTY_RESPONSE", "without saying anything"),
        ("parrot-hangs", "TIMEOUT", "did not answer within 0.05 seconds"),
        ("nobody", "MODEL_NOT_FOUND", "No provider answers to the model 'nobody'"),
    ],
)
def test_a_model_that_does_not_answer_says_why(manager, monkeypatch, name, code, says):
    use_key("gemini", KEY)
    monkeypatch.setattr(model_desk, "TEST_SECONDS", 0.05)

    test = manager.models.test(name)

    assert isinstance(test, ModelTest)
    assert (test.ok, test.code) == (False, code)
    assert says in test.error


def test_the_simulated_model_passes_too(manager):
    assert manager.models.test("simulated").ok


def test_a_provider_is_not_waited_for_without_end(manager, monkeypatch):
    async def never(cls):
        await asyncio.Event().wait()

    monkeypatch.setattr(Parrot, "list_models", classmethod(never))
    monkeypatch.setitem(OUTSIDE.part(registry._Registered), "llama/.+", Parrot)
    monkeypatch.setattr(model_desk, "LIST_SECONDS", 0.05)

    with pytest.raises(ProviderError, match=r"within 0\.05 seconds"):
        manager.models.available("llama")


def test_a_provider_that_cannot_say_what_it_has_says_why(manager):
    manager.models.change(base_urls={"llama": "http://127.0.0.1:1/v1"})

    with pytest.raises(ProviderError, match=r"127\.0\.0\.1:1"):
        manager.models.available("llama")


async def test_the_simulated_model_answers_for_agents_whose_own_model_has_no_key(manager, tmp_path, monkeypatch):
    for variable in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    below = LlmAgent(name="below", model="gemini-flash-latest")
    called = LlmAgent(name="called", model="gemini-flash-latest")
    root = LlmAgent(name="root", sub_agents=[below, LlmAgent(name="free", model="parrot")], tools=[AgentTool(called)])
    pipeline = Pipeline("team", root, plain_card("team", root), tmp_path)
    model, by_agent = await manager.models.for_run(pipeline, ModelChoice(model="simulated"))
    assert by_agent == {"below": model, "called": model}
    _, chosen = await manager.models.for_run(pipeline, ModelChoice(model="simulated", by_agent={"below": "parrot"}))
    assert (chosen["below"].model, chosen["called"].model) == ("parrot", "simulated")
    assert (await manager.models.for_run(pipeline, ModelChoice(model="parrot")))[1] == {}
    manager.models.use_key("gemini", KEY)
    assert (await manager.models.for_run(pipeline, ModelChoice(model="simulated")))[1] == {}
