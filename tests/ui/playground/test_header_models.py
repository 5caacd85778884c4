"""Choosing models in the Playground's header, run without a browser."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from agents.errors import ApiKeyError, ForkError
from agents.forks import ModelChange
from agents.runs import RunManager
from agents.workspace import Workspace
from tests.ui.stage import finish, labels, links, now, page, query, said, sound, with_setup, words
from ui.state import runs

CRITIC = "agent_model_iterative_writing_CriticAgent"
PIPELINE = "iterative_writing"


def badges(at):
    return [m.value for m in at.markdown if m.value in {":orange-badge[simulated]", ":orange-badge[replayed]"}]


def popovers(at):
    return [found.proto.popover.label for found in at.get("popover")]


def tabs(at):
    return [tab.label for tab in at.tabs]


def started(manager, pipeline, session):
    """What the session's last run was begun with."""
    log = asyncio.run(manager.sessions.newest(pipeline, session, limit=1000))
    return [entry.fields() for entry in log if entry.kind == "run_started"][-1]


# The run's model.


def test_the_preferred_model_is_the_pages_and_is_not_in_its_address(manager):
    manager.models.change(model="gemini-pro-latest")
    at = sound(page())
    assert at.selectbox(key="model_choice").value == "gemini-pro-latest"
    assert not badges(at)
    at.selectbox(key="model_choice").set_value("simulated").run()
    assert query(sound(at))["model"] == "simulated"
    assert badges(at) == [":orange-badge[simulated]"]
    at.selectbox(key="model_choice").set_value("gemini-pro-latest").run()
    assert "model" not in query(sound(at))


def test_a_missing_key_leads_to_the_settings(manager):
    at = sound(page(model="gemini-pro-latest"))
    assert "Settings page" in said(at)
    assert "→ Settings: connect models" in links(at)
    assert "→ Settings: connect models" not in links(sound(page()))


def test_a_local_model_without_its_file_says_so_and_cannot_run(manager, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path))
    monkeypatch.setattr("agents.models.local.files.lacks_extra", lambda: False)
    at = sound(page(model="local/none"))
    assert "playground models pull" in said(at)
    assert at.button(key="run").disabled


def test_an_error_that_the_settings_mend_leads_there(manager, monkeypatch):
    def refused(*_, **__):
        raise ApiKeyError("The key is not accepted. Type another one.", code="API_KEY_INVALID")

    at = sound(page())
    monkeypatch.setattr(RunManager, "start", refused)
    sound(at.button(key="run").click().run())
    assert "not accepted" in said(at)
    assert "→ Settings: connect models" in links(at)


# Models of single agents.


def test_an_agent_gets_a_model_for_the_next_runs_of_this_page(manager):
    at = sound(with_setup(model="replay/other/x"))  # another pipeline's record has nothing to say here
    assert at.selectbox(key="model_choice").value == "simulated"
    at = sound(with_setup())
    assert tabs(at) == ["About", "Models", "Faults"]
    at.selectbox(key=CRITIC).set_value("gemini-pro-latest").run()
    assert query(sound(at))["agent_model"] == "CriticAgent:gemini-pro-latest"
    assert ":blue-badge[1 agent]" in words(at)
    assert at.button(key="run").disabled  # there is no key
    at.selectbox(key=CRITIC).set_value("").run()
    assert "agent_model" not in query(sound(at))


def test_models_of_agents_are_handed_to_the_run(manager):
    manager.models.change(model="gemini-pro-latest")
    chosen = [f"{agent}:simulated" for agent in ("InitialWriterAgent", "CriticAgent")]
    at = sound(with_setup(model="simulated", agent_model=chosen))
    sound(at.button(key="run").click().run())
    session = query(at)["session"]
    finish(manager, PIPELINE, session)
    begun = started(manager, PIPELINE, session)
    assert begun["model"] == "simulated"
    assert begun["agent_models"] == {"InitialWriterAgent": "simulated", "CriticAgent": "simulated"}
    sound(at.run().button(key="agent_model_none").click().run())
    sound(at.button(key="again").click().run())
    finish(manager, PIPELINE, session)
    assert not started(manager, PIPELINE, session).get("agent_models")


