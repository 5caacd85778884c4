"""The form that begins a run: what was typed stays, and what could not be done is said there."""

from __future__ import annotations

import tomllib

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.lab.test_page import SMALL, begin, done, lab_page
from tests.ui.stage import labels, opened, said, sound, words
from ui.lab.new_run import drafts
from ui.lab.new_run.presets import presets
from ui.state import data_files, runs

FIRST, SECOND = presets()[0], presets()[1]
EDITED = 'name = "edited"'


def typed(at: AppTest) -> str:
    return str(at.text_area(key="lab_description").value)


def edited() -> AppTest:
    at = sound(lab_page())
    return sound(at.text_area(key="lab_description").set_value(EDITED).run())


def chosen(at: AppTest, title: str) -> AppTest:
    return sound(at.button_group(key="lab_preset").set_value(title).run())


def test_what_was_typed_is_kept_for_each_preset(lab):
    at = chosen(edited(), SECOND.title)
    assert typed(at) == SECOND.text
    assert typed(chosen(at, FIRST.title)) == EDITED


def test_a_text_that_is_changed_and_another_preset_chosen_at_once_is_kept(lab):
    at = sound(lab_page())
    at.text_area(key="lab_description").set_value(EDITED)
    at = chosen(at, SECOND.title)
    assert typed(at) == SECOND.text
    assert typed(chosen(at, FIRST.title)) == EDITED


def test_what_was_typed_is_there_after_another_page_and_after_a_run(lab):
    name, at = done(), chosen(edited(), SECOND.title)
    at = sound(at.text_area(key="lab_description").set_value("# second").run())
    sound(at.switch_page("gallery.py").run())
    at = sound(at.switch_page("lab.py").run())
    assert (at.button_group(key="lab_preset").value, typed(at)) == (SECOND.title, "# second")
    sound(opened(at, {"run": name}))
    at.query_params.clear()
    assert typed(sound(at.run())) == "# second"


def test_changes_can_be_discarded(lab):
    assert "Discard changes" not in labels(sound(lab_page()))
    at = sound(edited().button(key="lab_reset").click().run())
    assert typed(at) == FIRST.text
    assert "Discard changes" not in labels(at)


@pytest.mark.parametrize("name", ["questions (1)_a.jsonl", "質問.csv"])
def test_an_uploaded_file_is_named_as_a_description_wants_it_and_put_into_one(lab, name):
    row = b'{"question": "1 + 1?", "answer": "2"}\n' if name.endswith("l") else b"question,answer\n1 + 1?,2\n"
    at = sound(lab_page())
    at = sound(at.file_uploader(key="lab_file").set_value((name, row, "text/plain")).run())
    [code] = [one.value for one in at.code]
    assert tomllib.loads(code) == {"file": name}
    at = sound(at.button(key="lab_use_file").click().run())
    assert at.button_group(key="lab_preset").value == "My own questions"
    assert tomllib.loads(typed(at))["data"] == {"file": name}
    at = sound(at.button(key="lab_begin").click().run())
    work = runs.workspace().lab_jobs.of("my questions")
    assert work is not None
    work.wait()
    assert work.problem == ""


def test_a_file_that_is_refused_is_not_said_to_be_kept(lab):
    at = sound(lab_page())
    sound(at.file_uploader(key="lab_file").set_value(("a.csv", b"question,answer\n1?,2\n", "text/csv")).run())
    assert "is kept" in " ".join(one.value for one in at.success)
    at = at.file_uploader(key="lab_file").set_value(("b.csv", b" \n", "text/csv")).run()
    assert "'b.csv' is empty" in said(at)
    assert not at.success
    assert data_files.kept() == ["a.csv"]


def test_what_could_not_be_begun_is_not_said_of_the_run_that_is_opened_then(lab):
    name = done()
    at = begin(sound(lab_page()), SMALL.replace("formulas", "horoscopes"))
    assert "horoscopes" in said(at)
    at = sound(opened(at, {"run": name}))
    assert "**0 of 8** (0.0%)" in words(at)
    assert said(at) == ""


@pytest.mark.parametrize("name", ['a"b\\c.csv', "a b.csv"])
def test_a_name_in_quotes_is_read_as_it_is(name):
    assert tomllib.loads(f"file = {drafts.quoted(name)}") == {"file": name}
