"""Graphs do here what they do in google-adk 2.13.0, as `adk.json` has it; differences have a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.compat.graphs.play import all_graphs, play, side

GRAPHS = all_graphs()
IN_ADK: dict[str, Any] = json.loads(Path(__file__).with_name("adk.json").read_text(encoding="utf-8"))

_TOLD_AS_A_MISTAKE = (
    "The error is a WorkflowConfigurationError, which is a ValueError as in ADK, so that it is told as a mistake in the "
    "graph and with its cure."
)
DIFFERENCES = {
    "nested: dynamic without rerun_on_resume": _TOLD_AS_A_MISTAKE,
    "workers: two delegates": _TOLD_AS_A_MISTAKE,
    "workers: number as run id": _TOLD_AS_A_MISTAKE,
    "people: call that waits keeps route": "The answer is the output of a node that has chosen its route before it asked; "
    "in ADK its output is lost.",
    "teams: parallel in graph": "The node after a ParallelAgent runs outside of its branches; in ADK it runs in that of "
    "the last sub-agent.",
}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


def test_all_graphs_were_recorded() -> None:
    assert IN_ADK.keys() == GRAPHS.keys()
    assert len(GRAPHS) >= 70


@pytest.mark.anyio
@pytest.mark.parametrize("name", GRAPHS)
async def test_graph(name: str) -> None:
    told = await play(side("ours"), GRAPHS[name])
    if name in DIFFERENCES:
        assert told != IN_ADK[name], "The difference is gone: take it out of the table."
    else:
        assert told == IN_ADK[name]
