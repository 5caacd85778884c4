"""Trace records as typed values: read from any version's log, and as the schema says in what this version writes."""

from __future__ import annotations

import json

import pytest
from pydantic import TypeAdapter

from agents.log import EVENT_KIND, LogEntry, trace_kinds
from agents.records import ALWAYS, RECORDS, AgentStarted, ModelFinished, ModelStarted, Record, RunFinished, RunStarted
from tests.agents.forks.test_fork_pipelines import NAMES, Stage

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", NAMES)
async def test_what_a_pipeline_records_is_what_the_schema_says(name):
    stage = Stage(name)
    await stage.run(stage.card.samples[0])
    records = [entry for entry in await stage.log() if entry.kind != EVENT_KIND]
    for entry in records:
        kind = RECORDS[entry.kind]
        assert TypeAdapter(kind).validate_json(entry.body, strict=True).others == {}
        assert entry.record().others == {}
        assert {*ALWAYS, *kind.always} <= entry.fields().keys()
    assert {"session_created", "run_started", "run_finished"} <= {entry.kind for entry in records}


def test_fields_of_a_newer_version_are_kept():
    found = LogEntry(1, "run_finished", '{"status": "paused", "mood": "good"}').record()
    assert found == RunFinished(status="paused", others={"mood": "good"})


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (ModelStarted, "branch"), (ModelStarted, "call"), (ModelStarted, "config"), (ModelStarted, "declarations"),
        (ModelStarted, "instruction"), (ModelStarted, "model"), (ModelStarted, "schema"), (RunStarted, "model"),
        (ModelFinished, "answer"),
    ],
)  # fmt: skip
def test_nulls_that_version_0_1_read_in_files_are_read(kind, field):
    body = json.dumps({"timestamp": 1.0, field: None})
    assert getattr(TypeAdapter(kind).validate_json(body, strict=True), field) is None


def test_a_kind_of_a_newer_version_is_a_record_with_all_of_its_fields():
    found = LogEntry(1, "dreamt", '{"agent": "Writer", "of": ["sheep"]}').record()
    assert found == Record(agent="Writer", others={"of": ["sheep"]})


@pytest.mark.parametrize("kind", RECORDS)
def test_a_record_without_fields_is_read(kind):
    assert LogEntry(1, kind, "{}").record() == RECORDS[kind]()


def test_a_record_is_asked_for_by_its_class():
    entry = LogEntry(1, "agent_started", json.dumps({"agent": "Writer"}))
    assert entry.of(AgentStarted) == AgentStarted(agent="Writer")
    assert entry.of(RunFinished) is None


def test_what_is_always_there_is_a_field():
    assert {kind for kind, read in RECORDS.items() if not set(read.always) <= set(read.__slots__) | {"call"}} == set()


def test_words_are_of_kinds_that_there_are():
    worded = [kind for kind, found in trace_kinds().items() if found.words]
    assert "transfer" in worded
    assert list(trace_kinds()) == list(RECORDS)
