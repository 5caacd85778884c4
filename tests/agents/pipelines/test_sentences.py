"""What people type: each simulated pipeline does exactly what its forms cover, and refuses the rest."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from agents.models.simulated.language.detect import answer_language, language_of
from agents.models.simulated.language.words import words_beside
from agents.models.simulated.model import REFUSAL_MARK
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse_async

FILES = sorted(Path(__file__).with_name("sentences").glob("*.toml"))
KEPT: dict[str, dict[str, Any]] = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in FILES}
ACTED = [(name, message, done) for name, kept in KEPT.items() for message, done in kept["acted"].items()]
REFUSED = [(name, message) for name, kept in KEPT.items() for messages in kept["refused"].values() for message in messages]
PROTOCOL = {"adk_request_confirmation", "exit_loop"}
PIPELINES = Path(__file__).parents[3] / "agents" / "pipelines"


def calls_of(run: Rehearsal) -> list[list[Any]]:
    """The arguments of the calls that were made, in their order."""
    made = [call for event in run.events for call in event.get_function_calls() if call.name not in PROTOCOL]
    return [list((call.args or {}).values()) for call in made]


def said_by(run: Rehearsal) -> list[str]:
    return [event.text for event in run.events if event.author != "user" and event.text]


def offered_by(run: Rehearsal) -> list[list[str]]:
    """The examples of each event that is marked as a refusal."""
    marks = [(event.custom_metadata or {}).get(REFUSAL_MARK) for event in run.events]
    return [mark["examples"] for mark in marks if mark]


def examples_of(pipeline: str, language: str) -> list[str]:
    return words_beside(str(PIPELINES / pipeline / "agent.py"), "simulation.toml")["examples"][language][:2]


@pytest.mark.anyio
@pytest.mark.parametrize(("pipeline", "message", "done"), ACTED)
async def test_what_a_form_covers_is_done(pipeline, message, done):
    run = await rehearse_async(pipeline, message)

    if isinstance(done, str):
        assert any(done in said for said in said_by(run))
    else:
        assert calls_of(run) == done


@pytest.mark.anyio
@pytest.mark.parametrize(("pipeline", "message"), REFUSED)
async def test_what_no_form_covers_is_refused_with_examples_in_its_language(pipeline, message):
    run = await rehearse_async(pipeline, message)

    language = answer_language(message)
    example = examples_of(pipeline, language)[0]
    assert calls_of(run) == []
    said = [said for said in said_by(run) if example in said]
    assert {language_of(one) for one in said} == {language}
    assert offered_by(run)[:1] == [examples_of(pipeline, language)]


@pytest.mark.anyio
@pytest.mark.parametrize("pipeline", KEPT)
async def test_the_examples_of_a_refusal_are_read(pipeline):
    listed = words_beside(str(PIPELINES / pipeline / "agent.py"), "simulation.toml")["examples"].values()

    for first, second in listed:
        runs = [await rehearse_async(pipeline, example) for example in (first, second)]
        assert not [said for run in runs for said in said_by(run) if first in said and second in said]