def test_the_preferences_are_where_it_starts_and_the_page_can_go_back_to_the_runs_model(manager):
    manager.models.change(agent_models={PIPELINE: {"CriticAgent": "gemini-pro-latest", "Gone": "x"}})
    at = sound(with_setup())
    assert at.selectbox(key=CRITIC).value == "gemini-pro-latest"
    assert ":blue-badge[1 agent]" in words(at)
    at.selectbox(key=CRITIC).set_value("").run()
    assert query(sound(at))["agent_model"] == "CriticAgent:"
    assert "-badge[1 agent]" not in words(at)
    sound(at.button(key="run").click().run())
    session = query(at)["session"]
    finish(manager, PIPELINE, session)
    assert not started(manager, PIPELINE, session).get("agent_models")
    sound(at.run().button(key="agent_model_none").click().run())
    assert at.selectbox(key=now(at, CRITIC)).value == "gemini-pro-latest"


def test_an_agent_that_is_not_there_is_said_and_left_out(manager):
    at = sound(with_setup(agent_model=["Nobody:x", "*CriticAgent*"]))
    assert "“Nobody”" in said(at)
    assert "-badge[1 agent]" not in words(at)
    assert not at.button(key="run").disabled


def test_models_of_agents_stay_in_their_pipeline(manager):
    at = sound(with_setup(agent_model="CriticAgent:simulated"))
    at.button(key="run").click().run()
    assert query(sound(at))["agent_model"] == "CriticAgent:simulated"
    manager.stop(PIPELINE, query(at)["session"])
    at.run().selectbox(key="pipeline_choice").set_value("status_poller").run()
    assert "agent_model" not in query(sound(at))


def test_a_pipeline_without_agents_that_ask_a_model_has_no_such_panel(tmp_path, quiet_world):
    (tmp_path / "silent").mkdir()
    (tmp_path / "silent" / "__init__.py").write_text("")
    (tmp_path / "silent" / "agent.py").write_text("from agents import LoopAgent\nroot_agent = LoopAgent(name='Silent')\n")
    runs.adopt(Workspace(None, agents_dir=tmp_path))
    try:
        at = sound(with_setup(pipeline="silent"))
        assert "-badge[1 agent]" not in words(at)
        assert tabs(at) == ["About", "Faults"]
    finally:
        runs.close()


@pytest.mark.parametrize(
    ("agents", "named", "simulated"),
    [
        ("[LlmAgent(name='A', model='gemini-flash-latest')]", "The agents' own models", 0),
        ("[LlmAgent(name='A', model='gemini-flash-latest'), LlmAgent(name='B')]", "Simulated model", 1),
    ],
)
def test_a_model_that_no_agent_asks_is_not_named(tmp_path, quiet_world, agents, named, simulated):
    """An agent's own Gemini answers and costs money: what is chosen for the others says nothing of it."""
    (tmp_path / "own").mkdir()
    source = f"from agents import LlmAgent, SequentialAgent\nroot_agent = SequentialAgent(name='S', sub_agents={agents})\n"
    (tmp_path / "own" / "agent.py").write_text(source)
    runs.adopt(Workspace(None, agents_dir=tmp_path))
    try:
        at = sound(page(pipeline="own", model="simulated"))
        picker = at.selectbox(key="model_choice")
        assert picker.format_func("simulated") == named
        assert badges(at) == [":orange-badge[simulated]"] * simulated
        assert ":blue-badge[own models]" in [m.value for m in at.markdown]
    finally:
        runs.close()


# Replays.


@pytest.fixture
def recorded(manager):
    """A session of two runs."""
    session = manager.start(PIPELINE, "a [baker](x) *who*").session_id
    finish(manager, PIPELINE, session)
    manager.start(PIPELINE, "a second baker", session_id=session)
    finish_second(manager, session)
    return session


def finish_second(manager, session):
    """Returns when the session's second run is over."""

    async def watch() -> None:
        ended = 0
        async with aclosing(manager.subscribe(PIPELINE, session)) as items:
            async for item in items:
                ended += sum(entry.kind == "run_finished" for entry in getattr(item, "entries", ()))
                if ended == 2:
                    return

    asyncio.run(watch())


