from __future__ import annotations

import json

import pytest
from google.genai import types

from agents import Event, EventActions, InMemorySessionService
from agents.cases import AnswerContains, AnswerEquals, AnswerMatches, AnswerNumber, AtMost, Case, CaseFiles
from agents.errors import DataSetError
from agents.lab.data import open_data
from agents.lab.data.listed_set import sample_of_session
from agents.lab.scorers import make_scorer
from agents.sharing import Sharing

pytestmark = pytest.mark.anyio


def case(name, *expect, messages=("What?",)):
    return Case(name=name, pipeline="ace", messages=messages, expect=expect)


# -- cases


async def test_a_case_is_scored_by_its_own_expectation(tmp_path):
    kept = {
        "equals": (AnswerEquals(text="Paris"), "Paris ", "paris"),
        "contains": (AnswerContains(text="Par"), "It is Paris", "It is Lyon"),
        "matches": (AnswerMatches(pattern="*Paris*"), "It is Paris.", "It is Lyon."),
        "number": (AnswerNumber(value=1.5, tolerance=0.1), "about 1.45 of 9", "1.7"),
    }
    for name, (expectation, _, _) in kept.items():
        CaseFiles(tmp_path / "cases").write(case(name, AtMost(calls=3), expectation, messages=(f"{name}?",)))
    data = open_data({"cases": "cases"}, folder=tmp_path)
    scorer = make_scorer(data.scorer)
    assert {sample.id for sample in data.samples("all")} == set(kept)
    for sample in data.samples("all"):
        _, right, wrong = kept[sample.id]
        assert sample.question == f"{sample.id}?"
        assert (await scorer.score(right, sample)).is_right
        assert not (await scorer.score(wrong, sample)).is_right


async def test_the_right_answer_of_a_message_is_no_part_of_the_question(tmp_path):
    CaseFiles(tmp_path).write(case("a", AtMost(calls=3), messages=("2 + 2?\nAnswer: 4",)))
    (sample,) = open_data({"cases": "."}, folder=tmp_path).samples("all")
    assert (sample.question, sample.truth) == ("2 + 2?", "4")
    assert (await make_scorer({"kind": "expected"}).score("4", sample)).is_right


def test_a_case_that_is_no_sample_is_named(tmp_path):
    CaseFiles(tmp_path).write(case("one", AnswerEquals(text="1")))
    CaseFiles(tmp_path).write(case("two", AnswerEquals(text="1"), messages=("a", "b")))
    CaseFiles(tmp_path).write(case("three", AnswerEquals(text="1")))
    (tmp_path / "broken.json").write_text("{")
    data = open_data({"cases": "."}, folder=tmp_path)
    assert data.count("train") == 1
    assert sorted((one.kind, one.file) for one in data.problems) == [
        ("duplicate", "three"),
        ("malformed", tmp_path.name),
        ("malformed", "two.json"),
    ]
    assert data.skipped == {"malformed": 2, "duplicate": 1}
    with pytest.raises(DataSetError, match="Mend it, or choose malformed"):
        open_data({"cases": ".", "malformed": "stop"}, folder=tmp_path)


@pytest.mark.parametrize("kind", ["cases", "sessions"])
def test_a_folder_without_samples_or_out_of_reach_is_refused(tmp_path, kind):
    (tmp_path / "empty").mkdir()
    for name in ("empty", "missing", "..", "/etc"):
        with pytest.raises(DataSetError):
            open_data({kind: name}, folder=tmp_path)
    (tmp_path / "outside.json").write_text("{}")
    (tmp_path / "empty" / "link.json").symlink_to(tmp_path / "outside.json")
    with pytest.raises(DataSetError, match="link out of"):
        open_data({kind: "empty"}, folder=tmp_path)
    for spec in ({"cases": "a", "sessions": "b"}, {kind: ""}, {kind: 3}, {kind: "a", "columns": {}}):
        with pytest.raises(DataSetError, match="no specification"):
            open_data(spec, folder=tmp_path)


def test_a_folder_of_cases_is_divided_and_has_a_fingerprint(tmp_path):
    for number in range(10):
        CaseFiles(tmp_path).write(case(f"c{number}", AnswerEquals(text="1"), messages=(f"{number}?",)))
    split = {"train": 0.6, "test": 0.4}
    data, same = (open_data({"cases": ".", "split": split}, folder=tmp_path) for _ in range(2))
    assert [data.count(one) for one in ("train", "validation", "test", "all")] == [6, 0, 4, 10]
    assert list(data.samples("test")) == list(same.samples("test"))
    assert data.fingerprint == same.fingerprint != open_data({"cases": "."}, folder=tmp_path).fingerprint


# -- sessions


async def session_file(*messages, state=None):
    service = InMemorySessionService()
    session = await service.create_session(app_name="ace", user_id="u")
    for text in messages:
        content = types.Content(role="user", parts=[types.Part(text=text)])
        event = Event(author="user", invocation_id="i", content=content, actions=EventActions(state_delta=state or {}))
        await service.append_event(session, event)
    sharing = Sharing(service)
    return await sharing.export_session(app_name="ace", user_id="u", session_id=session.id)


async def test_the_first_message_of_a_session_is_its_question(tmp_path):
    told = await session_file("2 + 2?\nAnswer: 4", "and 3 + 3?")
    known = await session_file("天気は？", state={"ground_truth": "晴れ"})
    unknown = await session_file("How are you?")
    for name, file in {"a": told, "b": known, "c": unknown}.items():
        (tmp_path / f"{name}.jsonl").write_text(file.to_text(), encoding="utf-8")
    (tmp_path / "d.jsonl").write_text((await session_file()).to_text())
    (tmp_path / "e.json").write_text(json.dumps({"question": "a"}))
    (tmp_path / "f.jsonl").write_text(told.to_text()[:-20])
    data = open_data({"sessions": "."}, folder=tmp_path)
    assert [(one.id, one.question, one.truth, dict(one.labels)) for one in data.samples("all")] == [
        ("a.jsonl", "2 + 2?", "4", {"pipeline": "ace"}),
        ("b.jsonl", "天気は？", "晴れ", {"pipeline": "ace"}),
        ("c.jsonl", "How are you?", None, {"pipeline": "ace"}),
    ]
    assert [(one.file, one.kind) for one in data.problems] == [
        ("d.jsonl", "empty"),
        ("e.json", "malformed"),
        ("f.jsonl", "malformed"),
    ]


async def test_a_session_of_this_process_is_a_sample_too():
    sample = sample_of_session(await session_file("2 + 2?"), "mine")
    assert (sample.id, sample.question) == ("mine", "2 + 2?")
