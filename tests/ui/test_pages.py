"""The Playground page, run without a browser."""

from __future__ import annotations

import pytest

from agents.access import OWNER
from agents.errors import DatabaseError
from agents.runs.engine import RunEngine
from agents.runs.values import SessionKey
from agents.workspace import Workspace
from tests.ui.stage import finish, labels, listed, page, query, said, sound, words
from ui.state import runs

BROKEN = "import nothingofthatname\n"
OWN = """
from agents import LlmAgent
root_agent = LlmAgent(name="Mine", instruction="Answer.")
"""

pytestmark = pytest.mark.usefixtures("quiet_world")


def test_the_first_screen_has_a_pipeline_samples_and_a_run_button(manager):
    at = sound(page())
    assert at.selectbox(key="pipeline_choice").value == "iterative_writing"
    assert at.selectbox(key="model_choice").value == "simulated"
    assert at.button(key="run").label == "▶ Run"
    samples = manager.catalog.get("iterative_writing").card.samples
    assert len([label for label in labels(at) if label.startswith("▶ ")]) == len(samples) + 1
    assert not query(at)
    assert not said(at)


def test_one_click_runs_the_first_sample_and_the_address_names_the_session(slow_manager):
    at = sound(page())
    sound(at.button(key="run").click().run())
    (session,) = slow_manager.sessions.summaries("iterative_writing")
    assert session.title == slow_manager.catalog.get("iterative_writing").card.samples[0]
    assert query(at) == {"pipeline": "iterative_writing", "session": session.id}
    assert at.button(key="stop").label == "■ Stop"
    assert at.chat_input[0].disabled


def test_stop_ends_the_run_and_gives_way_to_run_again(slow_manager):
    at = sound(page())
    at.button(key="run").click().run()
    sound(at.button(key="stop").click().run())
    assert [session.status for session in slow_manager.sessions.summaries()] == ["stopped"]
    assert at.button(key="again").label == "↻ Run again"
    assert "■ Stop" not in labels(at)


def test_a_second_page_of_a_running_session_shows_stop_too(slow_manager):
    at = sound(page())
    at.button(key="run").click().run()
    other = sound(page(**query(at)))
    other.button(key="stop").click().run()
    assert "↻ Run again" in labels(sound(at.run()))


def test_a_page_that_is_drawn_while_an_ended_run_is_put_away_takes_the_next_message(manager, monkeypatch):
    at = sound(page())
    at.button(key="run").click().run()
    session = query(at)["session"]
    finish(manager, "iterative_writing", session)
    manager.stop("iterative_writing", session)  # returns once it is put away
    monkeypatch.setattr(RunEngine, "running", lambda _: [SessionKey("iterative_writing", session, OWNER.id)])
    at = sound(at.run())
    assert not at.chat_input[0].disabled
    assert "■ Stop" not in labels(at)


def test_run_again_runs_the_last_message_in_the_same_session(manager):
    at = sound(page())
    at.button(key="run").click().run()
    finish(manager, "iterative_writing", query(at)["session"])
    before = manager.sessions.summaries()[0].events
    sound(at.run().button(key="again").click().run())
    manager.stop("iterative_writing", query(at)["session"])
    (session,) = manager.sessions.summaries()
    assert session.events > before


def test_a_typed_message_runs_in_the_open_session(manager):
    at = sound(page())
    at.chat_input[0].set_value("a baker who cannot sleep").run()
    first = query(sound(at))["session"]
    finish(manager, "iterative_writing", first)
    at.run().chat_input[0].set_value("another baker").run()
    assert query(sound(at))["session"] == first
    assert [session.title for session in manager.sessions.summaries()] == ["a baker who cannot sleep"]


