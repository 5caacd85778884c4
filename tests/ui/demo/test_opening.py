"""The playbook that a demo begins with."""

from __future__ import annotations

import pytest

from agents.ace import Add, DeltaBatch
from ui.demo import opening


@pytest.fixture(autouse=True)
def as_before():
    yield
    opening.begin(None)


def made(manager, **options) -> str:
    return opening.made_once(lambda: opening.new_playbook(manager), **options)


def test_each_demo_gets_the_next_free_name_and_nothing_else_is_touched(manager):
    manager.playbooks("ace").commit(DeltaBatch(operations=[Add(section="s", content="mine")]))
    manager.playbooks("demo 2").create("demo 2")
    assert [opening.new_playbook(manager) for _ in range(2)] == ["demo 1", "demo 3"]
    assert len(manager.playbooks("demo 3").playbook()) == 0
    assert opening.new_playbook(manager, "demo", lambda name: [name.replace("4", "1")]) == "demo 5"
    assert [bullet.content for bullet in manager.playbooks("ace").playbook().bullets] == ["mine"]


def test_a_process_has_one_playbook_for_all_its_tabs(manager):
    opening.begin("ace")
    assert opening.demo() == "ace"
    assert {made(manager) for _ in range(3)} == {"demo 1"}
    assert made(manager, is_there=lambda _: False) == "demo 2"
    opening.begin("ace")
    assert made(manager) == "demo 3"


def test_a_plain_process_is_for_no_demo(manager):
    opening.begin(None)
    assert opening.demo() is None
    assert manager.playbooks("x").names() == []
