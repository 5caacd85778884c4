"""Three arms and the player that asks their questions."""

from __future__ import annotations

import pytest

from ui.demo.opening import PIPELINE
from ui.demo.watch import arms, player
from ui.demo.watch.arms import Watch, new_watch


@pytest.fixture(autouse=True)
def few_questions(monkeypatch):
    """Nine questions of three kinds, four a session."""
    for name, value in {"QUESTIONS": 9, "KINDS": 3, "PER_SESSION": 4}.items():
        monkeypatch.setattr(arms, name, value)
    arms.questions.cache_clear()
    yield
    arms.questions.cache_clear()


def played(watch: Watch) -> None:
    player.play(watch, speed="Full speed")
    assert problem(watch) == ""


def problem(watch: Watch) -> str:
    """Why its questions ended early; waits for their end."""
    job = player.job_of(watch)
    job.wait()
    return job.problem


def right(watch: Watch, arm: arms.Arm) -> list[bool | None]:
    return [answer.right for answer in watch.answers(arm)]


def test_the_learning_arm_climbs_the_empty_one_stays_and_without_its_bullets_it_falls(manager):
    watch = new_watch(manager)
    assert not watch.can_take_away()
    played(watch)
    assert len(right(watch, "learning")) == len(right(watch, "empty")) == 9
    assert right(watch, "learning")[:3] == [False] * 3
    assert right(watch, "learning")[-3:] == [True] * 3
    assert not any(right(watch, "empty"))
    assert len(watch.store("empty").playbook()) == 0

    assert watch.can_take_away()
    watch.take_away()
    watch.take_away()
    assert not watch.can_take_away()
    assert watch.remaining() == 9
    assert 0 <= len(watch.store("without").playbook()) < len(watch.store("learning").playbook())
    played(watch)
    assert right(watch, "without")[-3:] == [False] * 3
    assert watch.due() == []
    assert [len(watch.sessions(arm)) for arm in watch.arms()] == [3, 3, 3]


def test_what_was_asked_is_read_from_the_playbooks_so_another_player_goes_on(manager):
    watch = new_watch(manager)
    run = watch.ask("learning", 0, None)
    assert player.job_of(watch) is None
    manager.stop(PIPELINE, run.session_id)
    again = Watch(manager, watch.name)
    played(again)
    assert len(again.answers("learning")) == 9


def test_one_tab_plays_what_another_one_pauses(manager):
    watch = new_watch(manager)
    player.play(watch)
    player.pause(Watch(manager, watch.name))
    assert problem(watch) == ""
    assert player.playing_now(watch) is None
    assert watch.due()


def test_a_failed_run_pauses_the_player_and_says_why(manager):
    watch = new_watch(manager)
    player.play(watch, "gemini-flash-latest")
    assert "GEMINI_API_KEY" in problem(watch)
    assert player.playing_now(watch) is None
    played(watch)


def test_stop_ends_the_runs_of_the_moment_and_play_asks_the_question_again(manager):
    watch = new_watch(manager)
    player.play(watch)
    player.stop(watch)
    assert player.playing_now(watch) is None
    assert problem(watch) == ""
    assert all(row.status != "running" for row in manager.sessions.each())
    played(watch)


def test_all_of_it_is_removed_and_comes_back(manager):
    manager.playbooks("mine").create("mine")
    watch = new_watch(manager)
    played(watch)
    before = watch.answers("learning")
    watch.remove()
    assert watch.arms() == []
    assert [info.name for info in manager.playbooks("mine").names()] == ["mine"]
    assert manager.sessions.summaries(PIPELINE) == []
    assert watch.restore()
    assert watch.answers("learning") == before
    assert len(manager.sessions.summaries(PIPELINE)) == 6


def test_the_next_watch_has_other_names_and_its_own_sessions(manager):
    first = new_watch(manager)
    second = new_watch(manager)
    assert (first.name, second.name) == ("learning 1", "learning 2")
    assert set(first.sessions("learning")).isdisjoint(second.sessions("learning"))
    assert first.questions != second.questions


def test_a_playbook_that_is_no_watch_has_no_arms(manager):
    manager.playbooks("mine").create("mine")
    assert Watch(manager, "mine").arms() == []
    assert Watch(manager, "none").due() == []