@pytest.mark.parametrize(("text", "words"), [("   ", "empty"), ("x" * 70_000, "64 KiB")])
def test_a_message_that_cannot_be_run_is_explained_and_kept(manager, text, words):
    at = sound(page())
    at.chat_input[0].set_value(text).run()
    assert words in said(sound(at))
    assert manager.sessions.summaries() == []
    assert at.chat_input[0].proto.value == text  # what the browser puts back into the input
    at.chat_input[0].set_value("something").run()
    assert not said(sound(at))


def test_picking_a_pipeline_shows_its_own_sessions_and_samples(manager):
    manager.sessions.create("status_poller", session_id="other")
    at = sound(page())
    assert listed(at)["rows"] == []
    at.selectbox(key="pipeline_choice").set_value("status_poller").run()
    assert query(sound(at)) == {"pipeline": "status_poller"}
    assert [row["id"] for row in listed(at)["rows"]] == ["other"]
    assert listed(at)["pipeline"] == "status_poller"


def test_the_list_has_a_row_for_each_session_and_the_open_one(manager):
    run = manager.start("iterative_writing", "the sea")
    finish(manager, run.pipeline, run.session_id)
    manager.sessions.create("iterative_writing", session_id="empty")
    found = listed(sound(page(session=run.session_id)))
    assert [(row["title"], row["outcome"], row["model"]) for row in found["rows"]] == [
        ("Untitled session", "○ not run yet", ""),
        ("the sea", "✓ completed", ""),
    ]
    assert (found["session"], found["total"]) == (run.session_id, 2)
    assert dict(found["pipelines"])["iterative_writing"] == "Iterative writing"


def test_a_new_session_leaves_the_open_one(manager):
    manager.sessions.create("iterative_writing", session_id="mine")
    at = sound(page(session="mine"))
    assert listed(at)["session"] == "mine"
    at.button(key="new_session").click().run()
    assert query(sound(at)) == {"pipeline": "iterative_writing"}
    assert listed(at)["session"] is None


def test_of_many_sessions_the_list_is_given_the_newest(manager):
    for number in range(120):
        manager.sessions.create("iterative_writing", session_id=f"s{number}")
    found = listed(sound(page()))
    assert (len(found["rows"]), found["rows"][0]["id"], found["total"]) == (40, "s119", 120)


def test_a_session_can_be_renamed(manager):
    manager.sessions.create("iterative_writing", session_id="mine")
    at = sound(page(session="mine"))
    at.text_input(key="title_mine").set_value("  A better\n title ").run()
    assert manager.sessions.summaries()[0].title == "A better title"
    sound(at).text_input(key="title_mine").set_value(" ").run()
    assert manager.sessions.summaries()[0].title == "A better title"


def test_deleting_asks_once_and_can_be_undone(manager):
    manager.sessions.create("iterative_writing", session_id="mine")
    at = sound(page(session="mine"))
    at.button(key="delete_mine").click().run()
    assert len(manager.sessions.summaries()) == 1
    at.button(key="keep_mine").click().run()
    at.button(key="delete_mine").click().run()
    at.button(key="really_mine").click().run()
    assert manager.sessions.summaries() == []
    assert query(sound(at)) == {"pipeline": "iterative_writing"}
    at.button(key="undo_delete").click().run()
    assert [session.id for session in manager.sessions.summaries()] == ["mine"]
    assert query(sound(at))["session"] == "mine"


def test_an_unknown_pipeline_in_the_address_is_explained(manager):
    at = sound(page(pipeline="![x](http://example.com/x.png)"))
    assert "There is no pipeline named" in said(at)
    assert "![x](" not in at.warning[0].value
    at.button(key="leave_banana_painter").click().run()
    assert sound(at).selectbox(key="pipeline_choice").value == "banana_painter"


def test_an_unknown_session_in_the_address_is_explained(manager):
    at = sound(page(pipeline="iterative_writing", session="gone", event="5"))
    assert "not here" in said(at)
    assert at.chat_input[0].disabled
    at.button(key="leave").click().run()
    assert query(sound(at)) == {"pipeline": "iterative_writing"}
    assert not said(at)


