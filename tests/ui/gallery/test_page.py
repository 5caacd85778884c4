"""The Gallery, run without a browser."""

from __future__ import annotations

import pytest

from agents.pipelines.catalog import BUILT_IN
from agents.workspace import Workspace
from tests.ui.stage import gallery, labels, links, opened, page, query, said, sound, words
from ui.state import runs
from ui.state.options import families

pytestmark = pytest.mark.usefixtures("quiet_world")


def cards(at) -> list[str]:
    """Names of the pipelines that have a card on the page, in order."""
    titles = {runs.manager().catalog.get(name).card.title: name for name in runs.manager().catalog.names()}
    return [titles[label.strip("*")] for label in links(at) if label.strip("*") in titles]


def diagrams(at) -> list[str]:
    return [found.proto.body for found in at.get("html") if 'class="diagram' in found.proto.body]


def test_every_pattern_has_a_card_with_diagram_summary_and_link(manager):
    at = sound(gallery())
    loaded = [name for name in manager.catalog.names() if name not in manager.catalog.broken]
    assert sorted(cards(at)) == sorted(loaded)
    assert len(diagrams(at)) == len(loaded)
    for name in loaded:
        card = manager.catalog.get(name).card
        assert card.summary in words(at)
        assert f"pipeline={name}" in links(at)[f"**{card.title}**"]


def test_cards_stand_by_family(manager):
    at = sound(gallery())
    expected = [p.name for pipelines in families.by_family(manager.catalog).values() for p in pipelines]
    assert cards(at) == expected
    for family in families.by_family(manager.catalog):
        assert families.FAMILIES[family] in words(at)


def test_patterns_stand_from_easy_to_hard(manager):
    order = list(families.by_family(manager.catalog))
    assert order.index("In order") < order.index("Loops") < order.index("Routing") < order.index("Learning")
    assert order[-1] == "Learning"


def test_the_search_finds_by_words_of_card_lesson_and_agents(manager):
    at = sound(gallery())
    at.text_input(key="find").set_value("CRITIC draft").run()
    assert "iterative_writing" in cards(sound(at))
    assert "banana_painter" not in cards(at)
    at.text_input(key="find").set_value("PollingWorker").run()
    assert cards(sound(at)) == ["status_poller"]


def test_a_search_that_finds_nothing_says_so_and_leads_back(manager):
    at = sound(gallery())
    at.text_input(key="find").set_value("no such *pattern*").run()
    assert cards(sound(at)) == []
    assert "No pattern has “no such *pattern*”" in said(at)
    at.button(key="find_nothing").click().run()
    assert cards(sound(at))


def test_a_pattern_shows_lesson_diagram_source_and_samples(manager):
    at = sound(gallery(pipeline="iterative_writing"))
    card = manager.catalog.get("iterative_writing").card
    assert card.lesson.strip() in [element.value.strip() for element in at.markdown]
    assert len(diagrams(at)) == 1
    assert at.tabs[0].label.replace("\\", "").split(" ·")[0] == "agent.py"
    [code] = [element for element in at.get("html") if 'aria-label="agent.py"' in element.proto.body]
    assert "root_agent" in code.proto.body
    assert code.proto.body.count('class="note"') == len([h for h in card.highlights if h.file == "agent.py"])
    for sample in card.samples:
        assert f"▶ {sample}" in [label.replace("\\", "") for label in labels(at)]


def test_run_it_runs_the_sample_in_the_playground(manager):
    at = sound(gallery(pipeline="iterative_writing"))
    sound(at.button(key="run_sample_1").click().run())
    [session] = manager.sessions.summaries()
    assert session.title == manager.catalog.get("iterative_writing").card.samples[1]
    assert at.selectbox(key="pipeline_choice").value == "iterative_writing"
    assert query(at) == {"pipeline": "iterative_writing", "session": session.id, "tab": "lesson"}


def started_with(manager, session) -> dict:
    entries = manager._thread.call(
        manager._service.read_log, app_name=session.app_name, user_id="person", session_id=session.id
    )
    return next(entry.fields() for entry in entries if entry.kind == "run_started")


def test_every_break_of_every_pattern_runs_with_its_faults_and_settings(manager):
    broken = [
        (name, number)
        for name in manager.catalog.names()
        if name not in manager.catalog.broken
        for number in range(len(manager.catalog.get(name).card.breaks))
    ]
    assert broken
    at = gallery()
    for name, number in broken:
        what = manager.catalog.get(name).card.breaks[number]
        at.query_params.clear()
        at = sound(opened(at.switch_page("gallery.py"), {"pipeline": name}))  # as a person would, in one tab
        assert what.look_for in words(at)
        sound(at.button(key=f"break_it_{number}").click().run())
        session = next(s for s in manager.sessions.summaries(name) if s.id == query(at)["session"])
        assert started_with(manager, session).get("faults", []) == [str(fault) for fault in what.faults]
        assert {key: manager.sessions.state(name, session.id)[key] for key in what.settings} == dict(what.settings)
        given = query(at).get("fault", [])
        assert len([given] if isinstance(given, str) else given) == len(what.faults)
        manager.stop(name, session.id)


