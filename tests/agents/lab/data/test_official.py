"""The script for the official Formula split, with rows made here in its form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agents.lab.data.official import RUN, asked, write
from ui.cli.main import main

ROW = (
    "Use formula Stock Cover to answer the question. Give a number. Formula: Stock Cover = Stock / Sales per Day, "
    "Explanation: Stock: what is there. Question: {}. Answer:"
)


def rows(first: int, count: int) -> list[dict[str, str]]:
    return [
        {
            "context": ROW.format(f'"What is the stock cover if the stock is {6 * n} and the sales per day are {n + 1}?"'),
            "target": str(round(6 * n / (n + 1), 2)),
        }
        for n in range(first, first + count)
    ]


def folder_of(path: Path) -> Path:
    for name, made in (("train_subset_12", rows(4, 12)), ("val_subset_6", rows(30, 6)), ("test", rows(50, 8))):
        text = "".join(f"{json.dumps(row)}\n" for row in made)
        (path / f"formula_{name}.jsonl").write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("said", ['"How long does it last?"', " “How long does it last?”", " How long does it last?"])
def test_the_question_is_asked_without_its_formula(said: str):
    found = asked({"context": ROW.format(said), "target": "4.0"})
    assert found["question"].startswith("How long does it last? Answer with a plain number")
    assert (found["answer"], found["formula"]) == ("4.0", "Stock Cover")
    assert "Sales" not in found["question"]


def test_a_context_in_another_form_is_asked_as_it_is():
    assert asked({"context": "How long?", "target": "4"}) == {"question": "How long?", "answer": "4", "formula": "none"}


def test_the_arms_answer_the_same_questions_and_the_control_learns_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    run = write(folder_of(tmp_path), tmp_path / "out")
    assert run.read_text(encoding="utf-8") == RUN
    assert main(["lab", "run", str(run), "--db", str(tmp_path / "play.db"), "--json"]) == 0
    found: list[dict[str, Any]] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    right = {row["arm"]: row["right"] for row in found if row["type"] == "arm"}
    assert {(row["split"], row["of"]) for row in found if row["type"] == "arm"} == {("test", 8)}
    assert right["none"] <= right["shuffled truth"] <= 1
    assert right["offline"] == 8 > right["online"] == right["keeps all"] > 0
    assert [row["labels"][0]["value"] for row in found if row["type"] == "arm"] == ["Stock Cover"] * 5
    assert main(["lab", "report", "formula", "--db", str(tmp_path / "play.db")]) == 0
    assert "closed world" not in capsys.readouterr().out


def test_a_file_that_is_missing_is_named(tmp_path: Path):
    with pytest.raises(SystemExit, match=r"has 0 files formula_train\*\.jsonl"):
        write(tmp_path, tmp_path / "out")
