"""The Build page, run without a browser: what it draws."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from agents.teams import STARTS, set_field
from tests.ui.build.conftest import TEAM
from tests.ui.stage import SCRIPT, labels, links, opened, query, said, sound, words
from ui.build import desk


def build(**address: str | list[str]) -> AppTest:
    at = AppTest.from_file(SCRIPT, default_timeout=60).run()
    return sound(opened(at.switch_page("build.py"), address))


def editor(at: AppTest) -> dict[str, Any]:
    """What the editor was given."""
    found = next(element for element in at.get("bidi_component") if element.proto.component_name == "team_editor")
    return json.loads(found.proto.json)


def test_all_teams_and_the_ways_to_a_new_one(store):
    at = build()
    assert {start.title for start in STARTS} <= set(labels(at))
    assert f"team={TEAM}" in links(at).values()
    [start] = [one for one in STARTS if one.name == TEAM]
    sound(at.button(key=f"begin_{TEAM}").click().run())
    assert query(at)["team"] == f"{TEAM}_2"
    assert at.text_input(key="team_message").value
    assert store.read(f"{TEAM}_2").files == start.files


def test_a_pipeline_that_the_address_names_is_offered_for_a_copy(store):
    at = build(pipeline="tool_loop")
    assert at.selectbox(key="copied_pipeline").value == "tool_loop"
    sound(at.button(key="begin_copy").click().run())
    assert query(at)["team"] == "tool_loop_copy"
    assert editor(at)["agents"]


def test_a_team_is_drawn_with_its_agents_keys_and_tools(store):
    at = build(team=TEAM, member="critic")
    given = editor(at)
    assert [(one["name"], one["parent"], one["kind"]) for one in given["agents"]] == [
        ("writing", None, "LoopAgent"),
        ("writer", "writing", "LlmAgent"),
        ("critic", "writing", "LlmAgent"),
    ]
    assert given["agents"][2]["tools"] == [{"name": "exit_loop"}]
    assert given["keys"] == [["draft", ["writer"]], ["criticism", ["critic"]]]
    assert "exit_loop" in [tool["label"] for tool in given["tools"]]
    assert (given["agent"], given["locked"], given["findings"]) == ("critic", False, [])


def test_tables_and_functions_of_the_team_are_tools(store):
    files = store.read(TEAM).files
    code = 'def roll(sides: int) -> dict:\n    """Rolls a die."""\n\n\ndef _own(): ...\n'
    store.save(store.read(TEAM), files | {"tools.py": code, "prices.csv": "item,price\n"}, note="")
    given = editor(build(team=TEAM))
    assert given["tools"][0] == {"label": "roll", "about": "Rolls a die.", "use": {"name": ".tools.roll"}}
    assert given["tools"][1]["use"]["args"] == {"file": "prices.csv"}
    assert given["coded"]


def test_the_team_opens_at_its_first_agent_with_a_model(store):
    assert editor(build(team=TEAM))["agent"] == "writer"


def test_what_the_review_finds_leads_to_its_field(store):
    draft = store.read(TEAM)
    store.save(draft, set_field(draft.files, "critic", "instruction", "Judge {darft}."), note="")
    at = build(team=TEAM)
    assert [one["agent"] for one in editor(at)["findings"]]
    at.session_state[desk.TAB] = desk.PROBLEMS
    sound(at.run())
    assert "darft" in words(at)
    sound(at.button(key="finding_place_0").click().run())
    assert (editor(at)["agent"], editor(at)["field"], query(at)["member"]) == ("critic", "instruction", "critic")


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("instruction", "Judge {darft}. If nothing is wrong, call exit_loop.", "Write {draft}"),
        ("tools", None, "Add the tool exit_loop"),
    ],
)
def test_a_finding_is_settled_by_its_fix(store, field, value, text):
    draft = store.read(TEAM)
    store.save(draft, set_field(draft.files, "critic", field, value), note="")
    at = build(team=TEAM)
    at.session_state[desk.TAB] = desk.PROBLEMS
    [fix] = [button for button in sound(at.run()).button if button.label.replace("\\", "") == text]
    sound(fix.click().run())
    assert editor(at)["findings"] == []
    assert store.revisions(TEAM)[0].note == f"critic: {text}"


def test_a_team_that_cannot_be_loaded_says_why_and_can_be_changed(store):
    draft = store.read(TEAM)
    store.save(draft, draft.files | {"writer.yaml": "name: writer\nspeed: 3\n"}, note="")
    at = build(team=TEAM)
    assert "cannot run as it stands" in said(at)
    assert [one["name"] for one in editor(at)["agents"]] == ["writing", "writer", "critic"]
    at.session_state[desk.TAB] = desk.PROBLEMS
    sound(at.run())
    assert any(block.value.startswith("writer.yaml, line 2: ") for block in at.code)
    sound(at.button(key="finding_place_0").click().run())
    assert editor(at)["agent"] == "writer"


def test_a_file_that_cannot_be_read_is_marked(store):
    draft = store.read(TEAM)
    store.save(draft, draft.files | {"writer.yaml": "name: [\n"}, note="")
    problems = [one["problem"] for one in editor(build(team=TEAM))["agents"]]
    assert any(problems)


def test_a_team_in_python_is_changed_as_text(store):
    code = 'from agents import LlmAgent\n\nroot_agent = LlmAgent(name="a", instruction="Say hello.")\n'
    store.create("coded", {"agent.py": code})
    at = build(team="coded")
    assert "written in Python" in said(at)
    assert at.button(key="try_run").label == "▶ Run"
    at.session_state[desk.TAB] = desk.FILES
    assert code.strip() in [block.value for block in sound(at.run()).code]


def test_values_that_json_has_not_are_shown_as_text(store):
    draft = store.read(TEAM)
    odd = "name: critic\ndescription: 2025-02-03\noutput_key: .nan\nmodel: 12345678901234567890\n"
    store.save(draft, draft.files | {"critic.yaml": odd}, note="")
    fields = editor(build(team=TEAM))["agents"][2]["fields"]
    texts = {"description": "2025-02-03", "output_key": "nan", "model": "12345678901234567890"}
    assert fields == {"name": "critic", **texts}


def test_an_agent_that_has_the_name_of_another_one_is_told_apart(store):
    draft = store.read(TEAM)
    store.save(draft, draft.files | {"critic.yaml": "name: writing\n"}, note="")
    found = editor(build(team=TEAM))["agents"]
    assert [(one["name"], one["parent"]) for one in found][::2] == [("writing", None), ("writing (critic.yaml)", "writing")]
    assert "this name, too" in found[2]["problem"]


def test_a_change_from_elsewhere_is_said_and_can_be_loaded(store):
    at = build(team=TEAM)
    draft = store.read(TEAM)
    store.save(draft, set_field(draft.files, "critic", "output_key", "notes"), note="critic: output key")
    sound(at.run())
    assert "was changed elsewhere" in words(at)
    assert editor(at)["keys"][1][0] == "criticism"
    sound(at.button(key="load_newest").click().run())
    assert editor(at)["keys"][1][0] == "notes"


def test_files_and_revisions_are_shown(store):
    draft = store.read(TEAM)
    store.save(draft, set_field(draft.files, "critic", "output_key", "notes"), note="critic: output key")
    at = build(team=TEAM)
    at.session_state[desk.TAB] = desk.FILES
    sound(at.run())
    code = "\n".join(block.value for block in at.code)
    assert "agent_class: LoopAgent" in code
    assert "-output_key: criticism" in code
    assert "+output_key: notes" in code


def test_visitors_look_and_change_nothing(store, visit):
    visit()
    at = build(team=TEAM)
    assert "Read only" in words(at)
    assert editor(at)["locked"]
    assert at.button(key="team_delete").disabled
    assert at.button(key="team_copy").disabled
    listed = build()
    assert all(listed.button(key=f"begin_{start.name}").disabled for start in STARTS)


@pytest.mark.parametrize("name", ["nobody", "../build"])
def test_a_team_that_is_not_there_leads_back(store, name):
    at = build(team=name)
    assert "There is no team" in said(at)
    assert links(at)["→ All teams"] == ""


def test_a_zip_with_python_says_so_and_shows_it_before_it_is_taken(store):
    draft = store.read(TEAM)
    plain = store.to_zip(TEAM)
    store.save(draft, draft.files | {"tools.py": "print('運ぶ')\n", "more_+.py": "x = 1\n"}, note="")

    def given(data: bytes) -> AppTest:
        at = build()
        return sound(at.file_uploader(key="team_zip_file").set_value(("t.zip", data, "application/zip")).run())

    at = given(store.to_zip(TEAM))
    assert "brings Python code: more_+.py, tools.py" in at.warning[0].value.replace("\\", "")
    assert "runs on this machine with your rights" in at.warning[0].value
    assert "print('運ぶ')" in [block.value for block in at.code]
    assert at.button(key="begin_team_zip_file").label == "Open the zip and let its code run"
    assert store.names() == [TEAM]
    sound(at.button(key="begin_team_zip_file").click().run())
    assert store.names() == [TEAM, f"{TEAM}_2"]
    at = given(plain)
    assert not at.warning
    assert at.button(key="begin_team_zip_file").label == "Open the zip"
    at = given(b"PK")
    assert "cannot be read" in at.error[0].value
    assert at.button(key="begin_team_zip_file").disabled
