"""The arm *skillopt*: few edits a step, and a gate that takes strict improvements alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.ace import Playbook
from agents.ace.bullet import StoredBullet
from agents.lab import Lab, LabDescription, Outcome
from agents.lab.plan.plan import plan
from agents.lab.trials.trial import bounded
from agents.lab.work.rewriter import text_of
from tests.agents.lab.stage import ByAgent, Drawn, aborted_at_every_step, description, finished, outcome_of

pytestmark = pytest.mark.anyio

ARM = '[[arms]]\nkind = "skillopt"\nsteps = 4\nminibatch = 3\nedits = 2\n'


def notes(*lines: str, first: int = 1) -> Playbook:
    return Playbook([StoredBullet(f"notes-{place:05d}", "notes", line) for place, line in enumerate(lines, first)])


def rewrite(*operations: dict[str, str]) -> Outcome:
    return Outcome(sample="1", answer="4", batches=({"by": "rewriter", "operations": list(operations)},))


def test_what_is_new_comes_before_what_would_be_lost_and_nothing_twice():
    lost = [{"type": "REMOVE", "bullet_id": f"notes-0000{place}"} for place in (1, 2)]
    new = [{"type": "ADD", "section": "notes", "content": text} for text in ("c", "d")]
    outcomes = [rewrite(*lost, new[0]), rewrite(*lost, *new)]
    best = notes("a", "b")
    texts = []
    for most in (1, 2, 3, 4, 9):
        found = bounded(outcomes, best, best, most)
        assert [bool(one.batches) for one in found] == [True, False]
        texts.append(text_of(Playbook(best.bullets).apply_delta(found[0].batches[0])))
    assert texts == ["a\nb\nc", "b\nc", "c", "c\nd", "c\nd"]


def test_edits_are_made_to_the_best_text_also_where_a_refused_one_is_stored():
    best, refused = notes("a", "b"), notes("b", "x", first=7)
    [found] = bounded([rewrite({"type": "ADD", "section": "notes", "content": "c"})], best, refused, 1)
    assert sorted(text_of(Playbook(refused.bullets).apply_delta(found.batches[0])).splitlines()) == ["a", "b", "c"]


def test_the_plan_begins_with_a_validation_and_goes_round_the_training_samples():
    found = LabDescription.from_toml(f'name = "x"\ndata = "d"\n{ARM}')
    parts = plan(found, found.arms[0], lambda _: 7)
    assert [part.phase for part in parts] == ["validation", *["train", "validation"] * 4, "test"]
    train = [(part.start, part.stop, part.epoch, part.playbook) for part in parts if part.learns]
    assert train == [(0, 3, 1, "best"), (3, 6, 1, "best"), (6, 7, 1, "best"), (0, 3, 2, "best")]


async def test_only_a_text_that_does_better_on_held_out_samples_stays(tmp_path: Path):
    text = """
name = "it"
data = { generate = "formulas", seed = 1, count = 60 }
keep = "none"
[[arms]]
kind = "skillopt"
steps = 12
edits = 3
"""
    with await Lab(tmp_path).begin(text).run() as run:
        rows, store = list(run.results("skillopt", 0)), run.playbook("skillopt", 0)
        best, accepted = -1.0, store.at(rows[0].before)
        for part in sorted({row.part for row in rows if row.phase == "validation"}):
            answers = [row for row in rows if row.part == part]
            accuracy = sum(row.is_right for row in answers) / len(answers)
            tried = store.at(answers[0].before)
            changed = set(text_of(tried).splitlines()) ^ set(text_of(accepted).splitlines())
            assert len(changed) <= 3
            if accuracy > best:
                best, accepted = accuracy, tried
        assert best > 0.2
        tested = {row.before for row in rows if row.phase == "test"}
        assert tested == {accepted.revision}
        assert all(row.roles.get("Rewriter") is None for row in rows if row.is_right or row.phase != "train")
        assert run.summary("skillopt").of == sum(row.phase == "test" for row in rows) == 15


async def test_a_run_that_was_cut_off_ends_as_it_would_have(tmp_path: Path):
    whole = await finished(tmp_path / "whole", description(ARM), data=Drawn(6))
    cut, aborts = await aborted_at_every_step(tmp_path / "cut", description(ARM), Drawn(6))
    assert aborts > 8
    assert outcome_of(cut) == outcome_of(whole)


async def test_a_text_that_is_as_good_as_the_best_one_is_refused(tmp_path: Path):
    model = ByAgent(answers={"Rewriter": lambda _: "nothing that helps"})
    run = await finished(tmp_path, description(ARM), data=Drawn(6), model=model)
    assert run.standing("skillopt", 0).best == (0, 0.0)
    assert {row.before for row in run.results("skillopt", 0) if row.phase == "test"} == {0}
