"""A summary stands in place of the events that it covers."""

from __future__ import annotations

from collections.abc import Sequence

from google.genai import types
from hypothesis import given
from hypothesis import strategies as st

from agents import Event, EventActions
from agents.event import EventCompaction
from agents.history.summaries import summaries_in, with_summaries


def said(time: float, *parts: types.Part | str, author: str = "user") -> Event:
    made = [types.Part(text=part) if isinstance(part, str) else part for part in parts]
    return Event(author=author, timestamp=time, content=types.Content(role=author, parts=made))


def summary(start: float, end: float, text: str) -> Event:
    content = types.Content(role="model", parts=[types.Part(text=text)])
    made = EventCompaction(start_timestamp=start, end_timestamp=end, compacted_content=content)
    return Event(author="user", actions=EventActions(compaction=made))


def called(call_id: str) -> types.Part:
    return types.Part(function_call=types.FunctionCall(id=call_id, name="search"))


def answered(call_id: str, result: int) -> types.Part:
    return types.Part(function_response=types.FunctionResponse(id=call_id, name="search", response={"result": result}))


def shown(events: Sequence[Event]) -> list[str]:
    def word(part: types.Part) -> str:
        if part.function_call:
            return f"call {part.function_call.id}"
        if part.function_response:
            return f"answer {part.function_response.response}"
        return part.text or ""

    return ["|".join(map(word, event.parts)) for event in with_summaries(events, "writer")]


def test_a_summary_stands_where_the_covered_events_stood():
    events = [said(1, "a"), said(2, "b"), said(3, "c"), summary(1, 2, "ab"), said(4, "d")]
    assert shown(events) == ["ab", "c", "d"]
    assert [event.author for event in with_summaries(events, "writer")] == ["writer", "user", "user"]


def test_summaries_that_overlap_both_stand_and_one_within_another_does_not():
    events = [said(1, "a"), said(2, "b"), summary(1, 2, "ab"), said(3, "c"), summary(2, 3, "bc"), said(4, "d")]
    assert shown(events) == ["ab", "bc", "d"]
    assert shown([*events, summary(1, 3, "abc")]) == ["abc", "d"]
    assert shown([*events, summary(1, 3, "abc"), summary(1, 3, "again")]) == ["again", "d"]


def test_what_came_after_the_last_summary_is_sent_whatever_its_time():
    assert shown([said(5, "a"), said(6, "b"), summary(5, 6, "ab"), said(5.5, "clock set back")]) == ["ab", "clock set back"]


def test_an_answer_that_is_not_covered_brings_back_its_call_and_the_other_answers():
    asked = said(1, called("x"), called("y"), author="writer")
    events = [asked, said(2, answered("x", 1)), said(3, answered("y", 0)), summary(1, 3, "sum"), said(4, answered("y", 2))]
    assert shown(events) == ["sum", "call x|call y", "answer {'result': 1}", "answer {'result': 2}"]


def test_a_history_without_a_summary_is_as_it_was():
    events = [said(2, "a"), said(1, "b")]
    assert with_summaries(events, "writer") == events


@given(st.lists(st.one_of(st.none(), st.tuples(st.integers(0, 20), st.integers(0, 20))), max_size=20))
def test_each_event_is_shown_or_covered_by_a_summary_that_is_shown(steps: list[tuple[int, int] | None]):
    events = [
        said(place, str(place)) if step is None else summary(min(step), max(step), f"s{place}")
        for place, step in enumerate(steps)
    ]
    told = shown(events)
    ranges = [one.compaction for one in summaries_in(events)]
    assert len(told) == len(set(told))
    for event in events:
        covered = any(one.start_timestamp <= event.timestamp <= one.end_timestamp for one in ranges)
        assert event.actions.compaction is not None or covered or event.text in told
    assert sum(text.startswith("s") for text in told) == len(ranges)