def test_a_session_is_replayed_from_its_menu(manager, recorded):
    at = sound(page(session=recorded))
    sound(at.button(key=f"replay_{recorded}").click().run())
    assert query(at) == {"pipeline": PIPELINE, "model": f"replay/{PIPELINE}/{recorded}"}
    assert badges(at) == [":orange-badge[replayed]"]
    assert "Recorded next: “a [baker](x) *who*”" in words(at)
    sound(at.button(key="run").click().run())
    replaying = query(at)["session"]
    finish(manager, PIPELINE, replaying)
    (found,) = [session for session in manager.sessions.summaries() if session.id == replaying]
    assert (found.status, found.title) == ("completed", "a [baker](x) *who*")
    assert "“a second baker”" in words(sound(at.run()))
    sound(at.button(key="say_recorded").click().run())
    finish_second(manager, replaying)
    assert "no message left" in words(sound(at.run()))
    assert "▶ Say it" not in labels(at)


def test_a_replay_answers_for_agents_that_prefer_another_model_and_not_for_those_of_the_page(manager, recorded):
    manager.models.change(agent_models={PIPELINE: {"CriticAgent": "gemini-pro-latest"}})
    replay = f"replay/{PIPELINE}/{recorded}"
    assert "Setup" in popovers(sound(page(model=replay)))
    at = sound(page(model=replay, agent_model="CriticAgent:simulated"))
    assert badges(at) == [":orange-badge[simulated]", ":orange-badge[replayed]"]


def test_a_record_that_is_not_there_offers_nothing_to_run(manager):
    at = sound(page(model=f"replay/{PIPELINE}/gone"))
    assert "no message left" in words(at)
    assert at.button(key="run").disabled


# A fork's models.


def forked(manager, *changes):
    run = manager.start(PIPELINE, "the sea", model="simulated")
    finish(manager, PIPELINE, run.session_id)
    last = manager.sessions.log(PIPELINE, run.session_id)[-1].seq
    [fork] = runs.workspace().forks.rerun(PIPELINE, run.session_id, at=last, changes=changes)
    return fork


def test_a_forks_own_model_is_shown_whatever_the_address_says_and_it_is_the_one_that_runs(manager):
    fork = forked(manager, ModelChange(model="simulated"))
    at = sound(page(pipeline=PIPELINE, session=fork, model="gemini-pro-latest"))
    picker = at.selectbox(key="model_choice")
    assert (picker.value, picker.disabled) == ("simulated", True)
    assert badges(at) == [":orange-badge[simulated]"]
    assert ":blue-badge[fork's model]" in [found.value for found in at.markdown]
    assert "Settings page" not in said(at), "the model without a key is not asked"
    at.chat_input(key="message").set_value("the hills").run()
    finish(manager, PIPELINE, fork)
    assert started(manager, PIPELINE, fork)["model"] == "simulated"


def test_a_forks_model_of_one_agent_is_shown_and_the_run_keeps_its_own(manager):
    fork = forked(manager, ModelChange(model="ollama/other", agent="CriticAgent"))
    at = sound(with_setup(pipeline=PIPELINE, session=fork))
    assert (at.selectbox(key=CRITIC).value, at.selectbox(key=CRITIC).disabled) == ("ollama/other", True)
    assert not at.selectbox(key="model_choice").disabled
    assert "this fork's, for its whole life" in words(at)


def test_a_fork_with_the_models_of_its_origin_and_a_fork_that_cannot_be_read_leave_the_picker_alone(manager, monkeypatch):
    fork = forked(manager)
    assert not sound(page(pipeline=PIPELINE, session=fork, model="gemini-pro-latest")).selectbox(key="model_choice").disabled

    def unreadable(*_):
        raise ForkError("by a newer version")

    monkeypatch.setattr(runs.workspace().forks, "models", unreadable)
    at = sound(page(pipeline=PIPELINE, session=fork, model="gemini-pro-latest"))
    assert at.selectbox(key="model_choice").value == "gemini-pro-latest"
