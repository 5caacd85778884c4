"""Parts of the Lab page: uploaded files, charts, and the answer that an address names."""

from __future__ import annotations

import errno
from io import FileIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import DataSetError
from agents.lab import Point
from ui.lab import charts
from ui.lab.charts import Line
from ui.lab.shown import Shown
from ui.state import data_files

ROW = b'{"question": "1 + 1?", "answer": "2"}\n'


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("questions.jsonl", "questions.jsonl"),
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\data\\mine.CSV", "mine.csv"),
        ("質問 集.jsonl", "質問 集.jsonl"),
        ("a\x00b\n.json", "a_b_.json"),
        ("...jsonl", "data.jsonl"),
        ("x" * 300 + ".csv", "x" * 100 + ".csv"),
        ("質" * 90 + ".csv", "質" * 33 + ".csv"),
    ],
)
def test_a_file_is_kept_by_a_name_without_a_path(lab, name, stored):
    assert data_files.keep(name, ROW) == stored
    assert data_files.kept() == [stored]
    assert (data_files.folder() / stored).read_bytes() == ROW


def test_a_file_is_never_overwritten(lab):
    assert data_files.keep("q.jsonl", ROW) == "q.jsonl"
    assert data_files.keep("q.jsonl", ROW) == "q.jsonl"
    assert data_files.keep("q.jsonl", ROW * 2) == "q-2.jsonl"
    assert data_files.kept() == ["q-2.jsonl", "q.jsonl"]


def test_nothing_stays_of_a_file_that_could_not_be_written(lab, monkeypatch):
    class Full(FileIO):
        def write(self, content: Any) -> int:
            super().write(content[:3])
            raise OSError(errno.ENOSPC, "No space left on device")

    def opened(path: Path, mode: str) -> Full:
        return Full(path, mode)

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(DataSetError, match="No space left on device"):
        data_files.keep("q.jsonl", ROW)
    assert data_files.kept() == []


@pytest.mark.parametrize(("name", "content"), [("q.exe", ROW), ("", ROW), ("q", ROW), ("q.csv", b""), ("q.csv", b" \n")])
def test_what_is_no_data_file_is_refused(lab, name, content):
    with pytest.raises(DataSetError):
        data_files.keep(name, content)
    assert data_files.kept() == []


@given(st.text(alphabet="ab ,.()=–-あ", min_size=1), st.integers(0, 2**31), st.integers(1, 10**9))
def test_an_answer_in_an_address_is_read_as_it_was_written(arm, seed, question):
    shown = Shown(arm, seed, question)
    assert Shown.read(str(shown)) == shown


@given(st.none() | st.text())
def test_any_text_in_an_address_is_read(text):
    shown = Shown.read(text)
    assert shown is None or (shown.question > 0 and Shown.read(str(shown)) == shown)


def point(number: int, **more: float) -> Point:
    found = {"calls": 3 * number, "tokens": 100 * number, "accuracy": 0.5, "recent": 0.25, "bullets": number}
    return Point(number=number, questions=number, playbook_tokens=10 * number, revision=number, **{**found, **more})


def test_a_chart_has_the_points_of_each_arm_over_what_was_chosen():
    lines = [Line("a", 0, [point(1), point(2)]), Line("b", 0, [point(1)])]
    found = charts.accuracy(lines, ["a", "b"], over="calls", recent=True)
    assert [(row["arm"], row["question"], row["x"], row["y"]) for row in found["data"]["values"]] == [
        ("a", 1, 3, 0.25),
        ("a", 2, 6, 0.25),
        ("b", 1, 3, 0.25),
    ]
    sizes = charts.size(lines, ["a", "b"], of="playbook_tokens")
    assert [row["y"] for row in sizes["data"]["values"]] == [10, 20, 10]


def test_single_points_are_seen_and_have_a_place_on_the_axis():
    few = [Line("a", 0, [point(1)])]
    many = [Line("a", 0, [point(number) for number in range(1, 100)])]
    for lines, opacity, has_points in ((few, 1, True), (many, 0.25, False)):
        found = charts.accuracy(lines, ["a"], over="calls", recent=False)
        marks = found["layer"][1]["encoding"]
        assert marks["opacity"]["value"] == opacity
        assert marks["x"]["scale"]["domainMin"] == 0
        assert charts.size(lines, ["a"], of="bullets")["mark"]["point"] is has_points


def test_an_arm_keeps_its_colour_and_dashes_and_neighbours_differ_in_both():
    arms = [f"arm {number}" for number in range(8)]
    found = charts.accuracy([], arms, over="number", recent=False)
    encoding = found["layer"][0]["encoding"]
    colours, dashes = encoding["color"]["scale"]["range"], encoding["strokeDash"]["scale"]["range"]
    assert len(colours) == len(dashes) == len(arms)
    assert all(a != b for a, b in pairwise(colours))
    assert all(a != b for a, b in pairwise(dashes))
    assert charts.legend("x", 1) != charts.legend("x", 2)
