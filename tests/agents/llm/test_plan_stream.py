"""Streamed answers with tags: no tag is shown, and what is shown does not depend on where the pieces were cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st

from agents import LlmAgent, PlanReActPlanner, RunConfig
from agents.llm.planners import (
    ACTION_TAG,
    FINAL_ANSWER_TAG,
    PLANNING_TAG,
    REASONING_TAG,
    REPLANNING_TAG,
    PlanStream,
)
from agents.model import LlmResponse
from agents.models.answer import piece
from agents.models.scripted import ScriptedLlm, call
from agents.runtime.run_config import StreamingMode
from tests.agents.stage import play

pytestmark = pytest.mark.anyio

TAGS = (PLANNING_TAG, REPLANNING_TAG, REASONING_TAG, ACTION_TAG, FINAL_ANSWER_TAG)
ANSWER = (
    "/*PLANNING*/1. Look./*REPLANNING*/2. Ask.\n/*ACTION*/ /*REASONING*/It is */ empty./*FINAL_ANSWER*/The /* box is empty."
)
THOUGHT, SAID = "1. Look.2. Ask.\n It is */ empty.", "The /* box is empty."

_bits = st.sampled_from([*TAGS, "/*", "*/", "/", "*", "PLANNING", "/*FINAL_", "a", " ", "\n", "é🙂"])
_texts = st.lists(_bits, max_size=12).map("".join)


def shown(pieces, *, end=True):
    """What a stream shows, runs of the same kind joined: (is thought, text)."""
    stream = PlanStream()
    parts = [part for text in pieces if text for part in stream.read([types.Part(text=text)])]
    if end:
        parts += stream.read([types.Part(function_call=types.FunctionCall(name="end"))])[:-1]
    joined = []
    for part in parts:
        if joined and joined[-1][0] is bool(part.thought):
            joined[-1] = (joined[-1][0], joined[-1][1] + part.text)
        else:
            joined.append((bool(part.thought), part.text))
    return joined


def cut(text, places):
    bounds = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


def expected(text):
    """The same read as a whole, by searching for the next tag."""
    found, thinks = [], False
    while text:
        at, tag = min(((text.find(tag), tag) for tag in TAGS if tag in text), default=(len(text), ""))
        if at and found and found[-1][0] is thinks:
            found[-1] = (thinks, found[-1][1] + text[:at])
        elif at:
            found.append((thinks, text[:at]))
        text, thinks = text[at + len(tag) :], tag != FINAL_ANSWER_TAG
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 7, 12, 16, 17, 18])
def test_pieces_of_any_size_show_thoughts_and_answer_without_tags(size):
    assert shown(ANSWER[at : at + size] for at in range(0, len(ANSWER), size)) == [(True, THOUGHT), (False, SAID)]


@pytest.mark.parametrize("at", range(len(ANSWER) + 1))
def test_two_pieces_cut_anywhere_show_the_same(at):
    assert shown([ANSWER[:at], ANSWER[at:]]) == [(True, THOUGHT), (False, SAID)]


@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_cut_anywhere_is_not_shown_in_any_piece(tag):
    for first in range(len(tag)):
        for second in range(first, len(tag)):
            pieces = [f"a{tag[:first]}", tag[first:second], f"{tag[second:]}b"]
            assert shown(pieces, end=False) == expected(f"a{tag}b")


@given(_texts, st.lists(st.integers(min_value=0), max_size=12))
def test_what_is_shown_does_not_depend_on_the_cuts(text, places):
    assert shown(cut(text, places)) == shown([text]) == expected(text)


@given(_texts, st.lists(st.integers(min_value=0), max_size=12))
def test_no_part_holds_a_tag_and_only_the_start_of_one_is_held_back(text, places):
    live, whole = ("".join(said for _, said in shown(cut(text, places), end=end)) for end in (False, True))
    assert whole.startswith(live)
    assert any(tag.startswith(whole[len(live) :]) for tag in TAGS)
    stream = PlanStream()
    parts = [part for one in cut(text, places) for part in stream.read([types.Part(text=one)])]
    assert not [part for part in parts if any(tag in part.text for tag in TAGS)]


def test_thoughts_of_the_model_stay_thoughts_and_end_the_text_before_them():
    stream = PlanStream()
    thought = types.Part(text="hm /*ACTION*/", thought=True)
    parts = [
        part for one in (types.Part(text="a/*PLAN"), thought, types.Part(text="NING*/b")) for part in stream.read([one])
    ]
    assert [(part.text, part.thought) for part in parts] == [
        ("a", None),
        ("/*PLAN", None),
        ("hm ", True),
        ("NING*/b", None),
    ]


def test_a_piece_without_text_ends_the_text_and_an_empty_one_does_not():
    stream = PlanStream()
    call_part = types.Part(function_call=types.FunctionCall(name="look"))
    assert stream.read([types.Part(text="/*ACT")]) == []
    assert stream.read([types.Part(text="")]) == [types.Part(text="")]
    assert stream.read([types.Part(text="ION*/x"), call_part, types.Part(text="y")]) == [
        types.Part(text="x", thought=True),
        call_part,
        types.Part(text="y"),
    ]


async def streamed(*pieces):
    text = "".join(pieces)
    whole = LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]), stop_reason="end_turn")
    model = ScriptedLlm(script=[[*map(piece, pieces), whole]])
    agent = LlmAgent(name="Ada", model=model, planner=PlanReActPlanner(), output_key="answer")
    return await play(agent, config=RunConfig(streaming_mode=StreamingMode.SSE))


async def test_the_streamed_events_say_what_the_whole_one_does():
    result = await streamed("/*PLAN", "NING*/Look.", "/*FINAL_ANSWER*/", "Emp", "ty.")

    *partials, whole = result.events
    said = [[(bool(part.thought), part.text) for part in event.parts] for event in result.events]
    assert said == [[(True, "Look.")], [(False, "Emp")], [(False, "ty.")], [(True, "Look."), (False, "Empty.")]]
    assert {event.id for event in partials} == {whole.id}
    assert all(event.partial for event in partials)
    assert result.state["answer"] == "Empty."


async def test_each_answer_of_a_turn_is_read_from_its_beginning():
    def look() -> str:
        """Looks."""
        return "Nothing."

    script = [["/*PLANNING*/Look.", call("look")], "Plain words."]
    agent = LlmAgent(name="Ada", model=ScriptedLlm(script=script), tools=[look], planner=PlanReActPlanner())

    result = await play(agent, config=RunConfig(streaming_mode=StreamingMode.SSE))

    thoughts = {part.text for event in result.events for part in event.parts if part.thought}
    said = {part.text for event in result.events for part in event.parts if part.text and not part.thought}
    assert thoughts == {"Look."}
    assert said == {"Plain", " words.", "Plain words."}
