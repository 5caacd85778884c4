"""What can be done on the Build page, in one browser tab and in two."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from agents.teams import outline
from tests.ui.build.conftest import TEAM, Tab
from tests.ui.stage import finish
from ui.build import actions
from ui.build.open_team import opened
from ui.state import runs

SET = {"kind": "set", "agent": "critic", "field": "output_key", "value": "notes"}


def send(tab: Tab, *acts: dict[str, Any], first: int = 1) -> None:
    """Sends acts as the editor does, with numbers from `first` on."""

    def act() -> None:
        st.session_state[actions.EDITOR] = {"acts": [one | {"number": first + at} for at, one in enumerate(acts)]}
        actions.take_acts(TEAM)

    tab.do(act)


def output_key(store: Any) -> object:
    return outline(store.read(TEAM).files).children[1].fields["output_key"]


def test_each_change_is_a_revision_with_a_note(store):
    tab = Tab()
    send(tab, SET, {"kind": "add", "agent_class": "LlmAgent", "parent": "writing", "position": 2})
    assert [one.note for one in store.revisions(TEAM)][:2] == ["agent added", "critic: output key"]
    assert tab.address["member"] == "agent"
    assert tab.do(actions.done) == 2


def test_an_act_that_is_sent_again_is_done_once(store):
    tab = Tab()
    add = {"kind": "add", "agent_class": "LlmAgent", "parent": "writing", "position": 2}
    send(tab, add)
    send(tab, add, SET)
    assert [node.name for node in outline(store.read(TEAM).files).walk()] == ["writing", "writer", "critic", "agent"]
    assert output_key(store) == "notes"


def test_an_act_that_cannot_be_done_is_told_and_ends_no_other(store):
    tab = Tab()
    send(tab, SET | {"field": "name", "value": "two words"}, SET)
    assert "two words" in tab.notice
    assert list(tab.do(opened, TEAM).refused) == [1]
    assert output_key(store) == "notes"


def test_undo_and_redo_go_along_the_revisions(store):
    tab = Tab()
    send(tab, SET, SET | {"value": "more"})
    for back, expected in ((True, "notes"), (True, "criticism"), (True, "criticism"), (False, "notes"), (False, "more")):
        tab.do(actions.turn, TEAM, back=back)
        assert output_key(store) == expected
    send(tab, {"kind": "undo"}, SET | {"value": "other"}, {"kind": "redo"}, first=3)
    assert output_key(store) == "other"


def test_a_team_that_is_opened_again_can_be_undone(store):
    send(Tab(), SET)
    other = Tab()
    other.do(actions.turn, TEAM, back=True)
    assert output_key(store) == "criticism"


def test_two_tabs_never_save_over_each_other(store):
    one, two = Tab(), Tab()
    two.do(opened, TEAM)
    send(one, SET)
    send(two, SET | {"value": "mine"})
    assert "was saved meanwhile" in two.notice
    assert output_key(store) == "notes"
    assert "was saved meanwhile" in two.do(opened, TEAM).refused[1]
    assert two.do(lambda: opened(TEAM).is_behind)
    two.do(actions.load_newest, TEAM)
    send(two, SET | {"value": "mine"}, first=2)
    assert (output_key(store), two.notice) == ("mine", "")


def test_a_file_is_saved_as_text(store):
    tab = Tab()
    tab.do(actions.add_tools, TEAM)

    def save(text: str) -> None:
        st.session_state["typed"] = text
        actions.save_file(TEAM, "tools.py", "typed")

    tab.do(save, "def a(:")
    assert "tools.py, line 1" in tab.notice
    assert "count_words" in store.read(TEAM).files["tools.py"]
    tab.do(save, "def a(): ...")
    assert store.read(TEAM).files["tools.py"] == "def a(): ..."
    tab.do(actions.remove_file, TEAM, "tools.py")
    tab.do(actions.restore, TEAM, 3)
    assert store.read(TEAM).files["tools.py"] == "def a(): ..."


def test_a_text_that_could_not_be_saved_is_kept(store):
    one, two = Tab(), Tab()
    two.do(opened, TEAM)
    send(one, SET)

    def save() -> None:
        st.session_state["typed"] = "name: mine"
        actions.save_file(TEAM, "writer.yaml", "typed")

    two.do(save)
    assert two.do(lambda: opened(TEAM).unsaved) == {"writer.yaml": "name: mine"}


def test_what_was_typed_into_a_file_stays_until_that_file_is_saved(store):
    tab = Tab()

    def type_in(file: str, text: str, act: Any) -> None:
        st.session_state["typed"] = text
        act(TEAM, file, "typed")

    tab.do(type_in, "writer.yaml", "name: [", actions.keep_text)
    tab.do(type_in, "tools.py", "-" * 100_000 + "1", actions.save_file)
    assert "tools.py" in tab.notice
    tab.do(type_in, "critic.yaml", store.read(TEAM).files["critic.yaml"] + "# more\n", actions.save_file)
    assert tab.do(lambda: set(opened(TEAM).unsaved)) == {"writer.yaml", "tools.py"}


def uploaded(name: str, data: bytes) -> SimpleNamespace:
    return SimpleNamespace(name=name, getvalue=lambda: data)


def given(tab: Tab, act: Any, value: object, *before: object) -> None:
    def do() -> None:
        st.session_state["given"] = value
        act(*before, "given")

    tab.do(do)


def test_a_team_is_made_of_text_of_a_folder_and_of_a_zip(store):
    tab = Tab()
    given(tab, actions.begin_pasted, "name: poet\ninstruction: Write a poem.")
    assert tab.address["team"] == "poet"
    given(tab, actions.begin_pasted, "name: poet\ninstruction: Write a poem.")
    assert tab.address["team"] == "poet_2"
    given(tab, actions.begin_uploaded, [uploaded("mine/root_agent.yaml", b"name: a"), uploaded("mine/notes.md", b"x")])
    assert store.read("mine").files == {"root_agent.yaml": "name: a", "notes.md": "x"}
    named = b"name: a\ntools:\n  - name: mine.tools.roll\n"
    folder = [("root_agent.yaml", named), ("tools.py", b"def roll(): ..."), (".DS_Store", b"\0\xff"), ("x.pyc", b"\xff")]
    given(tab, actions.begin_uploaded, [uploaded(f"mine/{name}", data) for name, data in folder])
    assert tab.address["team"] == "mine_2"
    assert "name: .tools.roll" in store.read("mine_2").files["root_agent.yaml"]
    assert store.read("mine_2").files.keys() == {"root_agent.yaml", "tools.py"}
    given(tab, actions.begin_uploaded, uploaded("X.ZIP", store.to_zip("mine")))
    assert tab.address["team"] == "mine_3"
    assert store.read("mine_3").files == store.read("mine").files


def test_a_pipeline_is_copied_with_what_other_programs_will_not_know(store):
    tab = Tab()
    given(tab, actions.begin_copy, "iterative_writing")
    assert tab.address["team"] == "iterative_writing_copy"
    assert runs.manager().catalog.get("iterative_writing_copy").card.simulation
    given(tab, actions.begin_copy, "routed_ab")
    assert "router" in tab.notice


def test_what_is_no_team_is_said(store):
    tab = Tab()
    for act, value in (
        (actions.begin_pasted, " "),
        (actions.begin_uploaded, []),
        (actions.begin_uploaded, [uploaded("mine/root_agent.yaml", b"\xff")]),
        (actions.begin_uploaded, uploaded("x.zip", b"PK")),
    ):
        given(tab, act, value)
        assert tab.notice
    assert store.names() == [TEAM]


def test_a_table_is_added(store):
    given(Tab(), actions.add_files, [uploaded("prices.csv", b"item,price\nsail,3\n")], TEAM)
    assert store.read(TEAM).files["prices.csv"] == "item,price\nsail,3\n"


def test_a_team_is_renamed_duplicated_deleted_and_brought_back(store):
    tab = Tab()
    given(tab, actions.rename, "sea_team", TEAM)
    assert (store.names(), tab.address["team"]) == (["sea_team"], "sea_team")
    tab.do(actions.duplicate, "sea_team")
    assert (store.names(), tab.address["team"]) == (["sea_team", "sea_team_copy"], "sea_team_copy")
    tab.do(actions.delete, "sea_team_copy")
    assert (store.names(), "team" in tab.address) == (["sea_team"], False)
    tab.do(actions.undelete, "sea_team_copy")
    assert tab.address["team"] == "sea_team_copy"


def test_a_run_is_a_new_session_of_the_team_as_it_stands(store):
    tab = Tab()

    def run() -> None:
        st.session_state[actions.EDITOR] = {"acts": [SET | {"number": 1}]}  # it came together with the click
        st.session_state[actions.MESSAGE] = "a lighthouse"
        actions.run(TEAM)

    tab.do(run)
    session = tab.address["session"]
    finish(runs.manager(), TEAM, session)
    found = runs.manager().sessions.find(TEAM, session)
    assert found is not None
    assert (found.status, found.title) == ("completed", "a lighthouse")
    assert "notes" in runs.manager().sessions.state(TEAM, session)


@pytest.mark.parametrize("name", ["nobody", "../x", ""])
def test_a_team_that_is_not_there_is_said(store, name):
    tab = Tab()
    tab.do(actions.turn, name, back=True)
    assert "There is no team" in tab.notice
