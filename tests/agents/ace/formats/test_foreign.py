"""Playbooks as other implementations write them in JSON."""

from __future__ import annotations

import json

import pytest

from agents.ace.formats.file import playbook_file_text
from agents.ace.playbook import Playbook
from agents.errors import PlaybookFormatError


def read(value: object) -> list[tuple[str, str, str, int, int, bool]]:
    playbook = Playbook.read(json.dumps(value))
    return [(b.id, b.section, b.content, b.helpful, b.harmful, b.archived) for b in playbook.bullets]


def test_a_skillbook_is_read_with_its_counters_and_invalid_skills_are_archived():
    skills = {
        "m-1": {"id": "m-1", "section": "math", "content": "a\n  b", "helpful": 5, "status": "active", "sources": []},
        "m-2": {
            "id": "m-2",
            "section": "math",
            "content": "c",
            "status": "invalid",
            "created_at": "2026-01-02T03:04:05+00:00",
        },
    }
    book = {"skills": skills, "sections": {"math": ["m-1", "m-2"]}, "next_id": 7, "similarity_decisions": {}}
    assert read(book) == [("m-1", "math", "a\n  b", 5, 0, False), ("m-2", "math", "c", 0, 0, True)]
    assert Playbook.read(json.dumps(book)).next_number == 8
    assert read({"skills": {}, "sections": {}, "next_id": 0}) == []


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (
            {"sections": ["A", "B"], "bullets": [{"id": "a-1", "section": "A", "content": "x", "metadata": {"helpful": 2}}]},
            [("a-1", "A", "x", 2, 0, False)],
        ),
        ([{"bullet_id": "a-1", "text": "x", "harmful_count": 1}], [("a-1", "others", "x", 0, 1, False)]),
        (
            {"sections": {"A b": ["x", "y"]}},
            [("a-b-00001", "A b", "x", 0, 0, False), ("a-b-00002", "A b", "y", 0, 0, False)],
        ),
        ({"sections": [{"name": "A", "bullets": [{"id": "q-1", "content": "x"}]}]}, [("q-1", "A", "x", 0, 0, False)]),
        ({"playbook": {"bullets": ["x"]}}, [("others-00001", "others", "x", 0, 0, False)]),
    ],
)
def test_lists_are_read(value, found):
    assert read(value) == found


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"bullets": [{"id": "a-1", "content": "x"}, {"id": "a-1", "content": "y"}]}, "'a-1' is there twice"),
        ({"bullets": [{"id": "a-1"}]}, r"bullets\[0\]: a bullet has its text in 'content'"),
        ({"skills": {"a-1": {"content": "x", "helpful": "many"}}}, "helpful: a whole number belongs here"),
        ([{"role": "user", "content": "x"}], "no playbook in it"),
        ({"id": "s", "appName": "a", "events": []}, "a session of ADK"),
        ({"format": "agent-playground/session", "version": 1}, "a session that was exported here"),
    ],
)
def test_what_is_none_is_said(value, why):
    with pytest.raises(PlaybookFormatError, match=why):
        read(value)


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"\x89PNG\r\n\x1a\n", "a picture"), (b"%PDF-1.7", "a PDF"), (b"", "it is empty"), (b"\xff\xd8\xff\xe0", "JPEG")],
)
def test_a_file_of_another_kind_is_named(content, why):
    with pytest.raises(PlaybookFormatError, match=why):
        playbook_file_text(content)


def test_a_web_page_is_named():
    with pytest.raises(PlaybookFormatError, match="a web page"):
        Playbook.read("<!DOCTYPE html>\n<html>## A</html>")
