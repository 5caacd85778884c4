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
    assert most == script_turns.AT_ONCE


def test_a_script_that_fails_gives_its_turn_back(monkeypatch):
    monkeypatch.setattr(script_turns, "PATIENCE", 60.0)
    for _ in range(script_turns.AT_ONCE + 1):
        with pytest.raises(KeyError), script_turns.turn():
            raise KeyError


def test_a_script_that_waits_for_long_keeps_the_others_waiting_for_a_while_only(monkeypatch):
    monkeypatch.setattr(script_turns, "PATIENCE", 0.01)
    with ThreadPoolExecutor(1) as other, script_turns.turn():
        assert other.submit(lambda: script_turns.turn().__enter__()).result(timeout=30) is None
