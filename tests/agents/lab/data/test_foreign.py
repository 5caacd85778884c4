"""A set that is not made for the simulated learner: it is run to the end, and the report claims nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents.lab import open_data
from tests.agents.lab.data.foreign import rows, write
from ui.cli.main import main

RUN = 80
TEXT = """
name = "foreign"
data = { file = "rows.jsonl" }
scorer = { kind = "list" }
keep = "none"
[[arms]]
kind = "none"
[[arms]]
kind = "online"
[[arms]]
kind = "rewriting"
"""


def test_five_hundred_rows_of_both_kinds_are_read(tmp_path: Path):
    write(tmp_path / "rows.jsonl")
    data = open_data({"file": "rows.jsonl"}, folder=tmp_path)
    samples = list(data.samples("train"))
    assert (len(samples), list(data.problems)) == (500, [])
    assert sum("," in (sample.truth or "") for sample in samples) == 125
    assert all(" = " in sample.question for sample in samples if "," not in (sample.truth or ""))
    assert list(rows()) == list(rows())


def test_all_arms_are_run_to_the_end_and_no_difference_is_claimed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    write(tmp_path / "rows.jsonl", RUN)
    (tmp_path / "it.toml").write_text(TEXT, encoding="utf-8")
    command = ["lab", "run", str(tmp_path / "it.toml"), "--db", str(tmp_path / "play.db")]
    assert main([*command, "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    arms: list[dict[str, Any]] = [row for row in found if row["type"] == "arm"]
    assert [(row["arm"], row["of"], row["failed"]) for row in arms] == [
        ("none", RUN, 0),
        ("online", RUN, 0),
        ("rewriting", RUN, 0),
    ]
    assert all(row["right"] <= 1 and row["interval"][1] > 0.03 for row in arms)
    differences = [row for row in found if row["type"] == "difference"]
    assert all(row["interval"][0] <= 0 <= row["interval"][1] and row["p"] == 1 for row in differences)
    assert len(differences) == 2
    assert main(["lab", "report", "foreign", "--db", str(tmp_path / "play.db")]) == 0
    said = capsys.readouterr().out
    assert said.count("No question comes out differently: below 6, nothing can be shown.") == 2
    assert "closed world" not in said