@pytest.mark.parametrize("junk", ["-1", "x", "1e9", "9" * 40, "⁵", ""])
def test_a_senseless_event_or_tab_in_the_address_does_no_harm(manager, junk):
    manager.sessions.create("iterative_writing", session_id="mine")
    sound(page(session="mine", event=junk, tab=junk))


def test_a_model_without_a_key_says_how_to_get_one_and_cannot_run(manager):
    at = sound(page())
    at.selectbox(key="model_choice").set_value("gemini-flash-latest").run()
    assert "GOOGLE_API_KEY" in said(sound(at))
    assert at.button(key="run").disabled
    assert at.chat_input[0].disabled
    assert query(at)["model"] == "gemini-flash-latest"
    at.selectbox(key="model_choice").set_value("simulated").run()
    assert "model" not in query(sound(at))


def test_a_model_with_a_key_can_run_and_is_not_called_simulated(manager, monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "test")
    at = sound(page(model="gemini-flash-latest"))
    assert not at.button(key="run").disabled
    assert not [element for element in at.markdown if "badge[simulated]" in element.value]
    assert [element for element in sound(page()).markdown if "badge[simulated]" in element.value]


def test_a_run_that_another_page_began_is_not_begun_twice(slow_manager):
    at = sound(page())
    at.chat_input[0].set_value("one").run()
    session = query(at)["session"]
    actions_at = sound(page(session=session))
    slow_manager.stop("iterative_writing", session)
    actions_at.run()
    slow_manager.rerun("iterative_writing", session)
    actions_at.button(key="again").click().run()
    assert "running" in said(sound(actions_at)) or "run" in said(actions_at)
    assert "■ Stop" in labels(actions_at)


@pytest.fixture
def unusable(tmp_path):
    """A file that is no database."""
    file = tmp_path / "notes.db"
    file.write_text("these are notes, not a database " * 40)
    runs.configure(database=file)
    yield file
    runs.close()
    runs.configure()


def test_a_database_that_cannot_be_used_is_explained_and_tried_again(unusable):
    at = sound(page())
    assert "cannot be opened" in said(at)
    assert unusable.name in words(at)
    unusable.unlink()
    sound(at.button(key="try_again").click().run())
    assert at.button(key="run").label == "▶ Run"


@pytest.fixture
def in_file(tmp_path):
    """A database of its own, in a file."""
    file = tmp_path / "sessions.db"
    runs.configure(database=file)
    yield file
    runs.close()
    runs.configure()


def test_a_database_that_is_gone_can_be_begun_anew(in_file):
    sound(page())
    for file in in_file.parent.glob(f"{in_file.name}*"):
        file.unlink()
    at = sound(page())
    assert "cannot be opened" in said(at)
    assert "moved or deleted" in said(at)
    assert not in_file.exists()
    sound(at.button(key="make_database").click().run())
    assert at.button(key="run").label == "▶ Run"
    assert in_file.exists()


def test_a_database_that_stops_answering_is_explained(manager, monkeypatch):
    def locked(*_, **__):
        raise DatabaseError("The database is locked. Close the other program.")

    monkeypatch.setattr(type(manager.sessions), "page", locked)
    assert "locked" in said(sound(page()))


def test_broken_pipelines_of_a_persons_own_show_why_and_harm_nothing(tmp_path):
    for name, code in (("broken", BROKEN), ("mine", OWN)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
        (tmp_path / name / "agent.py").write_text(code)
    runs.adopt(Workspace(None, agents_dir=tmp_path))
    try:
        at = sound(page(pipeline="mine"))
        assert at.selectbox(key="pipeline_choice").value == "mine"
        assert "nothingofthatname" in "".join(element.value for element in (*at.sidebar.code, *at.sidebar.markdown))
        shown = sound(page(pipeline="broken"))
        assert "nothingofthatname" in "".join(element.value for element in (*shown.code, *shown.markdown, *shown.error))
    finally:
        runs.close()
