"""Cuts of a log: what stays of each branch, and how the run is closed."""

from __future__ import annotations

from typing import Any

import pytest

from agents.log import LogEntry, TraceRecord, event_to_json
from agents.runtime.resumable_log import resumable_log
from tests.agents.stage import say

RUN = "e-1"


class Log:
    """A log written down entry by entry."""

    def __init__(self) -> None:
        self.entries: list[LogEntry] = []
        self.record("session_created", agent="")

    def record(self, kind: str, agent: str = "root", branch: str | None = None, run: str = RUN, **data: Any) -> Log:
        record = TraceRecord(kind, run if agent else "", agent, branch, data, float(len(self.entries) + 1))
        self.entries.append(LogEntry(len(self.entries) + 1, kind, record.to_json()))
        return self

    def say(self, author: str, text: str = "words", branch: str | None = None, **more: Any) -> Log:
        event = say(author, text, branch=branch, invocation_id=RUN, **more)
        self.entries.append(LogEntry(len(self.entries) + 1, "event", event_to_json(event)))
        return self

    def cut(self, seq: int | None = None, *, stuck: str = "") -> tuple[list[int], list[tuple[str, str, Any]]]:
        """The seqs that stay, and (kind, agent, status or outcome) of the records that close the run."""
        kept, closing = resumable_log(self.entries, seq or len(self.entries), continues=lambda frame: frame.agent != stuck)
        ends = [(record.kind, record.agent, record.data.get("outcome") or record.data["status"]) for record in closing]
        return [entry.seq for entry in kept], ends


def begun() -> Log:
    return Log().record("run_started").say("user").record("agent_started")


PAUSED = [("agent_finished", "root", "paused"), ("run_finished", "root", "paused")]


def test_records_after_the_last_event_are_left_out_and_open_agents_pause():
    log = begun().say("root").record("agent_finished", outcome="ok").record("run_finished", status="completed")
    assert log.cut(6) == ([1, 2, 3, 4, 5], PAUSED)
    assert log.cut(5) == ([1, 2, 3, 4, 5], PAUSED)
    assert log.cut() == ([1, 2, 3, 4, 5, 6, 7], [])


def test_a_run_without_an_event_is_left_out():
    assert begun().cut(2) == ([1], [])
    assert begun().cut() == ([1, 2, 3], [("run_finished", "root", "paused")])


def test_each_branch_ends_after_its_own_last_event():
    log = begun().record("agent_started", "a", "root.a").record("agent_started", "b", "root.b")
    log.record("model_started", "b", "root.b").say("a", branch="root.a").record(
        "agent_finished", "a", "root.a", outcome="ok"
    )
    kept, closing = log.cut()
    assert kept == [1, 2, 3, 4, 5, 8]
    assert closing == [("agent_finished", "a", "paused"), *PAUSED]


def test_an_agent_that_is_being_called_as_a_tool_is_left_out_until_there_is_a_response():
    log = begun().say("root", "calling")
    log.say("user", branch="helper:1a").record("agent_started", "helper", "helper:1a").say("helper", branch="helper:1a")
    assert log.cut()[0] == [1, 2, 3, 4, 5]
    log.entries.append(
        LogEntry(
            9,
            "event",
            '{"author":"root","invocation_id":"e-1","timestamp":9.0,"content":{"parts":[{"function_response":{"id":"1"}}]}}',
        )
    )
    assert log.cut()[0] == [1, 2, 3, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize("says_more", [False, True])
def test_an_agent_that_cannot_continue_in_the_middle_is_left_out_or_ends(says_more):
    log = begun().record("agent_started", "own").say("own")
    if says_more:
        log.say("own")
    log.record("agent_finished", "own", outcome="ok").say("root")
    kept, closing = log.cut(6, stuck="own")
    assert kept == ([1, 2, 3] if says_more else [1, 2, 3, 4, 5, 6, 7])
    assert closing == (PAUSED[1:] if says_more else PAUSED)


def test_an_end_that_is_another_runs_does_not_end_an_agent_that_cannot_continue():
    log = begun().record("agent_started", "own").say("own").record("agent_finished", "own", run="another", outcome="ok")
    assert log.cut(6, stuck="own") == ([1, 2, 3], PAUSED[1:])


def test_a_root_that_cannot_continue_and_has_said_all_completes_its_run():
    log = begun().say("root").record("agent_finished", outcome="ok").record("run_finished", status="completed")
    assert log.cut(5, stuck="root") == ([1, 2, 3, 4, 5, 6], [("run_finished", "root", "completed")])


def test_calls_and_tokens_of_the_past_are_counted():
    log = (
        begun().record("model_started").record("model_finished", usage={"input": 3, "output": 2, "thoughts": 4}).say("root")
    )
    _, closing = resumable_log(log.entries, 99, continues=lambda _: True)
    assert closing[-1].data == {
        "status": "paused",
        "cut": True,
        "calls": 1,
        "tokens": {"input": 3, "output": 6},
        "duration": 4.0,
    }
    assert closing[-1].timestamp == log.entries[-1].fields()["timestamp"]
