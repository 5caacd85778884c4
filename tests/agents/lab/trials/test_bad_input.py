"""Runs with models that fail, scorers that raise, rows that are wrong, and a playbook that two runs begin with."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from agents.ace import DeltaBatch, PlaybookStore
from agents.errors import ProviderError, ScorerError
from agents.lab import Lab, Sample, Score
from tests.agents.lab.stage import GENERATED, ByAgent, Drawn, SameText, contents, description, finished, outcome_of, parts

pytestmark = pytest.mark.anyio

ARMS = """
[[arms]]
kind = "none"
[[arms]]
kind = "online"
[[arms]]
kind = "parallel"
workers = 4
[[arms]]
kind = "rewriting"
"""


def failing(*questions: str) -> ByAgent:
    """A model that fails whenever it is asked to answer one of some questions; "" for all."""

    def answer(request: Any) -> Any:
        asked = "".join(part.text or "" for content in request.contents for part in content.parts or [])
        if any(question in asked or question in request.system_instruction for question in questions):
            return ProviderError("It is down.")
        return GENERATED

    return ByAgent(answers={"Generator": answer, "Rewriter": lambda _: "one"})


@pytest.mark.parametrize("which", [[1, 4, 5], list(range(8))])
async def test_samples_whose_model_fails_count_as_wrong_and_the_run_ends(tmp_path: Path, which: list[int]):
    data = Drawn(8)
    samples = list(data.samples("train"))
    run = await finished(
        tmp_path, description(ARMS), data=data, model=failing(*(samples[place].question for place in which))
    )
    assert run.status == "finished"
    for one in run.summaries():
        assert (one.of, one.failed, one.samples) == (8, len(which), 8)
        rows = list(run.results(one.arm, 0))
        assert [row.place for row in rows if row.failed] == which
        assert all(row.error == "It is down." and not row.is_right for row in rows if row.failed)
    compared = run.compare("online", "none")
    assert (compared.pairs, compared.difference, compared.p) == (8, 0, 1)


async def test_a_scorer_that_raises_for_some_samples_fails_them_alone(tmp_path: Path):
    class Raises:
        async def score(self, answer: str, sample: Sample) -> Score:
            if sample.id in ("train:0", "train:3"):
                raise ScorerError("It has no right answer.")
            return await SameText().score(answer, sample)

    run = await finished(tmp_path, description(ARMS), data=Drawn(6), scorer=Raises())
    assert run.status == "finished"
    for one in run.summaries():
        assert (one.of, one.failed) == (6, 2)
        found = {row.error for row in run.results(one.arm, 0) if row.failed}
        assert found == {"The answer cannot be scored: It has no right answer."}


async def test_rows_that_are_there_twice_are_left_out_and_named(tmp_path: Path):
    samples = list(Drawn(6).samples("train"))
    lines = [json.dumps({"context": one.question, "target": one.truth}) for one in samples]
    (tmp_path / "rows.jsonl").write_text("\n".join([*lines, lines[2], "{", lines[0]]), encoding="utf-8")
    text = description(ARMS, data={"file": "rows.jsonl"}).replace('{"file": "rows.jsonl"}', '{ file = "rows.jsonl" }')
    run = await Lab(tmp_path / "lab").begin(text, beside=tmp_path).run()
    assert {one.of for one in run.summaries()} == {6}
    assert run.origin.skipped_lines == "3 lines of the data are no samples and were skipped: 2 duplicate, 1 malformed."
    assert "rows.jsonl, line 7: duplicate: rows.jsonl has the same sample in line 3." in run.origin.problems


async def test_wrong_labels_cost_their_own_rows_and_leave_the_others_nearly_as_they_were(tmp_path: Path):
    class Mislabelled(Drawn):
        def samples(self, split: str) -> Any:
            for place, one in enumerate(super().samples(split)):
                wrong = place % 10 == 9
                yield Sample(id=one.id, question=one.question, truth="-123456.78" if wrong else one.truth)

    text = description('[[arms]]\nkind = "online"\n')
    clean = await finished(tmp_path / "clean", text, data=Drawn(60))
    wrong = await finished(tmp_path / "wrong", text, data=Mislabelled(60, fingerprint="wrong"))
    before, after = ([row.is_right for row in run.results("online", 0)] for run in (clean, wrong))
    assert (len(after), wrong.summary("online").failed) == (60, 0)
    assert not any(after[9::10])
    kept = [place for place in range(60) if place % 10 != 9]
    assert sum(after[place] for place in kept) >= sum(before[place] for place in kept) - 6


async def test_two_runs_that_begin_with_one_playbook_leave_it_and_each_other_alone(tmp_path: Path):
    with PlaybookStore(tmp_path / "play.db", "mine") as store:
        store.commit(DeltaBatch(operations=[{"type": "ADD", "section": "s", "content": "Add them up."}]))
    lab = Lab(tmp_path / "lab", database=tmp_path / "play.db")
    text = description('[[arms]]\nkind = "online"\nplaybook = { name = "mine" }\n')
    active = [lab.begin(text, parts=parts(data=Drawn(20))) for _ in range(2)]
    runs = await asyncio.gather(*(one.run() for one in active))
    alone = await finished(
        tmp_path / "alone", text, data=Drawn(20), playbooks={"online": runs[0].playbook("online", 0).at(1)}
    )
    assert outcome_of(runs[0]) == outcome_of(runs[1]) == outcome_of(alone)
    assert len(contents(runs[0], "online")) > 1
    with PlaybookStore(tmp_path / "play.db", "mine") as store:
        assert [bullet.content for bullet in store.playbook().bullets] == ["Add them up."]
