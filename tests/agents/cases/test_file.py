"""Case files: the same text for the same case, and a clear error for each file that is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.cases import (
    AgentsInOrder,
    AnswerContains,
    AnswerEquals,
    AnswerMatches,
    AnswerNumber,
    AtMost,
    Case,
    CaseFiles,
    InlineBullet,
    InlinePlaybook,
    Judge,
    LoopEnded,
    NewestPlaybook,
    NoPlaybook,
    PlaybookAtRevision,
    StateEquals,
    ToolCalled,
    case_from_json,
    case_to_json,
    cases_to_eval_set,
    read_case,
    read_cases,
)
from agents.errors import CaseError
from agents.state import REDUCED

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
VALUES = st.none() | st.booleans() | st.integers(-9, 9) | TEXTS | st.lists(TEXTS, max_size=2)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
EXPECTATIONS = st.one_of(
    st.builds(AnswerContains, text=TEXTS, agent=st.just("") | TEXTS),
    st.builds(AnswerEquals, text=TEXTS),
    st.builds(AnswerNumber, value=NUMBERS, tolerance=st.floats(0, 9)),
    st.builds(AnswerMatches, pattern=TEXTS),
    st.builds(AgentsInOrder, agents=st.lists(TEXTS, min_size=1, max_size=3).map(tuple)),
    st.builds(ToolCalled, tool=TEXTS, args=st.dictionaries(TEXTS, VALUES, max_size=2)),
    st.builds(LoopEnded, loop=TEXTS, by=TEXTS, within=st.none() | st.integers(0, 9)),
    st.builds(StateEquals, key=TEXTS, value=VALUES),
    st.builds(Judge, rubric=TEXTS, model=TEXTS),
    st.builds(AtMost, calls=st.integers(0, 9), cost=st.none() | st.floats(0, 9), seconds=st.none() | st.floats(0.1, 9)),
)
BULLETS = st.lists(st.builds(InlineBullet, id=TEXTS, section=TEXTS, content=TEXTS), max_size=3, unique_by=lambda one: one.id)
CASES = st.builds(
    Case,
    name=TEXTS,
    pipeline=TEXTS,
    messages=st.lists(TEXTS, min_size=1, max_size=3).map(tuple),
    state=st.dictionaries(TEXTS.filter(lambda key: key not in REDUCED), VALUES, max_size=3),
    playbook=st.one_of(
        st.builds(NoPlaybook),
        st.builds(NewestPlaybook, name=st.just("") | TEXTS),
        st.builds(PlaybookAtRevision, name=TEXTS, revision=st.integers(0, 9)),
        st.builds(InlinePlaybook, bullets=BULLETS.map(tuple)),
    ),
    model=st.none() | TEXTS,
    cited=st.lists(TEXTS, max_size=2).map(tuple),
    expect=st.lists(EXPECTATIONS, min_size=1, max_size=3).map(tuple),
)
CASE = Case(name="ratio", pipeline="ace", messages=("What?",), expect=(AnswerContains(text="1.5"),))
GOOD = json.loads(case_to_json(CASE))


@given(CASES)
def test_a_case_is_read_as_it_was_written_and_written_as_it_was_read(case):
    text = case_to_json(case)
    assert case_from_json(text) == case
    assert case_to_json(case_from_json(text)) == text
    assert text.endswith("}\n")


def test_a_file_is_readable_in_a_diff():
    assert case_to_json(CASE.model_copy(update={"state": {"b": 1, "a": "答え"}})) == (
        '{\n  "version": 1,\n  "name": "ratio",\n  "pipeline": "ace",\n  "messages": [\n    "What?"\n  ],\n'
        '  "state": {\n    "a": "答え",\n    "b": 1\n  },\n  "playbook": {\n    "take": "none"\n  },\n'
        '  "expect": [\n    {\n      "kind": "answer_contains",\n      "text": "1.5"\n    }\n  ]\n}\n'
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "bad.json is not JSON (line 1"),
        (json.dumps(GOOD)[:-20], "bad.json is not JSON (line 1"),
        ("[1]", "it is not a JSON object"),
        ('{"version": NaN}', "NaN is no number of JSON"),
        ("[" * 100_000, "bad.json is not JSON"),
        ('{"a": ' + "9" * 5000 + "}", "bad.json is not JSON"),
        (json.dumps({**GOOD, "version": 7}), "version: it is 7, made by a newer Agent Playground; this one reads up to 1"),
        (json.dumps({**GOOD, "version": "1"}), "bad.json: version: "),
        (json.dumps({**GOOD, "mesages": []}), "mesages: a case has no such field. Remove it"),
        (json.dumps({name: GOOD[name] for name in GOOD if name != "pipeline"}), "pipeline: it is missing. Add it."),
        (json.dumps({**GOOD, "expect": [{"kind": "answer_rhymes"}]}), "expect.0: 'answer_rhymes' is unknown. Write one of"),
        (json.dumps({**GOOD, "expect": []}), "expect: "),
        (json.dumps({**GOOD, "expect": [{"kind": "at_most"}]}), "give at least one of calls, cost and seconds"),
        (json.dumps({**GOOD, "messages": "What?"}), "messages: "),
        (json.dumps({**GOOD, "state": {"app:playbook": {}}}), "state cannot have app:playbook"),
        (json.dumps({**GOOD, "playbook": {"take": "oldest"}}), "playbook: 'oldest' is unknown"),
        (json.dumps({**GOOD, "name": "\ud800"}), "bad.json: name: "),
        (json.dumps({"eval_set_id": "x", "eval_cases": []}), "eval_cases: it is empty"),
        (json.dumps({"eval_set_id": "x", "eval_cases": [3]}), "stands where an EvalSet has an object"),
        ("x" * (1024 * 1024 + 1), "bad.json is larger than 1024 KiB"),
    ],
)
def test_a_bad_file_is_named_with_its_field_and_the_cure_and_hides_no_other(text, told, tmp_path):
    (tmp_path / "bad.json").write_text(text, encoding="utf-8")
    (tmp_path / "good.json").write_text(case_to_json(CASE), encoding="utf-8")

    found = read_cases(tmp_path)

    assert [one.case for one in found.cases] == [CASE]
    [problem] = map(str, found.problems)
    assert problem.startswith("bad.json")
    assert told in problem


def test_a_file_that_is_no_text_is_named(tmp_path):
    (tmp_path / "bad.json").write_bytes(b'{"name": "\xff"}')
    assert str(read_cases(tmp_path).problems[0]) == "bad.json is not UTF-8 (byte 10). Save it as UTF-8."


def test_an_empty_and_a_missing_folder_say_what_to_do(tmp_path):
    with pytest.raises(CaseError, match=r"it has no \.json file\. Keep a finished session as a case"):
        read_cases(tmp_path)
    with pytest.raises(CaseError, match="it does not exist"):
        read_cases(tmp_path / "nowhere")


def test_two_cases_of_one_name_are_told(tmp_path):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(case_to_json(CASE), encoding="utf-8")
    found = read_cases(tmp_path)
    assert [one.path.name for one in found.cases] == ["a.json"]
    assert "b.json: name: 'ratio' is the name of the case in a.json" in str(found.problems[0])


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Current ratio?", "current-ratio.json"),
        ("../../etc/passwd", "etc-passwd.json"),
        ("効率的な管理", "効率的な管理.json"),
        ("…", "case.json"),
        ("x" * 120, f"{'x' * 60}.json"),
    ],
)
def test_a_case_is_written_under_a_name_of_its_own(name, file, tmp_path):
    case = CASE.model_copy(update={"name": name})
    path = CaseFiles(tmp_path / "cases").write(case)
    assert path == tmp_path / "cases" / file
    assert read_case(path) == case


def test_a_name_that_is_taken_is_refused_and_a_file_that_is_there_is_kept(tmp_path):
    CaseFiles(tmp_path).write(CASE)
    with pytest.raises(CaseError, match="There is a case 'ratio' already"):
        CaseFiles(tmp_path).write(CASE)
    assert CaseFiles(tmp_path).write(CASE.model_copy(update={"name": "ratio?"})).name == "ratio-2.json"


def test_a_case_that_could_not_be_read_again_is_not_written(tmp_path):
    with pytest.raises(CaseError, match="larger than 1024 KiB"):
        CaseFiles(tmp_path).write(CASE.model_copy(update={"messages": ("x" * 1024 * 1024,)}))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "cases").write_text("", encoding="utf-8")
    with pytest.raises(CaseError, match="cannot be written into"):
        CaseFiles(tmp_path / "cases").write(CASE)


def test_a_folder_may_have_an_eval_set_among_its_files(tmp_path):
    other = CASE.model_copy(update={"name": "other"})
    (tmp_path / "set.evalset.json").write_text(cases_to_eval_set([CASE, other], "both"), encoding="utf-8")
    assert [one.case for one in read_cases(tmp_path).cases] == [CASE, other]
    with pytest.raises(CaseError, match=r"set\.evalset\.json has 2 cases, and one is wanted"):
        read_case(tmp_path / "set.evalset.json")


def test_what_a_case_cannot_say_of_an_eval_set_is_told(tmp_path):
    turn = {"user_content": {"parts": [{"text": "hi"}]}, "final_response": {"parts": [{"text": "hello"}]}}
    case = {"eval_id": "two turns", "conversation": [turn, turn], "session_input": {"app_name": "ace"}}
    (tmp_path / "set.json").write_text(json.dumps({"eval_set_id": "s", "eval_cases": [case]}), encoding="utf-8")
    CaseFiles(tmp_path).write(CASE)
    found = read_cases(tmp_path)
    assert (len(found.cases), found.problems) == (2, [])
    assert found.left_out == [
        "set.json: two turns: the answer of turn 1: a case expects something of the last answer alone."
    ]


def test_a_case_that_is_deleted_can_be_brought_back_byte_for_byte(tmp_path):
    path = CaseFiles(tmp_path).write(CASE)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = path.read_bytes()
    [stored] = read_cases(tmp_path).cases
    text = CaseFiles(tmp_path).delete(stored)
    assert list(tmp_path.iterdir()) == []
    CaseFiles(tmp_path).restore(path, text)
    assert path.read_bytes() == before
    with pytest.raises(CaseError, match=r"There is a file .* again"):
        CaseFiles(tmp_path).restore(path, text)
    assert path.read_bytes() == before


def test_a_case_among_others_one_that_changed_and_one_that_is_gone_are_not_deleted(tmp_path):
    other = CASE.model_copy(update={"name": "other"})
    path = tmp_path / "set.json"
    path.write_text(cases_to_eval_set([CASE, other], "both"), encoding="utf-8")
    [first, _] = read_cases(tmp_path).cases
    with pytest.raises(CaseError, match="has other cases too"):
        CaseFiles(tmp_path).delete(first)
    path.write_text(case_to_json(other), encoding="utf-8")
    with pytest.raises(CaseError, match="another case by now"):
        CaseFiles(tmp_path).delete(first)
    assert path.is_file()
    path.unlink()
    with pytest.raises(CaseError, match=r"set\.json cannot be read"):
        CaseFiles(tmp_path).delete(first)


def test_a_case_whose_folder_is_gone_cannot_be_brought_back(tmp_path):
    with pytest.raises(CaseError, match="Is its folder still there"):
        CaseFiles(tmp_path).restore(tmp_path / "gone" / "a.json", "{}")
