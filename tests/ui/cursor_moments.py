"""Cases of the cursor from real runs of all pipelines: logs, and the moments that `agents.experiments` finds in them.

The file `cursor_cases.json` is read by a test in Python and by one in Node, so that both mean the same by a moment. It is
written anew by `python -m tests.ui.cursor_moments`.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from agents.experiments import Moment, Timeline
from agents.log import LogEntry
from tests.agents.experiments.test_fork_pipelines import NAMES, Stage

FILE = Path(__file__).parent / "cursor_cases.json"
MOMENTS = 14
"""Moments a log, spread over it."""
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


async def case_of(name: str) -> dict[str, Any]:
    """A run of a pipeline on its first sample, and moments all over its log."""
    stage = Stage(name)
    for message in stage.card.samples[: 2 if name in SECOND_RUN else 1]:
        await stage.run(message)
    log = await stage.log()
    timeline = Timeline(log)
    every = max(1, len(log) // MOMENTS)
    moments = [timeline.at(entry.seq) for entry in [*log[::every], log[-1]]]
    return {
        "pipeline": name,
        "entries": [{"seq": entry.seq, "kind": entry.kind, "body": entry.fields()} for entry in log],
        "moments": [shown(moment) for moment in moments],
        "values": {name: value for moment in moments for name, value in values_of(moment).items()},
    }


async def main() -> None:
    """Writes the file."""
    cases = [await case_of(name) for name in NAMES]
    FILE.write_text(json.dumps(cases, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
