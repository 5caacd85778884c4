"""Lesson files: what is wrong with one is named with its file and line, and a translation changes texts alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.errors import LessonError
from agents.lessons import lesson_file, load_lesson, read_lesson
from agents.lessons.toml_lines import MOST_BYTES
from agents.pipelines import load_built_in

GOOD = '''\
title = "T"
minutes = 5
level = "easy"
goal = """
What
[[steps]] = "no key: this is a text"
"""

[[steps]]
id = "one"
kind = "predict"
text = "How many?"
answer = { take = "count", match = { kind = "event" } }
choices = [
  { text = "None", value = 0 },  # "quoted", and [brackets]
  { text = "Many", value = [2, 3] },
]

[[steps]]
id = "two"
kind = "investigate"
text = "Where?"
find = { what = "state", key = "criticism" }

[[steps.wrong]]
answer = "other"
hint = "Not there."
'''


def broken(tmp_path, before, after, *, source=GOOD):
    assert before in source
    path = tmp_path / "lesson.toml"
    path.write_text(source.replace(before, after), encoding="utf-8")
    with pytest.raises(LessonError) as caught:
        read_lesson(path)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(f"{path}, ")


def test_a_good_file_is_read(tmp_path):
    (tmp_path / "lesson.toml").write_text(GOOD, encoding="utf-8")
    lesson = read_lesson(tmp_path / "lesson.toml")
    assert [step.id for step in lesson.steps] == ["one", "two"]
    assert lesson.points == 2


@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ('level = "easy"', 'level = "trivial"', 3, "level: "),
        ("minutes = 5\n", "", 1, "minutes: it is missing"),
        ('text = "How many?"', 'text = "How many?"\npionts = 2', 13, "steps.1.pionts: there is no such key"),
        ('kind = "predict"', 'kind = "guess"', 9, "'guess' is unknown"),
        ('take = "count"', 'take = "sum"', 13, "'sum' is unknown"),
        ('kind = "event" }', 'kind = "evnet" }', 13, "'evnet' is no kind of log entry"),
        ('{ text = "Many", value = [2, 3] }', "{ value = 2 }", 16, "steps.1.choices.2.text: it is missing"),
        ('id = "two"', 'id = "one"', 1, "two steps have the id 'one'"),
        ('answer = "other"\n', "", 25, "give exactly one of"),
        ('text = "Where?"', 'text = "Where?', 22, "it is no TOML"),
        ('text = "Where?"', f"text = {'[' * 100}", 22, "nested too deep"),
        ('text = "Where?"', f'text = "Where?"\nreveal.{"a." * 60}a = 1', 23, "nested too deep"),
        ('text = "Where?"', f'text = "Where?"\nreveal = {"{ a = " * 60}1{" }" * 60}', 1, "nested too deep"),
        ('answer = { take = "count", match', 'answer = { take = "next", number = 0, match', 13, "steps.1.answer.number: "),
        ('answer = { take = "count", match', 'answer = { take = "state", key = "x", number = 0, match', 13, "counts from 1"),
        ('text = "Where?"', 'text = "Where?"\nrun = { faults = ["Critic:explode"] }', 23, "is no fault"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, before, after, line, words):
    said = broken(tmp_path, before, after)
    assert said.startswith(f"line {line}: "), said
    assert words in said


def test_a_judge_is_no_part_of_a_lesson(tmp_path):
    judge = 'kind = "play"\nagent = "A"\nexpect = [{ kind = "judge", rubric = "fine" }]'
    source = GOOD.replace('kind = "investigate"', judge).replace('find = { what = "state", key = "criticism" }', "")
    assert "scored without a model" in broken(tmp_path, "Where?", "What?", source=source)


def test_files_that_are_no_text_or_too_large_are_named(tmp_path):
    path = tmp_path / "lesson.toml"
    for content, words in ((b'title = "\xff"', "UTF-8"), (b"#" * (MOST_BYTES + 1), "larger"), (b"", "title: it is missing")):
        path.write_bytes(content)
        with pytest.raises(LessonError, match=words):
            read_lesson(path)


def test_an_agent_that_the_pipeline_has_not_is_named(tmp_path):
    pipeline = replace(load_built_in("iterative_writing"), folder=tmp_path)
    play = (
        GOOD.replace('kind = "investigate"', 'kind = "play"\nagent = "Nobody"')
        .replace('find = { what = "state", key = "criticism" }', "")
        .replace('answer = "other"', 'expect = [{ kind = "at_most", calls = 1 }]')
    )
    (tmp_path / "lesson.toml").write_text(play, encoding="utf-8")
    with pytest.raises(LessonError, match="line 22: the pipeline has no agent 'Nobody'"):
        load_lesson(pipeline)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    (tmp_path / "away.toml").write_text(GOOD, encoding="utf-8")
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "lesson.toml").symlink_to(tmp_path / "away.toml")
    with pytest.raises(LessonError, match="outside"):
        load_lesson(replace(load_built_in("iterative_writing"), folder=folder))


@pytest.fixture
def translate(tmp_path, monkeypatch):
    monkeypatch.setattr(lesson_file, "_FOLDER", tmp_path)
    (tmp_path / "xx").mkdir()
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "lesson.toml").write_text(GOOD, encoding="utf-8")
    pipeline = replace(load_built_in("iterative_writing"), folder=folder)

    def load(text):
        (tmp_path / "xx" / "iterative_writing.toml").write_text(text, encoding="utf-8")
        return load_lesson(pipeline, "xx")

    return load


def test_a_translation_changes_texts_and_nothing_else(translate):
    choices = '[{ text = "Aucun" }, { text = "Plusieurs", hint = "Non." }]'
    lesson = translate(f'title = "Titre"\n[steps.one]\nchoices = {choices}\n[steps.two]\nwrong = ["Pas là."]\n')
    assert (lesson.title, lesson.goal.strip()[:4], lesson.steps[0].text) == ("Titre", "What", "How many?")
    assert [(one.text, one.value, one.hint) for one in lesson.steps[0].choices] == [
        ("Aucun", 0, ""),
        ("Plusieurs", [2, 3], "Non."),
    ]
    assert (lesson.steps[1].wrong[0].hint, lesson.steps[1].wrong[0].answer) == ("Pas là.", "other")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('titel = "T"', 1, "no such key"),
        ('title = "T"\n[steps.three]\ntext = "x"', 2, "no step 'three'"),
        ("[steps.one]\npoints = 9", 2, "no such key"),
        ('[steps.one]\nchoices = [{ text = "a" }]', 2, "the lesson has 2 of them"),
        ('[steps.one]\nchoices = [\n  { text = "a" },\n  { value = 3 },\n]', 4, "write { text"),
        ("[steps.one]\ntext = 3", 2, "write a text"),
    ],
)
def test_what_is_wrong_with_a_translation_is_named_with_its_line(translate, text, line, words):
    with pytest.raises(LessonError) as caught:
        translate(text)
    assert f", line {line}: " in str(caught.value)
    assert words in str(caught.value)
