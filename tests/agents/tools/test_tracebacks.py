"""Tracebacks as values: frames, causes, limits, no keys."""

from __future__ import annotations

import pytest

from agents import LlmAgent
from agents.errors import MissingStateKeyError, ProviderError
from agents.event import Event
from agents.models.scripted import ScriptedLlm
from agents.tools.tracebacks import failure_marks, log_failure, traceback_value
from tests.agents.stage import Actor, play

pytestmark = pytest.mark.anyio


def caught(do) -> Exception:
    with pytest.raises(Exception) as raised:
        do()
    return raised.value


def deep(left: int) -> None:
    if left:
        deep(left - 1)
    raise ValueError("the end")


def pay(key: str) -> None:
    raise ValueError(f"refused: {key}")


def pay_with_a_key() -> None:
    raise ValueError("secret-of-mine-1234")


def with_cause() -> None:
    try:
        deep(0)
    except ValueError as error:
        raise KeyError("outer") from error


def test_a_cause_is_kept():
    value = traceback_value(caught(with_cause))
    assert (value["type"], value["cause"]["type"], value["context"]) == ("KeyError", "ValueError", False)
    assert value["cause"]["frames"][-1]["source"] == 'raise ValueError("the end")'


def test_a_frame_has_its_file_and_line():
    error = caught(lambda: deep(2))
    frame = traceback_value(error)["frames"][-1]
    line = deep.__code__.co_firstlineno + 3
    assert (frame["path"], frame["line"], frame["source"]) == (__file__, line, 'raise ValueError("the end")')


def test_an_error_that_causes_itself_ends():
    error, other = ValueError("a"), ValueError("b")
    error.__cause__, other.__cause__ = other, error
    assert "cause" not in traceback_value(error)["cause"]


def test_frames_in_the_middle_are_left_out():
    value = traceback_value(caught(lambda: deep(200)))
    assert (len(value["frames"]), value["left_out"] > 100) == (30, True)
    assert value["frames"][-1]["function"] == "deep"


def test_no_key_and_no_endless_text_is_in_it(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "secret-of-mine-1234")
    message = traceback_value(ValueError("x" * 900 + "secret-of-mine-1234" + "y" * 10_000))["message"]
    assert "secret" not in message
    assert len(message) == 1000


def test_no_key_is_in_a_line_of_source_or_a_cause(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "secret-of-mine-1234")

    def outer() -> None:
        try:
            pay_with_a_key()
        except ValueError as error:
            raise KeyError("outer") from error

    value = traceback_value(caught(outer))
    assert value["cause"]["frames"][-1]["source"] == 'raise ValueError("[key]")'
    assert "secret" not in str(value)


def test_the_servers_log_has_the_lines_and_no_key(monkeypatch, caplog):
    monkeypatch.setenv("GOOGLE_API_KEY", "secret-of-mine-1234")
    log_failure("Tool 'pay' failed for secret-of-mine-1234.", caught(lambda: pay("secret-of-mine-1234")))
    [record] = caplog.records
    assert "secret" not in record.getMessage()
    assert "test_tracebacks.py" in record.getMessage()
    assert "in pay" in record.getMessage()


def test_an_error_of_ours_that_no_authors_code_raised_has_none():
    assert failure_marks(ProviderError("no answer")) == {}


async def test_the_event_that_ends_a_run_has_it_and_survives_json():
    played = await play(Actor(name="actor", lines=[lambda ctx: deep(0)]))
    event = Event.model_validate_json(played.session.events[-1].model_dump_json())
    own = [frame["function"] for frame in event.custom_metadata["traceback"]["frames"] if frame["own"]]
    assert own[-1] == "deep"
    assert event.custom_metadata["traceback"]["frames"][-1]["file"] == "test_tracebacks.py"


async def test_the_event_that_ends_a_run_has_no_key(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "secret-of-mine-1234")
    played = await play(Actor(name="actor", lines=[lambda ctx: pay("secret-of-mine-1234")]))
    event = played.session.events[-1]
    assert event.error_message is not None
    assert event.error_message.endswith("refused: [key]")
    assert "secret" not in event.model_dump_json()


async def test_a_missing_state_key_is_named_for_programs():
    with ScriptedLlm(script=[]) as model:
        played = await play(LlmAgent(name="writer", model=model, instruction="About {topic}."))
    assert isinstance(played.error, MissingStateKeyError)
    assert played.session.events[-1].custom_metadata["missing_state_key"] == {"key": "topic", "agent": "writer"}
