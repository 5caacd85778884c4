"""The page of *Watch it learn*, the ways to it, and what its stage is given."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from tests.ui.playbook.stage import playbook_page
from tests.ui.stage import gallery, labels, page, query, said, sound, words
from ui.demo import opening
from ui.demo.opening import PIPELINE
from ui.demo.preset import WATCH
from ui.demo.watch import arms, entry, player
from ui.demo.watch.arms import Watch, new_watch
from ui.demo.watch.picture import picture
from ui.playbook.shown_playbook import ANY


@pytest.fixture(autouse=True)
def few_questions(monkeypatch):
    """Six questions of two kinds, three a session; the process is for no demo afterwards."""
    for name, value in {"QUESTIONS": 6, "KINDS": 2, "PER_SESSION": 3}.items():
        monkeypatch.setattr(arms, name, value)
    arms.questions.cache_clear()
    yield
    arms.questions.cache_clear()
    opening.begin(None)


@pytest.fixture
def watch(manager):
    """A watch that was played to the end of what it learns."""
    made = new_watch(manager)
    play(made)
    return made


def play(watch: Watch) -> None:
    player.play(watch, speed="Full speed")
    assert problem(watch) == ""


def problem(watch: Watch) -> str:
    """Why its questions ended early; waits for their end."""
    job = player.job_of(watch)
    job.wait()
    return job.problem


def end(manager, name: str) -> None:
    player.stop(Watch(manager, name))


def test_one_click_on_the_playbook_page_begins_to_play(manager):
    at = sound(playbook_page())
    at.button(key="watch_it_learn").click()
    at = sound(at.run())
    assert query(at) == {"demo": "learning 1"}
    assert [info.name for info in manager.playbooks(ANY).names()] != []
    end(manager, "learning 1")
    assert problem(Watch(manager, "learning 1")) == ""


def test_a_visitor_is_told_why_nothing_is_made(manager, visit):
    visit()
    at = sound(playbook_page())
    at.button(key="watch_it_learn").click()
    assert "A visitor may not change playbooks" in said(sound(at.run()))
    assert manager.playbooks(ANY).names() == []


def test_one_click_in_the_gallery_leads_to_the_page(manager):
    at = sound(gallery(pipeline=PIPELINE))
    at.button(key="watch_it_learn").click()
    at = sound(at.run())
    assert query(at) == {"demo": "learning 1"}
    assert "Watch it learn" in [header.value.partition(" :")[0] for header in at.header]
    end(manager, "learning 1")
    assert "watch_it_learn" not in [button.key for button in sound(gallery(pipeline="iterative_writing")).button]


def test_a_process_started_for_it_leads_there_once_for_all_tabs(manager):
    opening.begin(WATCH)
    assert [query(sound(page())) for _ in range(2)] == [{"demo": "learning 1"}] * 2
    end(manager, "learning 1")


def test_real_models_are_asked_only_after_the_calls_were_told(manager):
    at = sound(playbook_page(model="gemini-flash-latest"))
    at.button(key="watch_it_learn").click()
    at = sound(at.run())
    watch = Watch(manager, "learning 1")
    assert manager.sessions.summaries(PIPELINE) == []
    at = sound(at.button(key="watch_play").click().run())
    assert "**12 questions, up to 60 calls of gemini-flash-latest.**" in words(at)
    assert manager.sessions.summaries(PIPELINE) == []
    at.button(key="watch_yes").click()
    sound(at.run())
    assert problem(watch)
    assert "GEMINI_API_KEY" in said(sound(at.run()))
    assert "Play" in labels(at)


def test_the_bullets_are_taken_away_and_all_of_it_is_removed_and_brought_back(manager, watch):
    at = sound(playbook_page(demo=watch.name))
    assert at.button(key="watch_play").disabled
    at.button(key="watch_take_away").click()
    sound(at.run())
    assert problem(watch) == ""
    assert len(watch.answers("without")) == 6

    at = sound(playbook_page(demo=watch.name))
    assert at.button(key="watch_take_away").disabled
    at.button(key="watch_remove").click()
    at = sound(at.run())
    assert "is not here" in said(at)
    assert (manager.playbooks(ANY).names(), manager.sessions.summaries(PIPELINE)) == ([], [])
    at.button(key="watch_restore").click()
    at = sound(at.run())
    assert len(watch.answers("without")) == 6
    at.button(key="watch_growth").click()
    assert query(sound(at.run())) == {"playbook": watch.name, "tab": "growth"}


def test_a_link_to_a_watch_that_is_not_here_says_so(manager):
    at = sound(playbook_page(demo="<b>none"))
    assert "is not here" in said(at)
    assert "can be brought back" in said(sound(at.button(key="watch_restore").click().run()))


def test_it_plays_at_the_speed_of_the_tab_until_a_tab_changes_it(manager):
    watch = new_watch(manager)
    at = sound(playbook_page(demo=watch.name))
    at.segmented_control(key="watch_speed").set_value("½×")
    at = sound(at.run())
    at = sound(at.button(key="watch_play").click().run())
    assert player.playing_now(watch).speed == "½×"
    at.segmented_control(key="watch_speed").set_value("1×")
    sound(at.run())
    assert player.playing_now(watch).speed == "1×"
    end(manager, watch.name)


def test_the_stage_shows_what_is_stored(watch):
    shown = picture(watch)
    last = watch.answers("learning")[-1]
    assert (shown.now.question, shown.now.sign) == (last.question, "✓")
    assert "kept empty: ✗ wrong" in shown.now.beside
    learning, empty = shown.charts[0].lines
    assert [learning.points[0], empty.points[-1]] == [(1, 0), (6, 0)]
    assert learning.score > empty.score == "0 of 6"
    assert shown.kept == f"{len(watch.store('learning').playbook())} bullets learned"
    assert json.dumps(asdict(shown))


def test_without_the_bullets_the_curve_goes_on_from_its_end_and_falls(watch):
    watch.take_away()
    before = picture(watch)
    assert before.now.question == "The same questions again."
    [chart] = before.charts
    assert ([mark.at for mark in chart.marks], chart.across) == ([6], 12)
    assert any(bullet.taken for bullet in before.bullets)
    play(watch)
    learning, _, without = picture(watch).charts[0].lines
    assert without.points[0] == learning.points[-1]
    assert without.points[-1][0] == 12
    assert without.points[-1][1] < without.points[0][1]


def test_the_page_is_offered_only_with_its_pipeline(manager, monkeypatch):
    assert entry.is_offered(manager)
    monkeypatch.setattr(entry, "PIPELINE", "none")
    assert not entry.is_offered(manager)
