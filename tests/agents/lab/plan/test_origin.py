"""What a run was begun with: kept as it was given, found again, and what is wrong with the data named."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.lab import Lab, LabDescription
from agents.lab.plan.origin import MOST_PROBLEMS, Origin
from agents.lab.work.worker import run_sample
from tests.agents.lab.stage import ByAgent, Drawn, description, finished, parts

pytestmark = pytest.mark.anyio
TEXT = 'name = "it"\ndata = { generate = "formulas", count = 4 }\narms = [{ kind = "none" }]'
ROW = '{"question": "a", "answer": "b"}\n'
SKIPPED = "2 lines of the data are no samples and were skipped: 1 malformed, 1 duplicate."


@pytest.mark.parametrize(
    "text",
    [TEXT, TEXT + "\n", TEXT + "\n\n\n", TEXT.replace("\n", "\r\n") + "\r\n", TEXT + "\n# 数式 😀 \u2028 \u0085"],
    ids=["no last line", "usual", "empty lines", "CRLF", "any characters"],
)
async def test_a_description_is_kept_as_it_was_given_and_the_run_resumed(tmp_path: Path, text: str):
    lab = Lab(tmp_path / "😀 runs")
    name = lab.begin(text, beside=tmp_path / "𠮷").name
    assert lab.text(name) == text
    run = await lab.resume(name).run()
    assert run.status == "finished"
    assert run.origin.folder == str(tmp_path / "𠮷")


async def test_a_description_made_in_python_may_have_any_characters(tmp_path: Path):
    judge = {"kind": "judge", "rubric": '😀 \x7f \\ " \n 数式', "model": "simulated"}
    made = LabDescription.model_validate(
        {
            "name": "x",
            "data": {"generate": "formulas", "count": 2},
            "scorer": judge,
            "arms": [{"kind": "none", "name": "𠮷"}],
        }
    )
    lab = Lab(tmp_path)
    lab.begin(made, parts=parts())
    assert lab.resume("x", parts=parts()).name == "x"
    with lab.open("x") as run:
        assert run.description == made


async def test_what_is_wrong_with_the_data_is_kept_with_the_run(tmp_path: Path):
    (tmp_path / "rows.jsonl").write_text(ROW + "{\n" + ROW, encoding="utf-8")
    lab = Lab(tmp_path / "runs")
    lab.begin(description('[[arms]]\nkind = "none"\n').replace('"drawn"', '{ file = "rows.jsonl" }'), beside=tmp_path)
    (tmp_path / "rows.jsonl").unlink()
    with lab.open("run") as run:
        assert run.origin.skipped_lines == SKIPPED
        assert [one.split(":")[0] for one in run.origin.problems] == ["rows.jsonl, line 2", "rows.jsonl, line 3"]


async def test_few_problems_are_kept_and_all_are_counted(tmp_path: Path):
    (tmp_path / "rows.jsonl").write_text(ROW + "{\n" * 90, encoding="utf-8")
    lab = Lab(tmp_path / "runs")
    lab.begin(description('[[arms]]\nkind = "none"\n').replace('"drawn"', '{ file = "rows.jsonl" }'), beside=tmp_path)
    with lab.open("run") as run:
        assert len(run.origin.problems) == MOST_PROBLEMS
        assert run.origin.skipped == {"malformed": 90}


def test_one_line_is_told_as_one():
    told = Origin(description="", data="", pipeline="", playground="", skipped={"empty": 1}).skipped_lines
    assert told == "1 line of the data is no sample and was skipped: 1 empty."


async def test_an_answer_is_given_again_without_reading_the_data(tmp_path: Path):
    data = Drawn(3)
    await finished(tmp_path, description('[[arms]]\nkind = "online"\n'), data=data, model=ByAgent())
    opened = data.opened
    chosen = parts(data=data, model=ByAgent())
    outcome = await Lab(tmp_path).answer_again("run", "online", 0, 1, parts=chosen)
    assert outcome.answer == "4"
    assert data.opened == opened


async def test_an_answer_is_given_again_by_the_models_of_its_arm_at_their_temperature(tmp_path: Path):
    arm = '[[arms]]\nkind = "online"\nmodels = { ReflectorModel = "simulated" }\n'
    await finished(tmp_path, description(arm, temperature=0.5), data=Drawn(2), model=ByAgent())
    tasks = []

    async def execute(task):
        tasks.append(task)
        return await run_sample(task)

    await Lab(tmp_path).answer_again("run", "online", 0, 1, parts=parts(model=ByAgent(), execute=execute))

    assert [(task.models, task.temperature) for task in tasks] == [({"ReflectorModel": "simulated"}, 0.5)]
