"""A list from the form to its end: sessions, the playbook, stop, going on, reload, rights."""

from __future__ import annotations

import json

import pytest

from agents.ace import TRUTH_KEY
from agents.workspace import Workspace
from tests.ui.stage import labels, links, page, query, said, sound, words
from ui.playground.teaching import taught_list, teacher
from ui.state import runs

ROWS = [
    ("How long can lamps be returned?", "30 days"),
    ("Who repairs bicycles?", "Workshop 4"),
    ("Which colour has the north gate?", "green"),
]
TABLE = "\n".join("\t".join(row) for row in [("Question", "Right answer"), *ROWS])


@pytest.fixture
def stored(quiet_world, tmp_path):
    runs.adopt(Workspace(tmp_path / "playground.db"))
    yield runs.manager()
    runs.close()


@pytest.fixture
def held(monkeypatch):
    """Keeps the background from beginning; returns what would be taught."""
    taught: list[taught_list.TaughtList] = []
    monkeypatch.setattr(teacher, "teach", taught.append)
    return taught


def form(table=TABLE, **more):
    at = sound(page(pipeline="ace", teach="new", **more))
    at.text_area(key="list_typed").set_value(table)
    return sound(at.run())


def begun(at):
    """The page of a list after Begin, and the list, once nothing is taught any more."""
    sound(at.button(key="list_begin").click().run())
    taught = taught_list.find(query(at)["teach"])
    if (job := teacher.job_of(taught)) is not None:
        job.wait()
        assert job.problem == ""
    return sound(at.run()), taught


def test_the_button_beside_the_message_leads_to_the_form_with_the_settings_of_the_session(stored):
    stored.sessions.create("ace", session_id="own", state={"playbook_name": "shop"})
    at = sound(page(pipeline="ace", session="own"))
    sound(at.button(key="to_list").click().run())
    assert query(at) == {"pipeline": "ace", "teach": "new", "set": 'playbook_name="shop"'}
    assert "Nothing is taught yet" in said(at)
    assert "to_list" not in [button.key for button in sound(page(pipeline="iterative_writing")).button]


def test_each_row_becomes_a_session_and_the_playbook_learns_from_it(stored):
    at = form(set='playbook_name="shop"')
    assert [box.value for box in at.selectbox if box.label in {"Question", "Right answer"}] == ["Question", "Right answer"]
    at, taught = begun(at)
    assert [(row.question, row.answer) for row in taught.rows] == ROWS
    assert taught.statuses(stored) == dict.fromkeys(taught.rows, "completed")
    states = [stored.sessions.state("ace", taught.session_id(row)) for row in taught.rows]
    assert [(state[TRUTH_KEY], state["playbook_name"]) for state in states] == [(answer, "shop") for _, answer in ROWS]
    assert len(stored.playbooks("shop").playbook().active) >= len(ROWS)
    assert "3 of 3 rows" in at.get("progress")[0].proto.text
    assert "Wrong: lines 2, 3, 4." in words(at)
    assert f"session={taught.session_id(taught.rows[1])}" in links(at)["Who repairs bicycles?"]
    assert "list_resume" not in [button.key for button in at.button]
    again, _ = begun(form(set='playbook_name="shop"'))
    assert "3 of 3 answers right" in words(again)


def test_a_list_that_was_stopped_goes_on_where_it_was_also_in_another_process(stored, tmp_path, held):
    at, taught = begun(form())
    assert held == [taught]
    assert "Go on" in " ".join(labels(at))
    assert "3 rows left" in words(at)
    run = taught.ask(stored, taught.rows[0])
    runs.close()  # in the middle of the run
    runs.adopt(Workspace(tmp_path / "playground.db"))
    assert run.session_id == taught.session_id(taught.rows[0])
    manager, progress = runs.manager(), teacher.Progress()
    at = sound(page(pipeline="ace", teach=taught.id))
    teacher._teach(manager, taught, progress, teacher.Job("", print))
    assert taught.statuses(manager) == dict.fromkeys(taught.rows, "completed")
    assert "3 of 3 rows" in sound(at.run()).get("progress")[0].proto.text


