"""Which keys have a reducer, and that nothing of it is loaded or asked before one of them is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agents.state import REDUCED, State, check_state_value
from agents.storage.reducer import CHOOSING, Origin, Reducers, StateReducer


class Adding(StateReducer):
    """Keeps a sum, in memory."""

    def __init__(self):
        self.sum = 0

    @staticmethod
    def check(key, operation):
        if not isinstance(operation, int):
            raise TypeError(key)

    def commit(self, conn, operation, state, origin):
        self.sum += operation
        return {"added": operation}

    def read(self, conn, app_name, state):
        return f"{app_name}: {self.sum}"


@pytest.fixture
def adding(monkeypatch):
    monkeypatch.setattr("agents.state._REDUCERS", {"app:playbook": f"{__name__}:Adding"})


def test_a_reducer_is_made_once_for_a_service(adding):
    one, other = Reducers(), Reducers()
    assert isinstance(one.for_key("app:playbook"), Adding)
    assert one.for_key("app:playbook") is one.for_key("app:playbook")
    assert other.for_key("app:playbook") is not one.for_key("app:playbook")


def test_values_are_read_for_keys_that_are_there(adding):
    reducers = Reducers()
    reducers.for_key("app:playbook").commit(None, 3, {}, Origin("app", "s", "i", 1, 1.0))
    state = {"app:playbook": {"added": 3}, "a": 1}
    assert reducers.values(state, None, "app") == {"app:playbook": "app: 3"}
    assert state == {"app:playbook": "app: 3", "a": 1}
    untouched = {"a": 1}
    assert reducers.values(untouched, None, "app") == {}
    assert untouched == {"a": 1}


def test_state_checks_what_is_written_to_such_a_key(adding):
    delta = {}
    state = State({}, delta)
    state["app:playbook"] = 3
    state["app:other"] = "anything"
    with pytest.raises(TypeError, match="app:playbook"):
        state["app:playbook"] = "three"
    assert delta == {"app:playbook": 3, "app:other": "anything"}
    check_state_value("app:playbook", 4)


def test_a_key_that_chooses_is_none_that_is_reduced():
    assert not CHOOSING & REDUCED
    assert all(key.startswith("app:") for key in REDUCED)


def test_nothing_of_playbooks_is_loaded_before_one_is_used():
    code = """
import asyncio, sys
from agents import Event, EventActions, InMemorySessionService, State
async def main():
    service = InMemorySessionService()
    session = await service.create_session(app_name="a", user_id="u", state={"app:k": 1})
    await service.append_event(session, Event(author="x", actions=EventActions(state_delta={"app:k": 2, "k": 3})))
    assert (await service.get_session(app_name="a", user_id="u", session_id=session.id)).state == {"app:k": 2, "k": 3}
asyncio.run(main())
print([name for name in sys.modules if name.startswith("agents.ace")])
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