def test_what_cannot_be_run_is_explained_where_it_was_asked(manager, monkeypatch):
    from agents.errors import MessageError

    def refuse(*_, **__):
        raise MessageError("The message is too long. Shorten it.")

    monkeypatch.setattr(manager, "start", refuse)
    at = sound(gallery(pipeline="iterative_writing"))
    at.button(key="run_it").click().run()
    assert "Shorten it" in said(sound(at))
    assert query(at)["pipeline"] == "iterative_writing"


def test_a_model_without_a_key_cannot_be_run_from_here(manager):
    at = sound(gallery(pipeline="iterative_writing", model="gemini-flash-latest"))
    assert at.button(key="run_it").disabled
    assert "GOOGLE_API_KEY" in said(at)


def test_the_pages_lead_to_each_other_and_lose_nothing(manager):
    manager.sessions.create("status_poller", session_id="mine")
    at = sound(page(pipeline="status_poller", session="mine", model="gemini-pro-latest", fault=["A:refuse:1", "B:refuse:2"]))
    assert links(at)["Gallery"] == "model=gemini-pro-latest"
    at = sound(at.switch_page("gallery.py").run())
    assert links(at)["Playground"].startswith("pipeline=status_poller&session=mine&model=gemini-pro-latest&fault=A")


def test_an_unknown_pattern_is_explained(manager):
    at = sound(gallery(pipeline="gone"))
    assert "There is no pipeline named gone" in said(at)


@pytest.fixture
def own(tmp_path):
    sources = {
        "broken": "import nothing_of_that_name\n",
        "mine": 'from agents import LlmAgent\nroot_agent = LlmAgent(name="Mine", instruction="<b>Answer</b>.")\n',
    }
    for name, code in sources.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "agent.py").write_text(code)
    runs.adopt(Workspace(None, agents_dir=tmp_path))
    yield runs.manager()
    runs.close()


def test_a_persons_own_pipelines_come_first_and_broken_ones_show_why(own):
    at = sound(gallery())
    assert cards(at)[0] == "mine"
    assert families.FAMILIES[families.OWN] in words(at)
    assert "nothing_of_that_name" in words(at)
    at = sound(gallery(pipeline="mine"))
    assert any("&lt;b&gt;Answer" in element.proto.body for element in at.get("html"))
    assert "nothing_of_that_name" in words(sound(gallery(pipeline="broken")))


def test_what_the_review_finds_stands_below_the_lesson(own, tmp_path):
    (tmp_path / "mine" / "agent.py").write_text(
        'from agents import LlmAgent\nroot_agent = LlmAgent(name="Mine", instruction="Write about {topik}, <b>now</b>.")\n'
    )
    at = sound(gallery(pipeline="mine"))
    assert "Nobody writes the state key {topik}" in words(at)
    assert "ends the run" in words(at)


def test_a_pipeline_of_ones_own_without_a_problem_says_so(own):
    assert "nothing was found" in words(sound(gallery(pipeline="mine")))
    assert "nothing was found" not in words(sound(gallery(pipeline="iterative_writing")))


def test_families_are_told_by_how_a_tree_is_built(manager):
    catalog = manager.catalog
    known = {
        "iterative_writing": "Loops",
        "banana_painter": "Loops",
        "status_poller": "Loops",
        "code_refinement": "Loops",
        "fact_check": "In order",
        "data_pipeline": "In order",
        "research_fanout": "In order",
        "report_writer": "Tools and delegation",
        "help_desk": "Tools and delegation",
        "tool_loop": "Tools and delegation",
        "approval": "A person in the loop",
        "routed_ab": "Routing",
        "routed_fallback": "Routing",
        "complexity_router": "Routing",
        "routed_llm": "Routing",
        "planning_mode": "Routing",
        "ace": "Learning",
        "parcel_desk": "Graphs",
        "hike_plan": "Graphs",
        "invitation": "Graphs",
    }
    names = [name for name in BUILT_IN if name not in catalog.broken]
    assert {name: families.family_of(catalog.get(name)) for name in names} == {name: known[name] for name in names}


def test_the_picker_has_families_side_by_side_and_loses_nobody(manager):
    at = sound(page())
    order = families.in_order(manager.catalog, list(manager.catalog.names()))
    loaded = [manager.catalog.get(name) for name in order if name not in manager.catalog.broken]
    labels = [f"{pipeline.card.title} · {families.family_of(pipeline)}" for pipeline in loaded]
    assert at.selectbox(key="pipeline_choice").options == labels


def test_no_word_of_the_address_gets_into_a_script(manager):
    for name in ("*/alert(1)/*", "</script><script>alert(1)</script>"):
        at = gallery(pipeline=name)
        drawn = [element.proto.body for element in at.get("html")]
        assert drawn
        assert not [body for body in drawn if "<script" in body or "alert" in body]
