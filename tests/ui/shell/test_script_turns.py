"""Turns of page scripts: one draws at a time, and one that waits for long keeps none waiting for ever."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ui.shell import script_turns


def test_scripts_draw_one_after_the_other():
    drawing, most, lock = 0, 0, threading.Lock()

    def script() -> None:
        nonlocal drawing, most
        with script_turns.turn():
            with lock:
                drawing += 1
                most = max(most, drawing)
            threading.Event().wait(0.002)  # others get to run, and would draw
            with lock:
                drawing -= 1

    with ThreadPoolExecutor(8) as threads:
        for done in [threads.submit(script) for _ in range(16)]:
            done.result()
    assert most == 1


def test_a_script_that_has_drawn_what_users_wait_for_goes_on_after_those_that_have_not():
    drawn: list[str] = []

    def script(name: str) -> None:
        with script_turns.turn():
            drawn.append(f"{name}: session")
            script_turns.give_way()
            drawn.append(f"{name}: rest")

    with ThreadPoolExecutor(3) as threads:
        with script_turns.turn():
            scripts = []
            for number, name in enumerate("abc", 1):
                scripts.append(threads.submit(script, name))
                while len(script_turns._turns._waiting[False]) < number:
                    threading.Event().wait(0.001)
        for done in scripts:
            done.result()
    assert drawn == [f"{name}: {part}" for part in ("session", "rest") for name in "abc"]


def test_others_draw_one_at_a_time_while_a_script_waits_for_long(monkeypatch):
    monkeypatch.setattr(script_turns, "PATIENCE", 0.01)
    turns = script_turns.Turns()
    stuck = turns.take()
    second = turns.take()
    turns.give(stuck)  # it goes on at last, and the turn is another's

    monkeypatch.setattr(script_turns, "PATIENCE", 60.0)
    with ThreadPoolExecutor(1) as threads:
        third = threads.submit(turns.take)
        while not turns._waiting[False]:
            threading.Event().wait(0.001)
        assert not third.done()
        turns.give(second)
        turns.give(third.result(timeout=30))


def test_a_page_without_turns_gives_none_away():
    script_turns.give_way()


def test_a_script_that_fails_gives_its_turn_back(monkeypatch):
    monkeypatch.setattr(script_turns, "PATIENCE", 60.0)
    for _ in range(2):
        with pytest.raises(KeyError), script_turns.turn():
            raise KeyError


def test_a_script_that_waits_for_long_keeps_the_others_waiting_for_a_while_only(monkeypatch):
    monkeypatch.setattr(script_turns, "PATIENCE", 0.01)
    with ThreadPoolExecutor(1) as other, script_turns.turn():
        assert other.submit(lambda: script_turns.turn().__enter__()).result(timeout=30) is None
