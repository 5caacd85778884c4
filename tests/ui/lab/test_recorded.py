"""The recorded runs on the Lab page: they open without a model, read only."""

from __future__ import annotations

from typing import Any

import pytest

from agents.models.local.model_cache import ModelCache
from tests.ui.lab.test_page import lab_page
from tests.ui.stage import query, sound, words
from ui.cli import main as cli
from ui.lab.recorded.recorded_list import recordings
from ui.state import runs

[RECORDING] = recordings()
NAME, BUTTON = "recorded-transplant", "lab_recorded_transplant"


@pytest.fixture(autouse=True)
def no_model(monkeypatch, tmp_path):
    """A models folder without a file, and a model that may not be asked."""
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path / "models"))

    def asked(*_: Any) -> None:
        raise AssertionError("the model was asked")

    monkeypatch.setattr(ModelCache, "borrowed", asked)


def opened():
    return sound(lab_page().button(key=BUTTON).click().run())


def test_it_is_opened_from_the_list_and_shows_its_answers(lab):
    at = sound(lab_page())
    assert f"recorded on {RECORDING.day} · weights {RECORDING.sha256[:12]}…" in words(at)
    at = sound(at.button(key=BUTTON).click().run())
    assert query(at)["run"] == NAME
    with lab.open(NAME) as run:
        learned = run.summary("learned")
    assert f"**{learned.right} of {learned.of}** ({learned.accuracy:.1%})" in words(at)
    assert "**learned** against none: " in words(at)
    assert not [button for button in at.button if button.key in ("lab_resume", "lab_stop")]


def test_opened_twice_it_is_there_once(lab):
    opened()
    opened()
    assert lab.names() == [NAME]


def test_an_answer_is_shown_and_its_session_is_opened(lab):
    opened()
    at = sound(lab_page(run=NAME, sample="learned:0:2"))
    assert "Question 2 of 40" in [heading.value for heading in at.subheader]
    sound(at.button(key="lab_session").click().run())
    [session] = runs.manager().sessions.summaries("ace")
    assert session.title == f"Lab {NAME}: learned, sample 2"


def test_without_the_weights_it_is_said_that_nothing_can_be_answered_again(lab):
    opened()
    with lab.open(NAME) as run:
        there = {bullet.id for bullet in run.playbook("learned", 0).playbook().bullets}
        number, id_ = next((one.number, id_) for one in run.results("learned", 0) for id_ in one.cited if id_ in there)
    at = sound(lab_page(run=NAME, sample=f"learned:0:{number + 1}"))
    at = sound(at.button(key=f"lab_off_{id_}").click().run())
    assert "There is no file for the model 'local/qwen2.5-coder-1.5b-instruct-q4_k_m'" in words(at)


def test_a_visitor_cannot_put_it_beside_the_owners_runs(lab, visit):
    visit()
    assert sound(lab_page()).button(key=BUTTON).disabled


def test_the_terminal_reports_it_once_it_was_opened(lab, capsys):
    opened()
    assert cli.main(["lab", "report", NAME, "--db", str(runs.database())]) == 0
    printed = capsys.readouterr().out
    assert "McNemar" in printed
    assert "simulated" not in printed
