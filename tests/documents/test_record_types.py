"""The session view's types of trace records are what the schema says now."""

from __future__ import annotations

from tests.documents.record_types import FILE, module


def test_the_types_are_up_to_date():
    assert FILE.read_text(encoding="utf-8") == module(), "run: uv run poe records"
