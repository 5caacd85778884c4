"""`playground check` and `playground open`, called in this process."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest

from agents.ace import DeltaBatch, PlaybookStore
from agents.cases import AnswerContains, AnswerNumber, Case, CaseFiles, NewestPlaybook, cases_to_eval_set
from agents.cases.check import CaseResult, CaseRun
from tests.agents.cases.stage import CINEMA, FORMULA
from tests.ui.cli.test_main import STAGES, database, playground
from ui import server
from ui.cli import main as cli
from ui.cli.check.junit import junit_xml

__all__ = ["database", "playground"]

HELD = Case(name="held", pipeline="rehearsal", messages=("talk 2",), expect=(AnswerContains(text="line 1"),))
WRONG = Case(name="wrong\u202e", pipeline="rehearsal", messages=("talk 3",), expect=(AnswerContains(text="line 9"),))
RATIO = Case(
    name="ratio",
    pipeline="ace",
    messages=(CINEMA,),
    playbook=NewestPlaybook(name="ace"),
    expect=(AnswerNumber(value=2.5),),
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cases"


@pytest.fixture
def check(playground):
    return lambda *arguments: playground("check", *map(str, arguments), "--agents", str(STAGES))


def test_all_hold(check, folder):
    CaseFiles(folder).write(HELD)
    assert check(folder) == (0, f"✓ held    {'held':<60}  rehearsal\n\n1 case: 1 held\n", "")


def test_a_failure_names_the_first_event_that_differs_and_the_command_that_opens_it(check, folder, playground, monkeypatch):
    CaseFiles(folder).write(HELD)
    CaseFiles(folder).write(WRONG)
    code, output, errors = check(folder, "--repeat", "2")
    assert (code, errors) == (1, "")
    assert "✗ failed  wrong\\u202e" in output
    assert "rehearsal  0 of 2\n    Expected: the answer contains “line 9”. Found: “line 2”.\n" in output
    [(session, event)] = re.findall(r"open rehearsal ([\w-]+) (\d+)\n", output)
    assert output.endswith("\n2 cases: 1 held, 1 failed\n")

    _, rows, _ = playground("sessions", "--json")
    [row] = map(json.loads, rows.splitlines())
    assert (row["id"], row["title"], row["events"], row["status"]) == (session, "Case: wrong\u202e", 4, "completed")
    opened = []
    monkeypatch.setattr(server, "serve", lambda **given: opened.append(given["path"]))
    assert playground("open", "rehearsal", session, event) == (0, "", "")
    assert opened == [f"/?pipeline=rehearsal&session={session}&at=4"]


def test_a_case_takes_a_copy_of_the_stored_playbook(check, folder, database):
    CaseFiles(folder).write(RATIO)
    code, output, _ = check(folder)
    assert code == 1
    assert "Expected: the answer has the number 2.5. Found: " in output
    with PlaybookStore(database, "ace") as store:
        store.commit(DeltaBatch(operations=[{"type": "ADD", "section": "FORMULAS", "content": FORMULA}]))
        before = store.playbook()
        assert check(folder)[0] == 0
        assert store.playbook() == before
        assert [info.name for info in store.names()] == ["ace"]


def test_the_usual_folder_is_beside_the_agents_or_the_database(playground, check, tmp_path, database):
    CaseFiles(tmp_path / "cases").write(RATIO)
    assert playground("check")[1].endswith("1 case: 1 failed\n")
    agents = tmp_path / "mine"
    CaseFiles(agents / "cases").write(HELD.model_copy(update={"pipeline": "iterative_writing"}))
    assert "held" in playground("check", "--agents", str(agents))[1]


def test_a_bad_file_fails_the_check_and_hides_no_other(check, folder):
    CaseFiles(folder).write(HELD)
    (folder / "cut.json").write_text('{"name": "x', encoding="utf-8")
    code, output, _ = check(folder)
    assert code == 1
    assert "✓ held" in output
    assert "! file    cut.json is not JSON (line 1" in output
    assert output.endswith("1 case: 1 held, 1 unread\n")


@pytest.mark.parametrize("made", [False, True])
def test_no_folder_and_no_case_are_bad_input(check, folder, made):
    if made:
        folder.mkdir()
    code, output, errors = check(folder)
    assert (code, output) == (2, "")
    assert ("it has no .json file" if made else "it does not exist") in errors


def test_an_unknown_model_or_pipeline_is_an_error_of_the_case(check, folder):
    CaseFiles(folder).write(HELD)
    CaseFiles(folder).write(HELD.model_copy(update={"name": "gone", "pipeline": "gone"}))
    code, output, _ = check(folder, "--model", "no-such-model")
    assert code == 1
    assert "no-such-model" in output
    assert "There is no pipeline 'gone'" in output
    assert output.endswith("2 cases: 2 error\n")


def test_an_eval_set_of_adk_is_checked(check, folder):
    folder.mkdir()
    (folder / "a.evalset.json").write_text(cases_to_eval_set([HELD, WRONG], "both"), encoding="utf-8")
    assert check(folder)[1].endswith("2 cases: 1 held, 1 failed\n")


def test_what_is_left_out_of_an_eval_set_is_told_and_fails_nothing(check, folder):
    folder.mkdir()
    turn = {"user_content": {"parts": [{"text": "talk 2"}]}, "final_response": {"parts": [{"text": "line 1"}]}}
    case = {"eval_id": "two", "conversation": [turn, turn], "session_input": {"app_name": "rehearsal"}}
    (folder / "set.json").write_text(json.dumps({"eval_set_id": "s", "eval_cases": [case]}), encoding="utf-8")
    code, output, _ = check(folder)
    assert "- not checked    set.json: two: the answer of turn 1: a case expects something of the last answer" in output
    assert (code, output.endswith("1 case: 1 held\n")) == (0, True)


def test_results_are_written_as_junit_xml(check, folder, tmp_path):
    CaseFiles(folder).write(HELD)
    CaseFiles(folder).write(WRONG)
    (folder / "cut.json").write_text("{", encoding="utf-8")
    path = tmp_path / "results.xml"
    assert check(folder, "--junit", path)[0] == 1
    [suite] = ET.parse(path).getroot()
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
    }
    assert [(case.get("name"), [child.tag for child in case]) for case in suite] == [
        ("held", []),
        ("wrong\\u202e", ["failure"]),
        ("cut.json", ["error"]),
    ]
    code, _, errors = check(folder, "--junit", tmp_path / "no" / "results.xml")
    assert code == 2
    assert "The results cannot be written to" in errors


def test_any_character_gives_valid_xml():
    text = "".join(map(chr, [*range(1, 0x300), 0x2028, 0xD800, 0xFFFE, 0xFFFF, 0x1F600])) + "]]>&<\"'"
    case = HELD.model_construct(name=text, pipeline=text)
    tree = ET.fromstring(junit_xml([CaseResult(case, (CaseRun(error=text),))], [0.5], [ValueError(text)]))
    assert len(tree.findall(".//error")) == 2


def test_an_unusual_session_is_quoted(monkeypatch):
    opened = []
    monkeypatch.setattr(server, "serve", lambda **given: opened.append(given["path"]))
    assert cli.main(["open", "a b", "x&y=1"]) == 0
    assert opened == ["/?pipeline=a+b&session=x%26y%3D1"]
