"""Readers of text in the pipelines that were quadratic without a pattern, or that no run of a pipeline leads far into."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from agents.errors import ToolError
from agents.models.simulated.language.words import has_phrase
from agents.pipelines.code_refinement.finding import Finding
from agents.pipelines.data_pipeline.table import read_table
from agents.pipelines.iterative_writing.prose import shield
from agents.pipelines.library.tools import read_article
from agents.pipelines.library.words import stems
from agents.pipelines.planning_mode.lists import Step, changed, read_plan
from agents.pipelines.tool_loop.findings import mentions, open_points, total
from agents.pipelines.working_files import WorkingFiles
from tests.architecture.growth import first_steep
from tests.architecture.hostile_text import Attack

LARGEST = 32_768


def remove_first(text: str) -> None:
    changed(text, Step("remove", "a.md", "a"))


def read_file(path: str) -> None:
    with suppress(ToolError):
        WorkingFiles(Path("nowhere")).read(path)


@pytest.mark.parametrize(
    ("read", "head", "unit", "tail"),
    [
        (remove_first, "a\n" * 4_000, "b\na\n", ""),
        (read_plan, "", "\n", ""),
        (read_plan, "1. Add “", "” to ", ""),
        (stems, "", "\u0301\u0316", ""),
        (read_file, "", "\u0301\u0316", ""),
        (lambda text: total({"a": text}, "euros"), "", "1 a ", ""),
        (lambda text: open_points({"a": text}), "", "\n", "x"),
        (lambda text: mentions({"a": text}, ["a", "b"]), "", "a\n", ""),
        (read_table, "sum ", "1, ", "."),
        (read_table, "", "a at ", ""),
        (read_table, "", "1 kg  ", "x"),
        (lambda text: has_phrase(text, "a a"), "", "a ", "a"),
        (shield, "", "“", ""),
        (Finding.all_in, "", "\n", ""),
    ],
)
def test_a_reader_takes_linear_time(read, head, unit, tail):
    assert first_steep(read, [Attack(head, unit, tail)], largest=LARGEST) is None


def test_no_more_steps_of_a_plan_are_read_than_are_carried_out():
    steps = read_plan("".join(f"- Start b{number}.md.\n" for number in range(2_000)))

    assert [step.path for step in steps] == [f"b{number}.md" for number in range(20)]


def test_a_path_of_any_length_is_refused_in_few_words(tmp_path):
    with pytest.raises(ToolError, match="cannot be used as a path") as refused:
        WorkingFiles(tmp_path).read("a/" * 50_000)

    assert len(str(refused.value)) < 500


def test_an_article_that_is_not_there_is_named_in_few_words():
    assert len(read_article("no such article " * 5_000)["error"]) < 250


@pytest.mark.parametrize(
    ("text", "phrase", "is_there"),
    [
        ("It was, as luck would have it, late.", "As luck would have it", True),
        ("A harbour", "the harbour", False),
        ("The harbours", "the harbour", False),
        ("At The Harbour.", "the harbour", True),
        ("soothe harbour", "the harbour", False),
    ],
)
def test_a_phrase_stands_in_a_text(text, phrase, is_there):
    assert has_phrase(text, phrase) is is_there
