"""The form that begins a run: what was typed stays, and what could not be done is said there."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.lab.conftest import SMALL
from tests.ui.lab.test_page import begin, lab_page
from tests.ui.stage import labels, now, opened, said, sound, words
from ui.lab.new_run.presets import presets
from ui.state import data_files, runs

FIRST, SECOND = presets()[0], presets()[1]
MINE = presets()[-1].title
EDITED = 'name = "edited"'


def typed(at: AppTest) -> str:
    return str(at.text_area(key=now(at, "lab_toml")).value)


def edited() -> AppTest:
    at = sound(lab_page())
    return sound(at.text_area(key=now(at, "lab_toml")).set_value(EDITED).run())


def chosen(at: AppTest, title: str) -> AppTest:
    return sound(at.button_group(key="lab_preset").set_value(title).run())


def test_what_was_typed_is_kept_for_each_preset(lab):
    at = chosen(edited(), SECOND.title)
    assert typed(at) == SECOND.text
    assert typed(chosen(at, FIRST.title)) == EDITED


def test_a_text_that_is_changed_and_another_preset_chosen_at_once_is_kept(lab):
    at = sound(lab_page())
    at.text_area(key=now(at, "lab_toml")).set_value(EDITED)
    at = chosen(at, SECOND.title)
    assert typed(at) == SECOND.text
    assert typed(chosen(at, FIRST.title)) == EDITED


def test_what_was_typed_is_there_after_another_page_and_after_a_run(done):
    name, at = done(), chosen(edited(), SECOND.title)
    at = sound(at.text_area(key=now(at, "lab_toml")).set_value("# second").run())
    sound(at.switch_page("gallery.py").run())
    at = sound(at.switch_page("lab.py").run())
    assert (at.button_group(key="lab_preset").value, typed(at)) == (SECOND.title, "# second")
    sound(opened(at, {"run": name}))
    at.query_params.clear()
    assert typed(sound(at.run())) == "# second"


def test_changes_can_be_discarded(lab):
    assert "Reset" not in labels(sound(lab_page()))
    at = sound(edited().button(key="lab_reset").click().run())
    assert typed(at) == FIRST.text
    assert "Reset" not in labels(at)


GERMAN = (
    "Nr;Aufgabe;Lösung\r\n1;Wie weit ist es?;3,5\r\n2;Wie schwer ist es?;1,250\r\n3;Wie schwer ist es?;1,250\r\n"
).encode("cp1252")


def table(at: AppTest) -> dict[str, Any]:
    return tomllib.loads(typed(at))


def uploaded(at: AppTest, name: str, content: bytes) -> AppTest:
    return sound(at.file_uploader(key="lab_file").set_value((name, content, "text/plain")).run())


@pytest.mark.parametrize("name", ["questions (1)_a.jsonl", "質問.csv", 'a"b\\c.csv'])
def test_the_questions_of_an_uploaded_file_are_taken_and_begun(lab, name):
    row = b'{"question": "1 + 1?", "answer": "2"}\n' if name.endswith("l") else b"question,answer\n1 + 1?,2\n"
    at = uploaded(chosen(sound(lab_page()), MINE), name, row)
    [kept] = data_files.kept()
    assert table(at)["data"] == {"file": kept}
    assert at.selectbox(key=now(at, "lab_data")).value == kept
    at = sound(at.button(key="lab_begin").click().run())
    work = runs.workspace().lab_jobs.of("my questions")
    assert work is not None
    work.wait()
    assert work.problem == ""


def test_a_german_file_is_previewed_its_columns_chosen_and_its_numbers_compared(lab):
    at = uploaded(sound(lab_page()), "Fragen.csv", GERMAN)
    assert "cannot be told" in said(at)
    assert "| Nr | Aufgabe | Lösung |" in words(at)
    at = sound(at.selectbox(key=now(at, "lab_data_columns_question")).set_value("Aufgabe").run())
    at = sound(at.selectbox(key=now(at, "lab_data_columns_answer")).set_value("Lösung").run())
    assert said(at) == ""
    assert "| Aufgabe (question) | Lösung (right answer) | Nr |" in words(at)
    assert table(at)["data"]["columns"] == {"question": "Aufgabe", "answer": "Lösung"}
    assert table(at)["scorer"] == {"kind": "number", "decimal": ","}
    assert "1 row left out: 1 duplicate" in [one.label for one in at.expander]
    assert "Fragen.csv has the same sample in line 3." in words(at)


def test_a_json_list_and_cells_that_are_pasted_are_taken(lab):
    at = sound(lab_page())
    for text, suffix in (('[{"question": "Hi?", "answer": "yes"}]', "json"), ("Frage\tAntwort\nHallo?\tja", "csv")):
        at.text_area(key="lab_pasted").set_value(text)
        at = sound(at.button(key="lab_take_pasted").click().run())
        assert table(at)["data"] == {"file": f"pasted.{suffix}"}
        assert table(at)["scorer"] == {"kind": "folded"}
        assert "**1 question**" in words(at)
    assert at.selectbox(key=now(at, "lab_data_columns_question")).value == "Frage"


def test_a_file_that_is_refused_changes_nothing(lab):
    at = uploaded(sound(lab_page()), "a.csv", b"question,answer\n1?,2\n")
    at = at.file_uploader(key="lab_file").set_value(("b.csv", b" \n", "text/csv")).run()
    assert "'b.csv' is empty" in said(at)
    assert table(at)["data"] == {"file": "a.csv"}
    assert data_files.kept() == ["a.csv"]


def test_the_form_writes_the_text_and_the_text_fills_the_form(lab):
    at = sound(lab_page())
    at = sound(at.toggle(key=now(at, "lab_on_offline")).set_value(True).run())
    at = sound(at.number_input(key=now(at, "lab_arms_offline_epochs")).set_value(2).run())
    at = sound(at.toggle(key=now(at, "lab_on_none")).set_value(False).run())
    assert table(at)["arms"] == [{"kind": "online"}, {"kind": "offline", "epochs": 2}]
    at = sound(at.toggle(key=now(at, "lab_on_none")).set_value(True).run())
    assert [arm["kind"] for arm in table(at)["arms"]] == ["none", "online", "offline"]
    data = 'name = "x"\nkeep = "all"\n[data]\ngenerate = "house_rules"\ncount = 8\n'
    text = f'{data}[[arms]]\nkind = "online"\nsimilarity = 0.5\n'
    at = sound(at.text_area(key=now(at, "lab_toml")).set_value(text).run())
    assert at.selectbox(key=now(at, "lab_data")).value == "house_rules"
    assert at.number_input(key=now(at, "lab_data_count")).value == 8
    assert [at.toggle(key=now(at, f"lab_on_{kind}")).value for kind in ("none", "online", "offline")] == [False, True, False]
    assert "Also set in the TOML tab: `keep = " in words(at)
    assert "Also set in the TOML tab: `similarity = 0.5`." in words(at)
    at = sound(at.number_input(key=now(at, "lab_data_count")).set_value(9).run())
    assert table(at) == {**tomllib.loads(text), "data": {"generate": "house_rules", "count": 9}}


def test_a_wrong_text_is_told_and_leaves_the_form_as_it_was(lab):
    at = sound(lab_page())
    at = sound(at.number_input(key=now(at, "lab_data_count")).set_value(7).run())
    at = sound(at.text_area(key=now(at, "lab_toml")).set_value(f"{typed(at)}\nrounds = ").run())
    assert "The TOML tab is not TOML" in said(at)
    assert (
        at.number_input(key=now(at, "lab_data_count")).value,
        at.number_input(key=now(at, "lab_data_count")).disabled,
    ) == (7, True)
    assert at.toggle(key=now(at, "lab_on_none")).value


def test_a_change_that_describes_no_run_is_refused_and_undone_in_the_form(lab):
    at = sound(lab_page())
    at = sound(at.toggle(key=now(at, "lab_on_none")).set_value(False).run())
    at = at.toggle(key=now(at, "lab_on_online")).set_value(False).run()
    assert "at least one way of answering" in said(at)
    assert at.toggle(key=now(at, "lab_on_online")).value
    at = at.text_input(key=now(at, "lab_arms_online_name")).set_value("a:b").run()
    assert "letters, digits" in said(at)
    assert table(at)["arms"] == [{"kind": "online"}]


def test_a_second_arm_of_a_kind_has_a_name_and_options_of_its_own(lab):
    at = sound(sound(lab_page()).button(key="lab_copy_online").click().run())
    at = sound(at.text_input(key=now(at, "lab_arms_online 2_name")).set_value("one look").run())
    at = sound(at.number_input(key=now(at, "lab_arms_one look_rounds")).set_value(1).run())
    assert table(at)["arms"][1:] == [{"kind": "online"}, {"kind": "online", "name": "one look", "rounds": 1}]
    assert "*Most looks at a wrong answer*: 1." in words(at)


def test_a_change_can_be_undone_and_so_can_a_reset(lab):
    at = sound(lab_page())
    at = sound(at.text_area(key=now(at, "lab_toml")).set_value(f"# mine\n{FIRST.text}").run())
    at = sound(at.number_input(key=now(at, "lab_data_count")).set_value(7).run())
    assert "# mine" in typed(at)
    assert "count = 7" in typed(at)
    at = sound(at.button(key="lab_undo_change").click().run())
    assert typed(at) == f"# mine\n{FIRST.text}"
    at = sound(at.button(key="lab_reset").click().run())
    assert typed(at) == FIRST.text
    at = sound(at.button(key="lab_undo_change").click().run())
    assert typed(at) == f"# mine\n{FIRST.text}"


def test_a_reload_keeps_the_draft_and_what_is_switched_off(lab):
    at = chosen(sound(lab_page()), SECOND.title)
    at = sound(at.number_input(key=now(at, "lab_arms_online_rounds")).set_value(2).run())
    at = sound(at.toggle(key=now(at, "lab_on_online")).set_value(False).run())
    again = sound(lab_page())
    assert (again.button_group(key="lab_preset").value, typed(again)) == (SECOND.title, typed(at))
    again = sound(again.toggle(key=now(again, "lab_on_online")).set_value(True).run())
    assert table(again)["arms"][0] == {"kind": "online", "rounds": 2}


def test_stored_drafts_that_cannot_be_read_are_left_out(lab):
    lab.folder.mkdir(parents=True)
    (lab.folder / ".drafts.json").write_text('{"chosen": 1')
    assert typed(sound(lab_page())) == FIRST.text


def test_it_is_said_what_a_run_takes_and_why_it_cannot_begin(lab):
    at = sound(lab_page())
    assert "2 ways of answering: **480 – 720 calls**" in words(at)
    at = uploaded(at, "a.csv", b"question,answer\n1?,2\n3?,4\n")
    assert "2 ways of answering: **8 – 12 calls**" in words(at)
    at = sound(at.toggle(key=now(at, "lab_on_offline")).set_value(True).run())
    assert "The split 'test' of the data has no samples" in words(at)


def test_a_visitor_sees_no_rows_of_files_and_stores_no_draft(lab, visit):
    at = uploaded(sound(lab_page()), "a.csv", b"question,answer\nsecret?,2\n")
    stored = (lab.folder / ".drafts.json").read_bytes()
    visit()
    at = sound(lab_page())
    assert typed(at) == FIRST.text
    assert "a.csv" not in at.selectbox(key=now(at, "lab_data")).options
    assert "secret" not in words(at)
    assert (lab.folder / ".drafts.json").read_bytes() == stored


def test_what_could_not_be_begun_is_not_said_of_the_run_that_is_opened_then(done):
    name = done()
    at = begin(sound(lab_page()), SMALL.replace("formulas", "horoscopes"))
    assert "horoscopes" in said(at)
    at = sound(opened(at, {"run": name}))
    assert "**0 of 8** (0.0%)" in words(at)
    assert said(at) == ""


def test_a_request_from_before_the_form_followed_the_text_changes_nothing(lab):
    at = sound(lab_page())
    text = FIRST.text.replace("count = 120", "count = 8")
    assert text != FIRST.text
    at = sound(at.text_area(key=now(at, "lab_toml")).set_value(text).run())
    field = at.number_input(key=now(at, "lab_data_count"))
    assert (field.value, field.key) == (8, "lab_data_count#1"), "the old field, whose value may still come, is another one"
    at = sound(at.run())
    assert typed(at) == text


COMMENTED = """name = "x"  # its name
data = { generate = "formulas" }

[[arms]]
kind = "none"

[[arms]]
kind = "online"  # it learns
"""


def test_a_change_keeps_the_comments_of_what_it_does_not_take_away(lab):
    at = sound(lab_page())
    at = sound(at.text_area(key=now(at, "lab_toml")).set_value(COMMENTED).run())
    at = sound(at.number_input(key=now(at, "lab_data_count")).set_value(7).run())
    at = sound(at.toggle(key=now(at, "lab_on_none")).set_value(False).run())

    assert [said in typed(at) for said in ("# its name", "# it learns", "count = 7", '"none"')] == [True, True, True, False]