def test_three_rows_that_fail_one_after_the_other_end_it_and_the_reason_is_told(stored, monkeypatch):
    at = sound(page(pipeline="ace", teach="new"))
    rows = "\n".join(f"How is {word} written?\t{word}" for word in ("one", "two", "six", "ten"))
    at.text_area(key="list_typed").set_value(rows)
    sound(at.run())
    monkeypatch.setattr(teacher, "DONE", {"paused"})
    sound(at.button(key="list_begin").click().run())
    taught = taught_list.find(query(at)["teach"])
    teacher.job_of(taught).wait()
    assert "3 rows failed one after the other, the last one in line 3." in said(sound(at.run()))
    assert len(taught.statuses(stored)) == 3


def test_stop_asks_no_further_row(stored, monkeypatch):
    _, taught = begun(form())
    asked = []
    monkeypatch.setattr(taught_list.TaughtList, "statuses", lambda *_: {})

    def ask(one, manager, row):
        asked.append(row)
        job = teacher.job_of(taught)
        job.stop()
        return manager.start("ace", row.question, simulated_speed=0)

    monkeypatch.setattr(taught_list.TaughtList, "ask", ask)
    teacher.teach(taught)
    teacher.job_of(taught).wait()
    assert asked == [taught.rows[0]]
    teacher.stop(taught)  # nothing is taught: it returns


@pytest.mark.parametrize("id_", ["nope", "../../etc/passwd", "0123456789ab"])
def test_a_list_that_is_not_there_is_said_to_be_so(stored, id_):
    assert "This list is not here" in said(sound(page(pipeline="ace", teach=id_)))


@pytest.mark.parametrize("content", ["", "{", "[]", '{"rows": 5}', '{"rows": [], "left_out": [], "more": 1}'])
def test_a_damaged_file_is_no_list(stored, content):
    folder = runs.workspace().taught_lists
    folder.mkdir(parents=True)
    (folder / "0123456789ab.json").write_text(content)
    assert taught_list.find("0123456789ab") is None
    assert taught_list.newest("ace") == []


def test_what_was_taught_before_is_listed(stored, held):
    _, taught = begun(form())
    at = sound(page(pipeline="ace", teach="new"))
    sound(at.button(key=f"list_open_{taught.id}").click().run())
    assert query(at)["teach"] == taught.id


@pytest.mark.parametrize(("table", "why"), [("just one", "one column only"), ("a\ta\nb\tc", "Two columns")])
def test_what_is_no_list_is_refused_on_the_page(stored, table, why):
    at = form(table)
    assert why in said(at)
    assert "list_begin" not in [button.key for button in at.button]


def test_lines_that_are_left_out_are_named(stored, held):
    at = form(f"{TABLE}\nno answer\t")
    assert "line 5: its right answer is empty." in said(at)
    at, taught = begun(at)
    assert "Left out when it began: line 5." in words(at)
    assert json.loads((runs.workspace().taught_lists / f"{taught.id}.json").read_text())["left_out"][0][0] == 5


def test_what_a_visitor_teaches_waits_for_the_owner_and_another_does_not_see_the_list(stored, visit):
    before = stored.playbooks("ace").playbook().revision
    visit()
    at = form()
    assert at.get("file_uploader") == []
    assert "waits until the owner approves it" in words(at)
    at = sound(at.button(key="list_begin").click().run())
    [path] = runs.workspace().taught_lists.glob("*.json")
    kept = json.loads(path.read_text())
    assert kept["user"].startswith("visitor")
    assert query(at)["teach"] == path.stem
    job = runs.workspace().jobs.of(teacher._KIND, path.stem)
    job.wait()
    assert job.problem == ""
    assert "3 rows waiting for approval." in words(sound(at.run()))
    assert stored.playbooks("ace").playbook().revision == before
    assert {one.status for one in stored.sessions.summaries("ace")} == {"paused"}
    assert taught_list.find(path.stem) is None  # asked by the owner
