from __future__ import annotations

import copy

import pytest
from pydantic import ValidationError

from agents.event import Event
from agents.session import GetSessionConfig, Session, session_not_found


def test_sessions_compare_by_value():
    def make():
        return Session(id="s", app_name="a", user_id="u", state={"k": [1]}, events=[Event(id="e", timestamp=1.0)])

    one, two = make(), make()
    assert one == two
    one.note(5)
    assert one == two
    two.state["k"].append(2)
    assert one != two
    assert one != "s"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, Session.model_copy, lambda s: s.model_copy(deep=True)])
def test_a_copy_knows_as_much_of_the_log(copied):
    session = Session(id="s", app_name="a", user_id="u", state={"k": 1})
    session.note(5)
    again = copied(session)
    assert again == session
    assert again is not session
    assert again.last_seq == 5


def test_what_is_known_of_the_log_only_grows():
    session = Session(id="s", app_name="a", user_id="u")
    assert session.last_seq == 0
    session.note(5)
    session.note(3)
    assert session.last_seq == 5


def test_how_much_to_read_cannot_be_negative():
    with pytest.raises(ValidationError):
        GetSessionConfig(num_recent_events=-1)


def test_a_missing_session_is_named():
    message = str(session_not_found("app", "user", "s1"))
    assert "'s1' of 'app' for user 'user'" in message
    assert "create_session" in message
