"""The Sessions page, run without a browser: what it draws and what it does."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from agents.access import visitor
from agents.comparison import GrowingComparison
from agents.errors import DatabaseError
from agents.models import Price
from agents.runs.collection.desk import CollectionDesk
from agents.sharing import export_session
from tests.ui.playbook.stage import html, notice
from tests.ui.stage import SCRIPT, finish, labels, links, opened, query, said, sound, words
from ui.access import identity
from ui.session_list.act import Act
from ui.sessions import comparison_view
from ui.sessions import page as page_module

PIPELINE = "status_poller"


def sessions_page(**address: str) -> AppTest:
    at = AppTest.from_file(SCRIPT, default_timeout=30).run()
    return opened(at.switch_page("sessions.py"), address)


def make(manager, *names: str, pipeline: str = PIPELINE) -> list[tuple[str, str]]:
    for name in names:
        manager.sessions.create(pipeline, session_id=name)
    return [(pipeline, name) for name in names]


def clean_up_page() -> AppTest:
    """The page with *Clean up* open."""
    at = sessions_page()
    at.session_state["clean_up_sessions"] = True
    return at.run()


@pytest.fixture
def ask(monkeypatch):
    """A button in the place of the list: clicked, it asks for what the test says."""
    asked: list[Act] = []

    def draw(*, on_act, **more):
        st.button("act", key="act", on_click=lambda: on_act(asked[-1]))
        st.caption(f"version {more['version']}")

    monkeypatch.setattr(page_module, "full_list", draw)

    def act(at: AppTest, **what) -> AppTest:
        asked.append(Act(**what))
        return sound(at.button(key="act").click().run())

    return act


def test_without_a_session_the_page_says_what_one_is(manager):
    at = sound(sessions_page())
    assert "A **session** is one conversation" in words(at)
    assert "▶ Run a pipeline" in links(at)
    assert "Sessions" in links(at)


def test_a_session_is_renamed_and_tagged(manager, ask):
    [key] = make(manager, "one")
    at = sound(sessions_page())
    ask(at, kind="rename", sessions=(key,), title=" A better\n title ")
    ask(at, kind="rename", sessions=(key,), title="  ")
    ask(at, kind="tag", sessions=(key,), add=("good", " "), remove=("bad",))
    assert manager.sessions.summaries()[0].title == "A better title"
    assert manager.collection.tags() == {key: ("good",)}
    assert "version 3" in words(at)


def test_what_is_deleted_can_be_brought_back(manager, ask):
    keys = make(manager, "one", "two", "three")
    at = sound(sessions_page())
    ask(at, kind="delete", sessions=tuple(keys[:2]))
    assert [row.id for row in manager.sessions.summaries()] == ["three"]
    assert notice(at) == ":green[✓] Deleted 2 sessions."
    sound(at.button(key="undo_sessions").click().run())
    assert len(manager.sessions.summaries()) == 3
    assert notice(at) == ":green[✓] Brought 2 sessions back."
    assert "Undo" not in labels(at)


def test_deleted_sessions_are_listed_even_if_none_is_left(manager, ask):
    keys = make(manager, "one", "two")
    at = sound(sessions_page())
    ask(at, kind="delete", sessions=tuple(keys))
    at = sound(sessions_page())
    assert "A **session** is one conversation" not in words(at)
    sound(at.button(key=f"restore_{PIPELINE}_two").click().run())
    assert [row.id for row in manager.sessions.summaries()] == ["two"]
    ask(at, kind="delete", sessions=(keys[1],))
    sound(at.button(key="restore_all").click().run())
    assert len(manager.sessions.summaries()) == 2


def test_a_clean_up_shows_what_it_does_and_can_be_undone(manager, ask):
    keys = make(manager, "gone", "old", "tagged")
    manager.collection.tag([keys[2]], add=["keep"])
    manager.collection.delete([keys[0]])
    at = sound(clean_up_page())
    assert "**0 sessions** would be deleted" in words(at)
    at.selectbox(key="clean_up_age").set_value(0).run()
    assert "**1 session** would be deleted" in words(sound(at))
    assert "**1 session** deleted before would be removed for good" in words(at)
    sound(at.button(key="clean_up_now").click().run())
    assert [row.id for row in manager.sessions.summaries()] == ["tagged"]
    assert [row.id for row in manager.collection.deleted()] == ["old"]
    sound(at.button(key="undo_sessions").click().run())
    assert {row.id for row in manager.sessions.summaries()} == {"old", "tagged"}


def test_what_a_clean_up_would_do_is_looked_for_once_it_is_opened(manager, ask, monkeypatch):
    make(manager, "one")
    monkeypatch.delattr(CollectionDesk, "preview_clean_up")
    sound(sessions_page())


def test_a_clean_up_takes_the_age_that_is_chosen_at_the_click(manager):
    make(manager, "gone", "new")
    manager.sessions.delete(PIPELINE, "gone")
    at = sound(clean_up_page())
    at.selectbox(key="clean_up_age").set_value(0)
    sound(at.button(key="clean_up_now").click().run())
    assert [row.id for row in manager.collection.deleted()] == ["new"]


def test_an_undo_after_a_clean_up_in_another_tab_says_that_it_is_too_late(manager, ask):
    [key] = make(manager, "one")
    at = sound(sessions_page())
    ask(at, kind="delete", sessions=(key,))
    manager.collection.clean_up(0.0)
    sound(at.button(key="undo_sessions").click().run())
    assert "1 session cannot be brought back: a clean-up has removed them for good." in said(at)


def test_a_session_that_is_gone_is_said_to_be(manager, ask):
    keys = make(manager, "one", "two")
    at = sound(sessions_page())
    manager.sessions.delete(*keys[0])
    ask(at, kind="tag", sessions=(keys[0],), add=("a",))
    assert "There is no session 'one'" in said(at)
    ask(at, kind="delete", sessions=(keys[0],))
    assert notice(at) == ":green[✓] Deleted 0 sessions."


def test_a_visitor_changes_nothing(manager, ask, monkeypatch, visit):
    keys = make(manager, "one", "two")
    manager.collection.delete([keys[1]])
    monkeypatch.setattr(identity, "current", lambda: visitor("ann"))
    visit()
    at = sound(clean_up_page())
    for what in (
        {"kind": "delete"},
        {"kind": "rename", "title": "x"},
        {"kind": "tag", "add": ("a",)},
    ):
        ask(at, sessions=(keys[0],), **what)
        assert "A visitor may not" in said(at)
    assert [(row.id, row.title) for row in manager.sessions.summaries()] == [("one", "")]
    assert manager.collection.tags() == {}
    disabled = {button.key for button in at.button if button.disabled}
    assert {"clean_up_now", "import_session"} <= disabled
    assert f"restore_{PIPELINE}_two" not in {button.key for button in at.button}, "what others deleted is not shown"


def test_opening_leads_to_the_playground(manager, ask):
    [key] = make(manager, "one")
    at = sound(sessions_page())
    ask(at, kind="open", sessions=(key,))
    assert query(at) == {"pipeline": PIPELINE, "session": "one"}
    assert at.selectbox(key="pipeline_choice").value == PIPELINE


def test_a_database_that_cannot_be_read_is_explained(manager, monkeypatch):
    make(manager, "one")

    def broken(self):
        raise DatabaseError("The database is damaged.")

    monkeypatch.setattr(CollectionDesk, "deleted", broken)
    assert "The sessions cannot be read" in said(sound(sessions_page()))


# Comparison


def test_selected_sessions_are_compared_and_the_list_is_a_click_away(manager, ask):
    keys = make(manager, "a,b", "c:d %")
    at = sound(sessions_page())
    ask(at, kind="compare", sessions=tuple(keys))
    assert "They are the same" in words(at)
    assert html(at).count("<th scope=") == 2
    sound(at.button(key="leave_comparison").click().run())
    assert query(at) == {}


def test_a_comparison_shows_where_sessions_part(manager):
    make(manager, "one", "two")
    manager.sessions.set_state(PIPELINE, "one", {"lamp": "dark <b>night</b>"})
    manager.sessions.set_state(PIPELINE, "two", {"lamp": "dark <b>day</b>"})
    at = sound(sessions_page(compare=f"{PIPELINE}:one,{PIPELINE}:two"))
    assert "They part at **user**: other state." in words(at)
    shown = html(at)
    assert "<del>night</del>" in shown
    assert "<ins>day</ins>" in shown
    assert "&lt;b&gt;" in shown
    assert f'href="./?pipeline={PIPELINE}&amp;session=two&amp;at=1"' in shown
    assert "Start state" not in shown
    sound(at.toggle(key="compare_differs").set_value(False).run())
    assert "Start state" in html(at)


@pytest.mark.parametrize("compare", ["x", "gone,also gone", f"{PIPELINE}:one,{PIPELINE}:one", ",,,", ":", "%", "one"])
def test_an_address_that_names_no_two_sessions_is_explained(manager, compare):
    make(manager, "one")
    at = sound(sessions_page(compare=compare))
    assert "A comparison needs two sessions" in said(at)
    assert at.button(key="leave_comparison")


def test_a_session_that_was_deleted_is_named(manager):
    make(manager, "one", "two", "gone")
    manager.sessions.delete(PIPELINE, "gone")
    at = sound(sessions_page(compare=f"one,{PIPELINE}:two,{PIPELINE}:gone"))
    assert "There is no session gone; it may have been deleted." in said(at)
    assert "They are the same" in words(at)


def test_a_session_that_runs_is_compared_as_far_as_it_is(slow_manager):
    runs = [slow_manager.start("iterative_writing", "the sea") for _ in range(2)]
    address = ",".join(run.session_id for run in runs)
    at = sound(sessions_page(compare=address))
    assert html(at).count("● running") == 2
    assert "They are the same so far" in words(at)
    for run in runs:
        slow_manager.stop(run.pipeline, run.session_id)
    assert html(sound(at.run())).count("■ stopped") == 2
    assert "the sea" in html(at)


def test_a_comparison_that_is_drawn_again_reads_what_is_new(manager, monkeypatch):
    make(manager, "one", "two")
    at = sound(sessions_page(compare=f"{PIPELINE}:one,{PIPELINE}:two"))
    read, take = [], GrowingComparison.take
    monkeypatch.setattr(GrowingComparison, "take", lambda self, more: read.append(list(map(len, more))) or take(self, more))
    at = sound(at.run())
    manager.sessions.set_state(PIPELINE, "two", {"lamp": "dark"})
    at = sound(at.run())
    assert read == [[0, 0], [0, 1]]
    assert "They part at **user**" in words(at)


def test_a_new_price_is_in_the_comparison_at_once(manager):
    make(manager, "one", "two")
    rows = manager.sessions.summaries(PIPELINE)
    before = comparison_view._kept(rows, {})
    assert comparison_view._kept(rows, {}) is before
    assert comparison_view._kept(rows, {"m": Price(input=1, output=1)}) is not before


def test_a_session_that_takes_the_name_of_a_deleted_one_is_read_from_its_beginning(manager):
    make(manager, "one", "two")
    manager.sessions.set_state(PIPELINE, "two", {"lamp": "dark"})
    address = f"{PIPELINE}:one,{PIPELINE}:two"
    assert "They part at" in words(sound(sessions_page(compare=address)))
    manager.sessions.delete(PIPELINE, "two")
    make(manager, "two")
    assert "They are the same" in words(sound(sessions_page(compare=address)))


def test_few_comparisons_are_kept(manager):
    make(manager, "one", "two")
    rows = manager.sessions.summaries(PIPELINE)
    for count in range(comparison_view.MOST + 3):
        comparison_view._kept(rows * (count + 1), {})
    assert len(comparison_view._recent) == comparison_view.MOST


def test_a_file_is_imported_and_its_session_is_opened(manager):
    made = manager.start(PIPELINE, "is it done yet?", simulated_speed=0)
    finish(manager, PIPELINE, made.session_id)
    file = export_session(manager, PIPELINE, made.session_id)
    at = sound(sessions_page())
    at.button(key="import_session").click().run()
    at.file_uploader(key="import_session_file").set_value(("s.jsonl", file.to_text().encode(), "application/jsonl")).run()
    sound(at.button(key="import_session_it").click().run())
    assert query(at)["pipeline"] == PIPELINE
    assert query(at)["session"] not in ("", made.session_id)
    assert "Imported “is it done yet?”" in said(at)


def test_the_cases_are_a_view_of_the_page(manager):
    at = sound(sessions_page())
    assert "import_session" in {button.key for button in at.button}
    sound(at.segmented_control(key="sessions_view").set_value("cases").run())
    assert query(at)["tab"] == "cases"
    assert "import_session" not in {button.key for button in at.button}
    sound(at.segmented_control(key="sessions_view").set_value("sessions").run())
    assert "import_session" in {button.key for button in at.button}
