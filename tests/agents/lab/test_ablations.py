"""Arms with their switches, and the parts that the ACE paper takes away: what the page Lab: results says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agents.lab import Lab
from agents.pipelines.ace.simulation.rewriter import MOST_TOKENS

pytestmark = pytest.mark.anyio
PAGE = Path(__file__).parents[3] / "ui" / "docs" / "lab-results.md"
ROWS = {
    "none": (0, 240, 0),
    "online": (186, 826, 52),
    "16 workers": (186, 826, 52),
    "last one wins": (32, 1136, 14),
    "rewriting": (86, 480, 43),
    "keeps all": (186, 480, 52),
    "shuffled truth": (0, 1200, 21),
    "harmful": (160, 982, 50),
    "budget": (53, 1094, 12),
    "no reflector": (0, 480, 0),
    "no feedback": (0, 720, 0),
}
"""Right answers of 240, model calls and bullets of the arms in the page's table."""
OFFLINE = """
name = "epochs"
data = { generate = "formulas", seed = 1, count = 60 }
arms = [{ kind = "offline", epochs = 1 }, { kind = "offline", name = "two epochs", epochs = 2 }]
"""


async def test_the_arms_of_the_page_come_to_what_it_says(tmp_path: Path):
    said = PAGE.read_text(encoding="utf-8")
    [text] = re.findall(r'```toml\n(name = "arms"\n.*?)```', said, re.DOTALL)
    with await Lab(tmp_path).begin(text).run() as run:
        found = {one.arm: one for one in run.summaries()}
        less, without, more = (run.compare(arm, "online") for arm in ("one round", "no reflector", "ten rounds"))
        assert not run.compare("keeps all", "online").discordant  # the whole difference to rewriting is its rule of loss
    assert f"more than\n{MOST_TOKENS:,} tokens" in said
    assert {arm: (one.right, one.calls, round(one.bullets)) for arm, one in found.items() if arm in ROWS} == ROWS
    assert found["last one wins"].lost == 448
    assert "| 0 | 480, 720 | 0 |" in said  # without a reflector, or without feedback
    for arm, (right, calls, _) in ROWS.items():
        assert arm in ("no reflector", "no feedback") or f"| {right} | {calls} |" in said
    assert (less.difference, less.p) == (0.0, 1.0)
    assert (f"{100 * without.difference:.1f}", f"{without.p:.3f}") == ("-77.5", "0.000")
    assert (more.difference, more.p) == (0.0, 1.0)
    assert f"| `rounds = 1` | {found['one round'].right} of 240 | 0.0 points, p = 1 |" in said
    assert f"| `reflector = false` | {found['no reflector'].right} of 240 | −77.5 points, p < 0.001 |" in said
    assert f"| `rounds = 10` | {found['ten rounds'].right} of 240 | 0.0 points, p = 1 |" in said


async def test_the_simulated_model_has_little_use_for_a_history_as_the_page_says(tmp_path: Path):
    text = 'name = "it"\ndata = { generate = "formulas", seed = 1, count = 240 }\n[[arms]]\nkind = "history"\n'
    with await Lab(tmp_path).begin(text).run() as run:
        found = run.summary("history")
    assert (found.right, found.dropped) == (1, 82)
    said = " ".join((PAGE.parent / "lab.md").read_text(encoding="utf-8").split())
    assert "1 of the 240 questions of the set *formulas* is right with it, none without" in said


async def test_bounded_edits_come_to_what_the_page_says(tmp_path: Path):
    arms = '[[arms]]\nkind = "skillopt"\n[[arms]]\nkind = "offline"\nepochs = 1\n'
    text = f'name = "it"\ndata = {{ generate = "formulas", seed = 1, count = 240 }}\n{arms}'
    with await Lab(tmp_path).begin(text).run() as run:
        found = [(one.right, one.of, one.calls) for one in run.summaries()]
    assert found == [(55, 60, 1558), (56, 60, 1066)]
    said = " ".join((PAGE.parent / "lab-scale.md").read_text(encoding="utf-8").split())
    assert "that is 55 right after 1,558 calls, where an offline arm with one epoch has 56 after 1,066" in said


async def test_a_second_epoch_teaches_this_learner_nothing(tmp_path: Path):
    with await Lab(tmp_path).begin(OFFLINE).run() as run:
        found = run.compare("two epochs", "offline")
    assert found.pairs > 0
    assert (found.difference, found.p) == (0.0, 1.0)
