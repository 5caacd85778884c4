"""The page Operate names the limits that hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.runs.workers import workers
from agents.runs.workers.limits import RunLimits

USUAL = RunLimits()

PAGE = (Path(__file__).parents[4] / "ui" / "docs" / "operate.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "said",
    [
        f"| `memory={USUAL.memory // 1024**3}GB` |",
        f"| `seconds={USUAL.seconds}` |",
        f"| `events={USUAL.events}` |",
        f"| `processes={USUAL.processes}` |",
        f"| {workers.MOST_WORKERS} runs at once | | A further run waits up to {workers.TURN_SECONDS:.0f} s",
        f"within {workers.STOP_SECONDS:.0f} seconds",
        f"{ {4: 'Four'}[workers.KEPT_WORKERS] } are kept",
    ],
)
def test_a_limit_is_named(said):
    assert said in PAGE
