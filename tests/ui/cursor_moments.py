"""Cases of the cursor from real runs of all pipelines: logs, the moments that `agents.history` finds in them, prompts.

The file `cursor_cases.json` is read by a test in Python and by one in Node, so that both mean the same by a moment and by
what a model was sent. It is written anew by `python -m tests.ui.cursor_moments`.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from agents.ace.value.tokens import count_tokens
from agents.event import Event
from agents.history import Moment, Timeline
from agents.llm.contents import history_for
from agents.log import LogEntry
from tests.agents.forks.test_fork_pipelines import NAMES, Stage

FILE = Path(__file__).parent / "cursor_cases.json"
MOMENTS = 14
"""Moments a log, spread over it."""
PROMPTS = 8
"""Most prompts a log."""
SECOND_RUN = {"ace", "help_desk"}
"""Pipelines that are run twice: the second run reads what the first one wrote."""


def values_of(moment: Moment) -> dict[str, Any]:
    """The values of a moment's state, by key and the entry that set them."""
    return {f"{key}@{held.seq}": held.value for key, held in moment.state.items()}


def shown(moment: Moment) -> dict[str, Any]:
    """A moment as JSON, without the values of its state."""
    return {
        "seq": moment.seq,
        "state": {key: [held.seq, held.author] for key, held in moment.state.items()},
        "running": [[one.agent, one.branch, one.since, one.iteration] for one in moment.running],
        "call": moment.call and [moment.call.agent, moment.call.started, moment.call.finished, moment.call.answer],
        "playbook": moment.playbook and [moment.playbook.name, moment.playbook.revision],
        "spent": [moment.calls, *moment.tokens],
    }


def entries_of(case: dict[str, Any]) -> list[LogEntry]:
    """A case's log."""
    return [LogEntry(entry["seq"], entry["kind"], json.dumps(entry["body"])) for entry in case["entries"]]


def prompts_of(log: list[LogEntry], texts: dict[str, str]) -> list[dict[str, Any]]:
    """What models were sent: the history, and about how many tokens the instruction is."""
    started = [entry for entry in log if entry.kind == "model_started" and "select" in entry.fields()["contents"]]
    return [prompt_of(log, entry, texts) for entry in started[:: len(started) // PROMPTS + 1]]


def prompt_of(log: list[LogEntry], entry: LogEntry, texts: dict[str, str]) -> dict[str, Any]:
    """The history that the record of a call selects."""
    body = entry.fields()
    rule = body["contents"]
    events: list[Event] = [one.event() for one in log if one.kind == "event" and one.seq <= rule["until"]]
    contents = history_for(
        events,
        agent_name=body["agent"],
        branch=body.get("branch"),
        include_contents=rule["select"],
        is_quoted=bool(body.get("quoted")),
        is_joined=bool(body.get("joined")),
    )
    assert len(contents) == rule["count"]
    shown = [content.model_dump(mode="json", exclude_defaults=True) for content in contents]
    return {"seq": entry.seq, "contents": shown, "tokens": count_tokens(texts.get(body["instruction"] or "", ""))}


async def case_of(name: str) -> dict[str, Any]:
    """A run of a pipeline on its first sample, and moments all over its log."""
    stage = Stage(name)
    for message in stage.card.samples[: 2 if name in SECOND_RUN else 1]:
        await stage.run(message)
    log = await stage.log()
    timeline = Timeline(log)
    every = max(1, len(log) // MOMENTS)
    moments = [timeline.at(entry.seq) for entry in [*log[::every], log[-1]]]
    bodies = [entry.fields() for entry in log if entry.kind in ("model_started", "model_finished")]
    texts = await stage.service.read_texts([name for body in bodies for name in names_in(body)])
    return {
        "pipeline": name,
        "entries": [{"seq": entry.seq, "kind": entry.kind, "body": entry.fields()} for entry in log],
        "moments": [shown(moment) for moment in moments],
        "values": {name: value for moment in moments for name, value in values_of(moment).items()},
        "texts": texts,
        "prompts": prompts_of(log, texts),
    }


def names_in(body: dict[str, Any]) -> list[str]:
    """The texts that a record names."""
    names = [body.get(key) for key in ("instruction", "config", "declarations", "schema", "answer")]
    return [name for name in [*names, body.get("contents", {}).get("text")] if name]


async def main() -> None:
    """Writes the file."""
    cases = [await case_of(name) for name in NAMES]
    FILE.write_text(json.dumps(cases, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
