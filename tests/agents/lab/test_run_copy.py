"""A run that was recorded elsewhere becomes a run beside others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents.errors import LabError
from agents.lab import Lab
from agents.lab.run_folder import copy_run

TINY = """
name = "tiny"
data = "questions.jsonl"
arms = [{ kind = "none" }]
"""
QUESTIONS = '{"question": "What is 2 + 2?", "answer": "4"}\n'


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A folder with a finished run, its data beside it."""
    (tmp_path / "questions.jsonl").write_text(QUESTIONS)
    asyncio.run(Lab(tmp_path / "there").begin(TINY, beside=tmp_path).run()).close()
    folder = tmp_path / "there" / "tiny"
    (folder / "questions.jsonl").write_text(QUESTIONS)
    return folder


def test_the_copy_has_the_results_and_the_description(recorded, tmp_path):
    name = copy_run(recorded, tmp_path / "here", "recorded-tiny")
    lab = Lab(tmp_path / "here")
    assert (name, lab.names()) == ("recorded-tiny", ["recorded-tiny"])
    assert lab.text(name) == TINY
    with lab.open(name) as run, Lab(recorded.parent).open("tiny") as before:
        assert list(run.results("none", 0)) == list(before.results("none", 0))
        assert run.status == "finished"


def test_paths_of_the_description_start_from_the_copy(recorded, tmp_path):
    name = copy_run(recorded, tmp_path / "here", "tiny")
    (tmp_path / "questions.jsonl").unlink()
    run = asyncio.run(Lab(tmp_path / "here").resume(name).run())
    assert (run.origin.folder, run.summary("none").of) == (str(tmp_path / "here" / "tiny"), 1)
    run.close()


def test_a_run_that_is_there_is_not_copied_again(recorded, tmp_path):
    names = [copy_run(recorded, tmp_path / "here", "tiny") for _ in range(3)]
    assert names == ["tiny"] * 3
    assert [path.name for path in (tmp_path / "here").iterdir()] == ["tiny"]


@pytest.mark.parametrize("file", ["run.toml", "other.txt"])
def test_another_folder_of_the_name_is_left_alone(recorded, tmp_path, file):
    other = tmp_path / "here" / "tiny"
    other.mkdir(parents=True)
    (other / file).write_text("日本語")
    assert [copy_run(recorded, tmp_path / "here", "tiny") for _ in range(2)] == ["tiny-2"] * 2
    assert (other / file).read_text() == "日本語"


def test_another_run_of_the_name_is_left_alone(recorded, tmp_path):
    Lab(tmp_path / "here").begin(TINY.replace("none", "online"), beside=tmp_path)
    assert copy_run(recorded, tmp_path / "here", "tiny") == "tiny-2"


def test_a_folder_that_is_no_run(tmp_path):
    with pytest.raises(LabError, match="is not the file of a lab run"):
        copy_run(tmp_path, tmp_path / "here", "tiny")
    assert not (tmp_path / "here").exists()


def test_a_place_that_cannot_be_written(recorded, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="cannot be copied into"):
        copy_run(recorded, tmp_path / "file", "tiny")
